import type { ExtensionAPI, Theme } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import type { Nudge } from "../../core/react/index.ts";
import type { QueuedWords } from "../../core/run/index.ts";

/** The message that sends the agent on. It is told from others by its details, which name the run and the nudge. */
export const NUDGE_MESSAGE = "til-done-continue";
/** What a conversation begins with that takes the place of another within a turn. */
export const BRIEFING_MESSAGE = "til-done-briefing";
/** Your words that came from another process. */
export const WORDS_MESSAGE = "til-done-words";

export interface NudgeDetails {
  readonly run: string;
  readonly nudge: string;
  readonly kind: Nudge["kind"];
  /** Nothing before it is sent any more. */
  readonly fresh?: true;
}

export const nudgeMessage = (run: string, { id, kind, text, fresh }: Nudge) => ({
  customType: NUDGE_MESSAGE,
  content: text,
  display: true,
  details: { run, nudge: id, kind, ...(fresh && { fresh }) } satisfies NudgeDetails,
});

export const wordsMessage = ({ id, text }: QueuedWords) => ({
  customType: WORDS_MESSAGE,
  content: text,
  display: true,
  details: { words: id },
});

export function registerMessages(pi: ExtensionAPI): void {
  for (const type of [NUDGE_MESSAGE, BRIEFING_MESSAGE])
    pi.registerMessageRenderer(
      type,
      ({ content }, { expanded }, theme) => new Text(themedNudge(plain(content), expanded, theme), 1, 0),
    );
  pi.registerMessageRenderer(
    WORDS_MESSAGE,
    ({ content }, _options, theme) => new Text(`${theme.fg("accent", "›")} ${plain(content)}`, 1, 0),
  );
}

/** One line is enough: the list stands in the tool results and the footer. */
export function themedNudge(text: string, expanded: boolean, theme: Pick<Theme, "fg">): string {
  const shown = expanded ? text : text.slice(0, text.indexOf("\n") < 0 ? undefined : text.indexOf("\n"));
  return `${theme.fg("accent", "↻")} ${theme.fg("dim", shown)}`;
}

const plain = (content: string | readonly { readonly type: string; readonly text?: string }[]): string =>
  typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("");
