import { checkKey, commandLine, firstOf, isFresh, mayRun } from "../continuation/index.ts";
import type { FirstResult, Receipt, Run } from "../run/index.ts";
import { redact } from "../secret/index.ts";
import type { Check } from "../todo/index.ts";

/** A check and its result. */
export interface CheckView {
  /** Names it in the log. */
  readonly key: string;
  readonly command: string;
  readonly by: Check["by"];
  readonly mayRun: boolean;
  /** `not run`: there is no receipt. */
  readonly result: Receipt["status"] | "not run";
  readonly exit?: number;
  readonly durationMs: number;
  readonly at?: number;
  /** The end of its output, if it did not pass. */
  readonly tail?: string;
  /** It passed, but not on the files as they are now. */
  readonly stale: boolean;
  readonly suspect: boolean;
  readonly doubt?: string;
  readonly beside?: readonly string[];
  /** Where it was judged last; absent: nothing was kept by which it could be repeated. */
  readonly judged?: "room" | "place";
  /** What it said of the files from before the work; absent: not known. */
  readonly before?: FirstResult["status"];
}

/** `owner` is the id of its todo, or `run`. */
export function checkView(run: Run, owner: string, check: Check): CheckView {
  const key = checkKey(owner, check);
  const receipt = run.ledger.receipts[key];
  const passed = receipt?.status === "passed" || receipt?.status === "observed";
  return {
    key,
    command: redact(commandLine(check)),
    by: check.by,
    mayRun: mayRun(check),
    result: receipt?.status ?? "not run",
    exit: receipt?.exit,
    durationMs: receipt?.durationMs ?? 0,
    ...(receipt && { at: receipt.at }),
    ...(receipt && receipt.tail !== "" && { tail: receipt.tail }),
    stale: passed && !isFresh(run, receipt),
    suspect: receipt?.suspect ?? false,
    doubt: receipt?.doubt,
    beside: receipt?.beside,
    judged: receipt?.proof?.tree === undefined ? undefined : receipt.proof.where,
    before: firstOf(run, check)?.status,
  };
}
