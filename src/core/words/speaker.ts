import type { Run } from "../run/index.ts";
import { nudgeText } from "./nudge.ts";

/** Stands above words of the human that we carried, so that they are known for what they are. */
export const CARRIED = "[tildone] The human says:";

/** So much of a nudge is enough to know it by; hosts may cut the rest. */
const ENOUGH = 2_000;

/**
 * Whose words a prompt is. Some hosts tell of what a stop hook answered as of a prompt, and a supervisor sends a nudge as the
 * prompt of the next process: neither is the human.
 */
export function speakerOf(run: Run, prompt: string): "nudge" | "words" | "other" {
  if (prompt.includes(CARRIED)) return "words";
  const { nudge } = run.ledger;
  return nudge && prompt.includes(nudgeText(run, nudge.kind).trim().slice(0, ENOUGH)) ? "nudge" : "other";
}
