import { existsSync } from "node:fs";
import type { RunSummary } from "../../src/engine/index.ts";
import { openStore } from "../../src/store/index.ts";
import type { Persona } from "../../src/testing/index.ts";
import type { Ran } from "./cell.ts";

/**
 * What the human has set: the persona's checks and limits, and leave for the tests it names itself. Pauses after overloads would add
 * up to a quarter of an hour.
 */
export const settingsFor = ({ checks, limits }: Persona, more: object = {}): string =>
  JSON.stringify({
    ...more,
    waits: { backoff: "1s", longestBackoff: "1s" },
    checks: { run: checks, allow: ["sh *"] },
    ...(limits.attemptsPerTodo !== undefined && { continuation: { attemptsPerTodo: limits.attemptsPerTodo } }),
  });

/** Why tildone let the newest run rest, as its log says; "working" is a run that nobody ended, "left" one whose host is gone. */
export async function reasonIn(path: string): Promise<string | undefined> {
  if (!existsSync(path)) return undefined;
  const store = await openStore({ path });
  try {
    const [card] = store.runs.list();
    const summary = card?.summary as RunSummary | undefined;
    return summary?.reason ?? summary?.state;
  } finally {
    store.close();
  }
}

const DONE = ["all_done", "done_unproven"];

/** What the system says at the end: tildone by its reason, any other program by its exit code. */
export function spoken(code: number | null, reason: string | undefined): Pick<Ran, "claims" | "reason"> {
  if (reason !== undefined) return { claims: DONE.includes(reason) ? "done" : "not done", reason };
  return { claims: code === 0 ? "done" : "not done", reason: code === null ? "killed" : `exit ${code}` };
}
