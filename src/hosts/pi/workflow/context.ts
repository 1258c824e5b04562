import type { ContextEvent } from "@earendil-works/pi-coding-agent";
import { contextBlock, type WorkflowState } from "../../../core/workflow/index.ts";

export const WORKFLOW_CONTEXT = "workflow:context";

/**
 * The current phase, told at every request and kept nowhere. It stands behind the words that the turn began with: what
 * comes after them only grows, so that a provider's cache holds until the phase changes.
 */
export function withWorkflow(
  messages: ContextEvent["messages"],
  state: WorkflowState | undefined,
  now: number,
): ContextEvent["messages"] | undefined {
  const content = contextBlock(state);
  if (content === undefined) return undefined;
  const words = messages.findLastIndex(({ role }) => role === "user" || role === "custom");
  const block = { role: "custom", customType: WORKFLOW_CONTEXT, content, display: false, timestamp: now } as const;
  return [...messages.slice(0, words + 1), block, ...messages.slice(words + 1)];
}
