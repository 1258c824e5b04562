import { resetOf } from "../../core/limit/index.ts";
import type { Failure } from "../../core/run/index.ts";
import type { LastTurn } from "./between-processes.ts";
import { failureKind } from "./failure-kind.ts";
import type { ProcessEnd } from "./run-process.ts";

/** How a process of the host ended, with what it said of it. */
export type Ended = ProcessEnd & { readonly failure?: Failure };

/** Somebody else ended it: it did not find out by itself that it cannot work. */
export const wasKilled = ({ code, signal }: ProcessEnd): boolean => signal !== null || (code ?? 0) > 128;

export const lastTurn = ({ failure }: Ended): LastTurn =>
  failure ? { outcome: "failed", failure } : { outcome: "completed" };

export function failureOf(message: string, now: number): Failure {
  const kind = failureKind(message);
  const resetAt = kind === "rate_limit" || kind === "overload" ? resetOf({ message }, now) : undefined;
  return { kind, message: message.slice(0, 1000), ...(resetAt !== undefined && { resetAt }) };
}
