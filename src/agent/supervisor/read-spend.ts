import { NO_USAGE, type Usage } from "../../core/run/index.ts";
import { fields, type Line } from "./line.ts";

/** What a host tells about one thing that it counts: an answer, a session. Later words about the same thing replace earlier ones. */
export interface SpendTold {
  readonly of: string;
  readonly usage: Usage;
}

/** Reads the lines of one process, in order: of its output, or of the file in which it keeps the session. */
export type ReadSpend = (line: Line) => SpendTold | undefined;

/**
 * Claude Code prints the pieces of each answer: what was read stands in the first, what was written in the last. What all of it
 * cost is told once, at the end.
 */
export function claudeSpend(): ReadSpend {
  const running = new Map<string, SpendTold>();
  return ({ type, event, parent_tool_use_id, total_cost_usd }) => {
    if (type === "result") return { of: "the whole", usage: { ...NO_USAGE, cost: number(total_cost_usd) } };
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
  input: number(usage.input_tokens),
  output: number(usage.output_tokens),
  cacheRead: number(usage.cache_read_input_tokens),
  cacheWrite: number(usage.cache_creation_input_tokens),
  cost: 0,
});

/** Codex writes the sum of the session into its rollout after each answer, and into its output when the turn is over. */
export const codexSpend = (): ReadSpend => (line) => {
  if (line.type === "turn.completed") return { of: "session", usage: openai(fields(line.usage)) };
  const { type, info } = fields(line.payload);
  if (line.type !== "event_msg" || type !== "token_count") return undefined;
  return { of: "session", usage: openai(fields(fields(info).total_token_usage)) };
};

/** What was read from a cache is part of the input there. */
function openai(usage: Line): Usage {
  const [cacheRead, cacheWrite] = [number(usage.cached_input_tokens), number(usage.cache_write_input_tokens)];
  const input = Math.max(0, number(usage.input_tokens) - cacheRead - cacheWrite);
  return { input, output: number(usage.output_tokens), cacheRead, cacheWrite, cost: 0 };
}

/** Gemini CLI keeps each message with its tokens, and writes it again when its calls have ended. */
export const geminiSpend =
  (): ReadSpend =>
  ({ type, id, tokens }) => {
    if (type !== "gemini" || tokens === undefined) return undefined;
    const { input, output, cached, thoughts, tool } = fields(tokens);
    const cacheRead = number(cached);
    const read = Math.max(0, number(input) - cacheRead) + number(tool);
    return {
      of: String(id),
      usage: { input: read, output: number(output) + number(thoughts), cacheRead, cacheWrite: 0, cost: 0 },
    };
  };

const number = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);

const greatest = (a: Usage, b: Usage): Usage => ({
  input: Math.max(a.input, b.input),
  output: Math.max(a.output, b.output),
  cacheRead: Math.max(a.cacheRead, b.cacheRead),
  cacheWrite: Math.max(a.cacheWrite, b.cacheWrite),
  cost: Math.max(a.cost, b.cost),
});
