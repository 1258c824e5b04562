import type { StopReason, WaitReason } from "../reason/index.ts";
import type { TodoId } from "../todo/index.ts";
import type { Requirement } from "./run.ts";

/** What this version decides at a boundary. `rule` names the row that spoke, so that every answer can be explained. */
export type Decision = DecisionFor<StopReason, WaitReason>;

/** What stands in a log: a newer version may have decided for a reason that this one does not know. */
export type StoredDecision = DecisionFor<string, string>;

type DecisionFor<Stop, Wait> =
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
      readonly reason: Wait;
      readonly until?: number;
      readonly detail?: string;
    }
  | { readonly type: "stop"; readonly rule: string; readonly reason: Stop; readonly detail?: string };

/** What kind of text starts the next turn; it follows the step. */
export type NudgeKind = "todo" | "phase" | "requirement" | "write_list" | "question" | "wind_down";

/** The next piece of open work: a todo, else a phase, else a requirement no todo covers, else the list itself. */
export type Step =
  | { readonly type: "todo"; readonly id: TodoId; readonly index: number }
  | { readonly type: "phase"; readonly phase: string }
  | { readonly type: "requirement"; readonly requirement: Requirement }
  | { readonly type: "write_list" };

/** The same answer, whenever it was given. */
export function isSameDecision(a: StoredDecision | undefined, b: StoredDecision): boolean {
  return a !== undefined && signature(a) === signature(b);
}

const signature = (decision: StoredDecision): string =>
  decision.type === "continue"
    ? `continue ${decision.kind} ${JSON.stringify(decision.step)}`
    : decision.type === "wait"
      ? `wait ${decision.reason} ${decision.until}`
      : `stop ${decision.reason} ${decision.detail}`;
