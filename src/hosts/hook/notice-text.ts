import type { Run } from "../../core/run/index.ts";
import { countTodos } from "../../core/todo/index.ts";
import { decisionText, nextStepText } from "../../core/words/index.ts";
import type { Notice } from "../../engine/index.ts";

/** What you read on the host's own screen; undefined where there is nothing to know. */
export function noticeText(notice: Notice): string | undefined {
  if (notice.type === "text") return `tildone: ${notice.text}`;
  const isNoNews = notice.reason === "disabled" || notice.reason === "no_todos";
  return isNoNews ? undefined : verdictText(notice.run);
}

/** How the run stands, in a line: what was decided, how much is done, and what you can do about it. */
export function verdictText({ ledger: { decision }, plan }: Run): string | undefined {
  if (!decision) return undefined;
  const { done, total } = countTodos(plan.todos);
  return [`tildone: ${decisionText(decision)}`, total > 0 ? `[${done}/${total}]` : "", nextStepText(decision)]
    .filter((part) => part !== "")
    .join(" ");
}
