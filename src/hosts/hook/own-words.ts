import type { QueuedWords, Run } from "../../core/run/index.ts";
import { nudgeText } from "../../core/words/index.ts";

/** Longest answer that every host hands over whole: Codex cuts the middle out of more. */
const LONGEST = 8_500;
const MARK = "[tildone] The human says:";

export const wordsText = (words: readonly QueuedWords[]): string =>
  bounded(`${MARK}\n${words.map(({ text }) => text).join("\n\n")}`);

export const bounded = (text: string): string => {
  if (Buffer.byteLength(text) <= LONGEST) return text;
  return `${Buffer.from(text).subarray(0, LONGEST).toString("utf8").replace(/�$/u, "")}\n(cut)`;
};

/**
 * Whose words a prompt is. Some hosts call the prompt hook again for what the stop hook answered, and a supervisor sends a
 * nudge as a prompt: neither is the human.
 */
export function speakerOf(run: Run, prompt: string): "nudge" | "words" | "other" {
  if (prompt.includes(MARK)) return "words";
  const { nudge } = run.ledger;
  return nudge && prompt.includes(bounded(nudgeText(run, nudge.kind)).trim()) ? "nudge" : "other";
}
