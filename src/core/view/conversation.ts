import { endsIn, type Run } from "../run/index.ts";

/** Where the next todo begins, or began, and why; empty if new conversations were not asked for. */
export function conversationLine({ ledger: { conversation } }: Run): string {
  const { number, why, kept } = conversation;
  if (kept && kept.ended === endsIn(conversation)) return `The next todo begins in the same conversation: ${kept.why}.`;
  return number > 1 && why !== undefined ? `The agent works in its conversation number ${number}: ${why}.` : "";
}
