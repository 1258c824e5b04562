import { countedTokens, type Run } from "../run/index.ts";

/** What had been used up to a moment. */
export interface SpendPoint {
  readonly at: number;
  readonly tokens: number;
  readonly cost: number;
}

const MOST = 400;

/** Tokens and cost over time. A long run keeps its shape and not each of its points. */
export function collectSpend() {
  let points: SpendPoint[] = [];
  let last: Run["ledger"]["spent"] | undefined;
  return {
    /** `run` is the run after the event. */
    add(at: number, { ledger: { spent } }: Run): void {
      if (spent === last) return;
      last = spent;
      const point = { at, tokens: countedTokens(spent), cost: spent.cost };
      const before = points.at(-1);
      if (before?.tokens === point.tokens && before.cost === point.cost) return;
      points.push(point);
      if (points.length >= 2 * MOST) points = points.filter((_, index) => index % 2 === 1);
    },
    all: (): readonly SpendPoint[] => [...points],
  };
}
