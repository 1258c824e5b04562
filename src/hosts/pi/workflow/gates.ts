import type { ExtensionAPI, MessageEndEvent, ToolCallEventResult } from "@earendil-works/pi-coding-agent";
import { gate, type WorkflowState } from "../../../core/workflow/index.ts";
import { kindsOf } from "./tool-kinds.ts";

type Tools = Pick<ExtensionAPI, "getActiveTools" | "setActiveTools">;

/**
 * What the phase forbids is refused when it is called, and not offered in the first place. The refusal is the authority;
 * what is not offered is remembered, so that exactly that comes back.
 */
export function createGates(pi: Tools) {
  let hidden: readonly string[] = [];
  let order: readonly string[] = [];

  return { judge, follow, explain, restore: () => offer(() => true) };

  function judge(state: WorkflowState | undefined, tool: string): ToolCallEventResult | undefined {
    const answer = gate(state, tool, kindsOf(tool));
    return answer.allowed ? undefined : { block: true, reason: answer.reason };
  }

  /** Offers the tools of the phase; without a workflow, those that were there before. */
  function follow(state: WorkflowState | undefined): void {
    if (state?.status !== "active" && hidden.length === 0) return;
    offer((tool) => gate(state, tool, kindsOf(tool)).allowed);
  }

  function offer(isAllowed: (tool: string) => boolean): void {
    const active = pi.getActiveTools();
    if (hidden.length === 0) order = active;
    const all = [...order, ...active.filter((tool) => !order.includes(tool))];
    const ours = all.filter((tool) => active.includes(tool) || hidden.includes(tool));
    const offered = ours.filter(isAllowed);
    hidden = ours.filter((tool) => !offered.includes(tool));
    if (offered.join("\n") !== active.join("\n")) pi.setActiveTools(offered);
  }

  /** pi says of a tool that is not offered that it does not exist; the reason is that the phase forbids it. */
  function explain(state: WorkflowState | undefined, message: MessageEndEvent["message"]): typeof message | undefined {
    if (message.role !== "toolResult" || !message.isError || !hidden.includes(message.toolName)) return undefined;
    const [said] = message.content;
    const reason = judge(state, message.toolName)?.reason;
    if (reason === undefined || said?.type !== "text" || !/^Tool .* not found$/.test(said.text)) return undefined;
    return { ...message, content: [{ type: "text", text: reason }] };
  }
}

export type Gates = ReturnType<typeof createGates>;
