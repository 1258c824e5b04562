import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { openDrivers } from "../../src/drivers/index.ts";
import type { RunSummary } from "../../src/engine/index.ts";
import { isGone } from "../../src/engine/is-working.ts";
import { systemClock } from "../../src/machine/index.ts";
import { openStore } from "../../src/store/index.ts";
import type { Persona } from "../../src/testing/index.ts";
import type { Shown } from "./cell.ts";

/** The user's settings: the persona's checks and limits, and permission for the tests it names. The rest is as tildone is shipped. */
export const settingsFor = ({ checks, limits, touches = [] }: Persona, more: object = {}): string =>
  JSON.stringify({
    ...more,
    checks: { run: checks, touches, allow: ["sh *"] },
    continuation: {
      ...(limits.attemptsPerTodo !== undefined && { attemptsPerTodo: limits.attemptsPerTodo }),
      ...(limits.context && { context: limits.context.mode }),
    },
  });

/** Some hosts do not wait for their last hooks, so a person reads the reason a moment after the process ended. */
const MOMENT_MS = 5000;

/** Why tildone let the newest run rest, as its log says and its screens show. */
export async function verdictIn(path: string): Promise<Shown | undefined> {
  if (!existsSync(path)) return undefined;
  const until = performance.now() + MOMENT_MS;
  let found = await shownNow(path);
  while (found && (found.state === "at work" || found.words === CUT_OFF) && performance.now() < until) {
    await new Promise((later) => setTimeout(later, 250));
    found = await shownNow(path);
  }
  return found;
}

async function shownNow(path: string): Promise<Shown | undefined> {
  const store = await openStore({ path });
  try {
    const [card] = store.runs.list();
    const summary = card?.summary as RunSummary | undefined;
    if (!card || !summary) return undefined;
    const drivers = openDrivers({ state: dirname(path), clock: systemClock() });
    return shown(summary, isGone(card, drivers.of(card)));
  } finally {
    store.close();
  }
}

const CUT_OFF = "cut off";
const DONE = ["all_done", "done_unproven"];
/** It waits for the user alone, and says so. */
const FOR_THE_HUMAN = ["approval", "question"];

/**
 * A run that says "working", or waits for something that cannot come any more, has no verdict once its process is gone; one of
 * which the screens say that it was cut off has.
 */
export function shown({ state, reason }: Pick<RunSummary, "state" | "reason">, isCutOff = false): Shown {
  const words = reason ?? state;
  if (isCutOff && (state === "working" || state === "continue" || state === "wait"))
    return { state: "not done", words: CUT_OFF };
  if (state === "working" || state === "continue") return { state: "at work", words: state };
  if (state === "wait" && !FOR_THE_HUMAN.includes(words)) return { state: "at work", words };
  return { state: DONE.includes(words) ? "done" : "not done", words };
}
