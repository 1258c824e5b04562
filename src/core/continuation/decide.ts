import type { Decision, Run } from "../run/index.ts";
import type { Limits } from "./limits.ts";
import { RULES, type Rule } from "./rules.ts";

/** First rule that speaks wins; the last one always speaks. */
export function decide(run: Run, limits: Limits, now: number, rules: readonly Rule[] = RULES): Decision {
  for (const rule of rules) {
    const answer = rule.says(run, limits, now);
    if (answer) return { ...answer, rule: rule.name };
  }
  throw new Error("the last rule always speaks");
}
