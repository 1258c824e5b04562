import type { ExtensionAPI, ExtensionContext, Theme } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import { countNote } from "../../core/proof/index.ts";
import type { StopReason } from "../../core/reason/index.ts";
import type { Run } from "../../core/run/index.ts";
import { visible } from "../../core/text/index.ts";
import { decisionText } from "../../core/words/index.ts";
import type { Notice } from "../../engine/index.ts";

/**
 * What the human reads stands in the session as an entry, never as a message: a message after the answer would hide it
 * in print mode and reach the model.
 */
export const NOTICE_ENTRY = "til-done-notice";
/** The end of a workflow, in the words of its author. */
export const WORKFLOW_ENTRY = "workflow:complete";

export interface NoticeData {
  readonly text: string;
  readonly tone: "success" | "warning";
}

export function registerNotices(pi: ExtensionAPI): void {
  pi.registerEntryRenderer<NoticeData>(NOTICE_ENTRY, ({ data }, _options, theme) =>
    data && typeof data.text === "string" ? new Text(themedNotice(data, theme), 1, 0) : undefined,
  );
  pi.registerEntryRenderer<NoticeData>(WORKFLOW_ENTRY, ({ data }, _options, theme) =>
    data && typeof data.text === "string" ? new Text(theme.fg(data.tone, visible(data.text)), 1, 0) : undefined,
  );
}

export const themedNotice = ({ text, tone }: NoticeData, theme: Pick<Theme, "fg">): string =>
  theme.fg(tone === "success" ? "success" : "warning", `${tone === "success" ? "✓" : "⚠"} ${visible(text)}`);

/** Shows each notice once: the same stop again, with nothing sent on in between, is no news. */
export function createNotices(pi: ExtensionAPI, ctx: ExtensionContext, tell?: (text: string) => void) {
  let last = "";
  return {
    show(notice: Notice): void {
      const data = noticeData(notice);
      if (!data || data.text === last) return;
      last = data.text;
      pi.appendEntry(notice.type === "text" && notice.topic ? WORKFLOW_ENTRY : NOTICE_ENTRY, data);
      if (ctx.mode === "rpc") ctx.ui.notify(data.text, data.tone === "success" ? "info" : "warning");
      if (tell && notice.type === "text") tell(data.text); // a stop is told as the decision it is
      if (tell) return;
      if (ctx.mode === "print" || ctx.mode === "json") process.stderr.write(`tildone: ${visible(data.text)}\n`);
    },
    /** The work went on: the next stop is news again. */
    forget(): void {
      last = "";
    },
  };
}

export type Notices = ReturnType<typeof createNotices>;

export function noticeData(notice: Notice): NoticeData | undefined {
  if (notice.type === "text")
    return { text: notice.text, tone: notice.topic === "workflow_finished" ? "success" : "warning" };
  const { reason, run } = notice;
  if (reason === "no_todos" && run.plan.todos.length === 0) return undefined;
  const { decision } = run.ledger;
  const said = decision?.type === "stop" ? decisionText(decision) : reason;
  return {
    text: [said, countNote(run), HOW_TO_GO_ON[reason]].filter(Boolean).join(" "),
    tone: reason === "all_done" ? "success" : "warning",
  };
}

/** A wait is no stop: it is said where nobody sees a status line, and where it may last. */
export function waitNotice(run: Run): Notice | undefined {
  const { decision, boundary } = run.ledger;
  if (decision?.type !== "wait" || decision.reason === "human" || decision.reason === "question") return undefined;
  const until =
    boundary?.until === undefined ? "" : ` (until ${new Date(boundary.until).toISOString().slice(11, 19)} UTC)`;
  return { type: "text", text: [`${decisionText(decision)}${until}`, countNote(run)].filter(Boolean).join(" ") };
}

/** What the human can do about it, where it is not plain. */
const HOW_TO_GO_ON: Partial<Record<StopReason, string>> = {
  disabled: "/tildone on switches it on.",
  held: "/unhold continues.",
  interrupted: "Send a message or /unhold to continue.",
  done_with_doubt: "/tildone accept signs it off.",
  budget_tokens: "/extend tokens=100000 continues.",
  budget_cost: "/extend cost=1 continues.",
  budget_minutes: "/extend minutes=30 continues.",
  budget_continuations: "/extend 20 continues.",
  rate_limited: "/unhold tries again.",
  provider_error: "/unhold tries again.",
  blocked: "Send what it needs, or /todos unblock.",
  awaiting_release: "/todos release lets the agent begin it.",
  no_progress: "Send a hint, or /extend to let it try again.",
  question: "Send your answer to continue.",
};
