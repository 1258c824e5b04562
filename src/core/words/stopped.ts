import { type StopReason, stopRow } from "../reason/index.ts";
import { decisionText, type Run } from "../run/index.ts";
import { openTodos } from "../todo/index.ts";
import { countNote } from "../view/index.ts";

export interface StoppedText {
  readonly text: string;
  readonly tone: "success" | "warning";
}

/**
 * A stop as the person at the agent's own screen reads it: why, how far it is, and what to type there. Undefined: it is no news.
 * `why` replaces the reason's own sentence; `hasCommands`: our slash commands can be typed there.
 */
export function stoppedText(
  run: Run,
  reason: StopReason,
  { why, hasCommands }: { readonly why?: string | undefined; readonly hasCommands: boolean },
): StoppedText | undefined {
  const row = stopRow(reason);
  // Open work that stays open is news to a user who can switch it on there.
  if (row.reaches === "nobody" && !(hasCommands && openTodos(run.plan.todos).length > 0)) return undefined;
  const { decision } = run.ledger;
  const said = why ?? (decision?.type === "stop" ? decisionText(decision) : row.says);
  return { text: [said, countNote(run), hasCommands ? row.chat : ""].filter(Boolean).join(" "), tone: row.tone };
}
