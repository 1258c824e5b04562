import type { QueuedWords } from "../core/run/index.ts";
import { carriedMark } from "../core/words/index.ts";

/** Longest answer that every host hands over whole: Codex cuts the middle out of more. */
const LONGEST = 8_500;

export const wordsText = (words: readonly QueuedWords[]): string =>
  bounded(words.map(({ id, text }) => `${carriedMark(id)}\n${text}`).join("\n\n"));

/** The first of these messages, and what fits beside it; the others wait for the next answer. */
export function fitting(words: readonly QueuedWords[]): readonly QueuedWords[] {
  const [first, ...others] = words;
  if (!first) return [];
  const fits = [first];
  for (const one of others) {
    if (wordsText([...fits, one]).endsWith(CUT)) break;
    fits.push(one);
  }
  return fits;
}

export const bounded = (text: string): string => {
  if (Buffer.byteLength(text) <= LONGEST) return text;
  return `${Buffer.from(text).subarray(0, LONGEST).toString("utf8").replace(/�$/u, "")}${CUT}`;
};

const CUT = "\n(cut)";
