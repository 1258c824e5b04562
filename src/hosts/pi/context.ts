import type { ContextEvent } from "@earendil-works/pi-coding-agent";
import type { Run } from "../../core/run/index.ts";
import { contextText } from "../../core/words/index.ts";
import { WORDS_MESSAGE } from "./nudge-message.ts";

export const CONTEXT_MESSAGE = "til-done-context";

type Messages = ContextEvent["messages"];

/**
 * The open items, told with the user's words and only then: the request that answers them sees the list, the transcript
 * never holds it, and so nothing piles up. A continuation carries its own list; where a compaction in the middle of a turn
 * took it, it is told behind the summary, in the same words with every request: a provider's cache ends at the first letter
 * that differs from the request before.
 */
export function createContext(): (messages: Messages, run: Run | undefined) => Messages | undefined {
  const kept = new Map<string, string>();
  return (messages, run) => {
    const place = run?.status === "live" ? placeIn(messages) : -1;
    const text = run && place >= 0 ? contextText(run) : "";
    const anchor = messages[place];
    if (anchor && isSummary(anchor) && text !== "" && !kept.has(keyOf(anchor))) kept.set(keyOf(anchor), text);
    const told = messages.flatMap((message, at) => {
      const content = kept.get(keyOf(message)) ?? (at === place ? text : "");
      return content === "" ? [message] : [message, spoken(content, message.timestamp)];
    });
    return told.length === messages.length ? undefined : told;
  };
}

/** Behind which message the list is told; -1: it is not. */
function placeIn(messages: Messages): number {
  if (isOfHuman(messages.at(-1))) return messages.length - 1;
  const summary = messages.findLastIndex(isSummary);
  const hasWords = messages.slice(summary + 1).some(({ role }) => role === "user" || role === "custom");
  return hasWords ? -1 : summary;
}

const isSummary = ({ role }: Messages[number]): boolean => role === "compactionSummary";

const keyOf = ({ role, timestamp }: Messages[number]): string => `${role} ${timestamp}`;

const spoken = (content: string, timestamp: number) =>
  ({ role: "custom", customType: CONTEXT_MESSAGE, content, display: false, timestamp }) as const;

/** Typed, or brought from the run's queue. */
const isOfHuman = (message: Messages[number] | undefined): boolean =>
  message?.role === "user" || (message?.role === "custom" && message.customType === WORDS_MESSAGE);
