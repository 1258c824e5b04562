import type { Config } from "../../config/index.ts";
import type { Usage } from "../../core/run/index.ts";
import type { AssistantWords } from "./translate.ts";

/** What a model asks for its tokens, per million, as pi's list of models says. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** A model that pi has no price of: what it costs cannot be known. */
export const isUnpriced = (prices: Prices | undefined): boolean =>
  prices === undefined || prices.input + prices.output + prices.cacheRead + prices.cacheWrite === 0;

/** Why a cost budget cannot be kept with this model; undefined: it can, or there is none. */
export function unknownCost(
  { budget, limits }: Pick<Config, "budget" | "limits">,
  model: { readonly provider: string; readonly id: string; readonly cost: Prices } | undefined,
): string | undefined {
  const isLimited = budget.cost !== undefined || limits.perTodo.cost !== undefined;
  if (!isLimited || !model || !isUnpriced(model.cost)) return undefined;
  return `the cost of ${model.provider}/${model.id} is not known, so a cost budget cannot be enforced. Limit its tokens instead, or give the model a price in pi's models.json.`;
}

const CHARACTERS_PER_TOKEN = 4;

/**
 * What an answer used, where the provider does not tell: its text, and the request it answers. Where earlier answers were read from a cache, so is what the
 * request has in common with them.
 */
export function estimateUsage(
  characters: { readonly asked: number; readonly answered: number },
  before: Usage | undefined,
  prices: Prices | undefined,
): Usage {
  const asked = Math.ceil(characters.asked / CHARACTERS_PER_TOKEN);
  const output = Math.ceil(characters.answered / CHARACTERS_PER_TOKEN);
  const known = before && before.cacheRead > 0 ? before.input + before.cacheRead + before.cacheWrite : 0;
  const cacheRead = Math.min(asked, known);
  const tokens = { input: asked - cacheRead, output, cacheRead, cacheWrite: 0 };
  return { ...tokens, cost: costOf(tokens, prices) };
}

function costOf(tokens: Omit<Usage, "cost">, prices: Prices | undefined): number {
  if (!prices) return 0;
  const { input, output, cacheRead, cacheWrite } = tokens;
  return (
    (input * prices.input + output * prices.output + cacheRead * prices.cacheRead + cacheWrite * prices.cacheWrite) /
    1_000_000
  );
}

/** What the provider told; undefined when it told nothing. */
export function toldUsage({ usage }: AssistantWords): Usage | undefined {
  if (!usage || usage.input + usage.output + usage.cacheRead + usage.cacheWrite <= 0) return undefined;
  return {
    input: usage.input,
    output: usage.output,
    cacheRead: usage.cacheRead,
    cacheWrite: usage.cacheWrite,
    cost: usage.cost.total,
  };
}

/** Length of everything that a model reads or writes in these messages. */
export const charactersIn = (value: unknown): number => {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, part) => sum + charactersIn(part), 0);
};
