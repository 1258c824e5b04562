import { stopRow } from "../core/reason/index.ts";
import { decisionText, nextStepText, type Run } from "../core/run/index.ts";
import { countNote } from "../core/view/index.ts";
import type { Notice } from "../engine/index.ts";

/** What you read on the host's own screen; undefined where there is nothing to know. */
export function noticeText(notice: Notice): string | undefined {
  if (notice.type === "text") return `tildone: ${notice.text}`;
  return stopRow(notice.reason).reaches === "nobody" ? undefined : verdictText(notice.run);
}

/** How the run stands, in a line: what was decided, how much is done, and what you can do about it. */
export function verdictText(run: Run): string | undefined {
  const { decision } = run.ledger;
  if (!decision) return undefined;
  return [`tildone: ${decisionText(decision)}`, countNote(run), nextStepText(decision)]
    .filter((part) => part !== "")
    .join(" ");
}
