import { digestOf } from "../call/index.ts";
import type { NudgeKind, Run } from "../run/index.ts";
import { BRIEFED } from "./briefing.ts";
import { nudgeText } from "./nudge.ts";

const CARRIED = "[tildone] The user says (message ";
/** Up to 0.1.0 the mark named the user otherwise; such a message may still come back. */
const CARRIED_ONCE = /\[tildone\] The (?:user|human) says \(message /;

/** Stands above words of yours that we carried, so that they are known for what they are, and found where the host keeps them. */
export const carriedMark = (id: string): string =>
  `${CARRIED}${digestOf("message", id, undefined).slice(0, MARK_LETTERS)}):`;
const MARK_LETTERS = 8;

/** So much of the words of a workflow is enough to know them by; hosts may cut the rest. */
const ENOUGH = 2_000;

/**
 * Whose words a prompt is. Some hosts tell of what a stop hook answered as of a prompt, and a supervisor sends a nudge as the
 * prompt of the next process: neither comes from you.
 */
export function speakerOf(run: Run, prompt: string): "nudge" | "words" | "other" {
  if (CARRIED_ONCE.test(prompt)) return "words";
  const { nudge } = run.ledger;
  if (nudge?.fresh !== undefined) return prompt.includes(BRIEFED) ? "nudge" : "other";
  return nudge && prompt.includes(beginning(nudgeText(run, nudge.kind).trim(), nudge.kind)) ? "nudge" : "other";
}

/** Our own first line says how far the list is; how much of it follows depends on what was known when it was sent. */
const beginning = (text: string, kind: NudgeKind): string =>
  kind === "phase" ? text.slice(0, ENOUGH) : text.split("\n", 1)[0]!;
