import type { ExtensionAPI, ExtensionContext, Theme } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import { decisionText, type Run } from "../../core/run/index.ts";
import { visible } from "../../core/text/index.ts";
import { countNote } from "../../core/view/index.ts";
import { type StoppedText, stoppedText } from "../../core/words/index.ts";
import type { Notice } from "../../engine/index.ts";

/**
 * What the user reads stands in the session as an entry, never as a message: a message after the answer would hide it
 * in print mode and reach the model.
 */
export const NOTICE_ENTRY = "til-done-notice";
/** The end of a workflow, in the words of its author. */
export const WORKFLOW_ENTRY = "workflow:complete";

export type NoticeData = StoppedText;

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
    /** The work continued: the next stop is news again. */
    forget(): void {
      last = "";
    },
  };
}

export type Notices = ReturnType<typeof createNotices>;

export function noticeData(notice: Notice): NoticeData | undefined {
  if (notice.type === "text")
    return { text: notice.text, tone: notice.topic === "workflow_finished" ? "success" : "warning" };
  return stoppedText(notice.run, notice.reason, { hasCommands: true });
}

/** A wait is no stop: it is said where there is no status line, and where it may last. */
export function waitNotice(run: Run): Notice | undefined {
  const { decision, boundary } = run.ledger;
  if (decision?.type !== "wait" || decision.reason === "human" || decision.reason === "question") return undefined;
  const until =
    boundary?.until === undefined ? "" : ` (until ${new Date(boundary.until).toISOString().slice(11, 19)} UTC)`;
  return { type: "text", text: [`${decisionText(decision)}${until}`, countNote(run)].filter(Boolean).join(" ") };
}
