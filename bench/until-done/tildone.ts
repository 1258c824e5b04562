import { existsSync } from "node:fs";
import type { RunSummary } from "../../src/engine/index.ts";
import { openStore } from "../../src/store/index.ts";
import type { Persona } from "../../src/testing/index.ts";
import type { Shown } from "./cell.ts";

/** What the human has set: the persona's checks and limits, and leave for the tests it names itself. The rest is as tildone is shipped. */
export const settingsFor = ({ checks, limits }: Persona, more: object = {}): string =>
  JSON.stringify({
    ...more,
    checks: { run: checks, allow: ["sh *"] },
    ...(limits.attemptsPerTodo !== undefined && { continuation: { attemptsPerTodo: limits.attemptsPerTodo } }),
  });

/** Why tildone let the newest run rest, as its log says and its screens show. */
export async function verdictIn(path: string): Promise<Shown | undefined> {
  if (!existsSync(path)) return undefined;
  const store = await openStore({ path });
  try {
    const [card] = store.runs.list();
    const summary = card?.summary as RunSummary | undefined;
    if (!summary) return undefined;
    return shown(summary);
  } finally {
    store.close();
  }
}

const DONE = ["all_done", "done_unproven"];
/** It waits for nobody but the human, and says so. */
const FOR_THE_HUMAN = ["approval", "question"];

/** A run that says "working", or waits for something that nobody will bring any more, has no verdict once its process is gone. */
export function shown({ state, reason }: Pick<RunSummary, "state" | "reason">): Shown {
  const words = reason ?? state;
  if (state === "working" || state === "continue") return { state: "at work", words: state };
  if (state === "wait" && !FOR_THE_HUMAN.includes(words)) return { state: "at work", words };
  return { state: DONE.includes(words) ? "done" : "not done", words };
}
