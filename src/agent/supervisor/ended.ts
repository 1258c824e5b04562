import type { Failure } from "../../core/run/index.ts";
import type { LastTurn } from "./between-processes.ts";
import type { Program } from "./program.ts";
import type { ProcessEnd } from "./run-process.ts";

/** How a process of the host ended, with what it said of it. */
export type Ended = ProcessEnd & { readonly failure?: Failure };

/** It was ended from outside: it did not find out by itself that it cannot work. */
export const wasKilled = ({ code, signal }: ProcessEnd): boolean => signal !== null || (code ?? 0) > 128;

export const lastTurn = ({ failure }: Ended): LastTurn =>
  failure ? { outcome: "failed", failure } : { outcome: "completed" };

/** `Claude Code ended (signal SIGKILL): what it complained of`; nothing where it ended well. */
export function deathOf(
  { title }: Pick<Program, "title">,
  { code, signal, complaint }: ProcessEnd,
): string | undefined {
  if (code === 0) return undefined;
  const how = code === null ? `signal ${signal}` : `exit ${code}`;
  const why = complaint.trim();
  return `${title} ended (${how})${why === "" ? "" : `: ${why}`}`;
}
