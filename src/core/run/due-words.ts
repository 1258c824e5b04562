import type { QueuedWords, Run } from "./run.ts";

/** What goes out at a boundary: steering at once, the rest when the run would be over. */
export function dueWords({ ledger }: Run): readonly QueuedWords[] {
  const steering = ledger.words.filter(({ kind }) => kind === "steer");
  return steering.length > 0 ? steering : ledger.words;
}

/** What goes along with a prompt that starts a turn. A hold keeps it back, and an interrupt until the user speaks again. */
export function wordsWithPrompt({ ledger }: Run, from: "human" | "host"): readonly QueuedWords[] {
  const isKeptBack = ledger.off || ledger.held || (ledger.interrupt !== undefined && from === "host");
  return isKeptBack ? [] : ledger.words.filter(({ id, kind }) => kind === "steer" && !ledger.sending.includes(id));
}
