import type { Usage } from "../../core/run/index.ts";
import { amount, fields, type Line, type ReadSpend } from "../host-process.ts";

/** Codex writes the sum of the session into its rollout after each answer, and into its output when the turn is over. */
export const spendReader = (): ReadSpend => (line) => {
  if (line.type === "turn.completed") return { of: "session", usage: openai(fields(line.usage)) };
  const { type, info } = fields(line.payload);
  if (line.type !== "event_msg" || type !== "token_count") return undefined;
  return { of: "session", usage: openai(fields(fields(info).total_token_usage)) };
};

/** What was read from a cache is part of the input there. */
function openai(usage: Line): Usage {
  const [cacheRead, cacheWrite] = [amount(usage.cached_input_tokens), amount(usage.cache_write_input_tokens)];
  const input = Math.max(0, amount(usage.input_tokens) - cacheRead - cacheWrite);
  return { input, output: amount(usage.output_tokens), cacheRead, cacheWrite, cost: 0 };
}
