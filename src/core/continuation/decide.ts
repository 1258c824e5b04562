import type { Run } from "../run/index.ts";
import type { Limits } from "./limits.ts";
import type { StopReason, WaitReason } from "./reasons.ts";
import { RULES, type Rule } from "./rules.ts";
import type { Step } from "./step.ts";

/** What to do at a boundary. `rule` names the row that spoke, so that every answer can be explained. */
export type Decision =
  | {
      readonly type: "continue";
      readonly rule: string;
      readonly kind: NudgeKind;
      readonly step: Step;
      readonly after: number;
    }
  | {
      readonly type: "wait";
      readonly rule: string;
      readonly reason: WaitReason;
      readonly until?: number;
      readonly detail?: string;
    }
  | { readonly type: "stop"; readonly rule: string; readonly reason: StopReason; readonly detail?: string };

/** What kind of text starts the next turn; it follows the step. */
export type NudgeKind = "todo" | "phase" | "requirement" | "write_list" | "question" | "wind_down";

/** First rule that speaks wins; the last one always speaks. */
export function decide(run: Run, limits: Limits, now: number, rules: readonly Rule[] = RULES): Decision {
  for (const rule of rules) {
    const answer = rule.says(run, limits, now);
    if (answer) return { ...answer, rule: rule.name };
  }
  throw new Error("the last rule always speaks");
}

/** The same answer, whenever it was given. */
export function isSameDecision(a: Decision | undefined, b: Decision): boolean {
  return a !== undefined && signature(a) === signature(b);
}

const signature = (decision: Decision): string =>
  decision.type === "continue"
    ? `continue ${decision.kind} ${JSON.stringify(decision.step)}`
    : decision.type === "wait"
      ? `wait ${decision.reason} ${decision.until}`
      : `stop ${decision.reason} ${decision.detail}`;
