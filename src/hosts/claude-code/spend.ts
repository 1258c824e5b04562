import { NO_USAGE, type Usage } from "../../core/run/index.ts";
import { amount, fields, type Line, type ReadSpend, type SpendTold } from "../host-process.ts";

/**
 * Claude Code prints the pieces of each answer: what was read stands in the first, what was written in the last. What all of it
 * cost is told once, at the end.
 */
export function spendReader(): ReadSpend {
  const running = new Map<string, SpendTold>();
  return ({ type, event, parent_tool_use_id, total_cost_usd }) => {
    if (type === "result") return { of: "the whole", usage: { ...NO_USAGE, cost: amount(total_cost_usd) } };
    if (type !== "stream_event") return undefined;
    const { type: what, message, usage } = fields(event);
    const agent = String(parent_tool_use_id ?? "");
    if (what === "message_start") {
      const { id, usage: first } = fields(message);
      const told = { of: String(id), usage: anthropic(fields(first)) };
      running.set(agent, told);
      return told;
    }
    const begun = what === "message_delta" ? running.get(agent) : undefined;
    return begun && { of: begun.of, usage: greatest(begun.usage, anthropic(fields(usage))) };
  };
}

const anthropic = (usage: Line): Usage => ({
  input: amount(usage.input_tokens),
  output: amount(usage.output_tokens),
  cacheRead: amount(usage.cache_read_input_tokens),
  cacheWrite: amount(usage.cache_creation_input_tokens),
  cost: 0,
});

const greatest = (a: Usage, b: Usage): Usage => ({
  input: Math.max(a.input, b.input),
  output: Math.max(a.output, b.output),
  cacheRead: Math.max(a.cacheRead, b.cacheRead),
  cacheWrite: Math.max(a.cacheWrite, b.cacheWrite),
  cost: Math.max(a.cost, b.cost),
});
