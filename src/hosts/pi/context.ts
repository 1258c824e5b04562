import type { ContextEvent } from "@earendil-works/pi-coding-agent";
import type { Run } from "../../core/run/index.ts";
import { contextText } from "../../core/words/index.ts";

export const CONTEXT_MESSAGE = "til-done-context";

/**
 * The open items, told with the human's words and only then: the request that answers them sees the list, the transcript
 * never holds it, and so nothing piles up. A continuation carries its own list.
 */
export function withContext(
  messages: ContextEvent["messages"],
  run: Run | undefined,
  now: number,
): ContextEvent["messages"] | undefined {
  if (run?.status !== "live" || messages.at(-1)?.role !== "user") return undefined;
  const content = contextText(run);
  if (content === "") return undefined;
  return [...messages, { role: "custom", customType: CONTEXT_MESSAGE, content, display: false, timestamp: now }];
}
