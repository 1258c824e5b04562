import type { ContextEvent } from "@earendil-works/pi-coding-agent";
import type { Run } from "../../core/run/index.ts";
import { contextText } from "../../core/words/index.ts";
import { WORDS_MESSAGE } from "./nudge-message.ts";

export const CONTEXT_MESSAGE = "til-done-context";

/**
 * The open items, told with the human's words and only then: the request that answers them sees the list, the transcript
 * never holds it, and so nothing piles up. A continuation carries its own list; where a compaction in the middle of a turn
 * took it, it is told behind the summary.
 */
export function withContext(
  messages: ContextEvent["messages"],
  run: Run | undefined,
  now: number,
): ContextEvent["messages"] | undefined {
  const at = run?.status === "live" ? placeIn(messages) : undefined;
  const content = run && at !== undefined ? contextText(run) : "";
  if (at === undefined || content === "") return undefined;
  return messages.toSpliced(at, 0, {
    role: "custom",
    customType: CONTEXT_MESSAGE,
    content,
    display: false,
    timestamp: now,
  });
}

function placeIn(messages: ContextEvent["messages"]): number | undefined {
  if (isOfHuman(messages.at(-1))) return messages.length;
  const summary = messages.findLastIndex(({ role }) => role === "compactionSummary");
  const hasWords = messages.slice(summary + 1).some(({ role }) => role === "user" || role === "custom");
  return summary >= 0 && !hasWords ? summary + 1 : undefined;
}

/** Typed, or brought from the run's queue. */
const isOfHuman = (message: ContextEvent["messages"][number] | undefined): boolean =>
  message?.role === "user" || (message?.role === "custom" && message.customType === WORDS_MESSAGE);
