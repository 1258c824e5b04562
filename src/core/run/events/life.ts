import { clipLine } from "../../text/index.ts";
import type { Check } from "../../todo/index.ts";
import type { Budget } from "../budget.ts";
import { freshBoundary } from "../evolve-resume.ts";
import { afterId } from "../evolve-todo-ledgers.ts";
import type { Launch, Origin, Plan, Requirement } from "../run.ts";
import { withState } from "../seen.ts";
import type { Timebase } from "../timebase.ts";
import {
  amount,
  budget,
  check,
  flag,
  list,
  maybe,
  object,
  oneOf,
  requirement,
  text,
  texts,
  timebase,
  todo,
  workflow,
} from "./form.ts";
import { TEXT } from "./line.ts";
import type { Rows } from "./row.ts";

/** The life of a run: who it belongs to, who drives it, when it is over. */
export type LifeEvent =
  | {
      readonly type: "run.began";
      readonly run: string;
      readonly origin: Origin;
      readonly goal?: string;
      readonly budget: Budget;
      readonly checks: readonly Check[];
      readonly requirements: readonly Requirement[];
      /** Whether the host shows tool calls: without it, "done without any work seen" cannot be said. */
      readonly seesCalls: boolean;
      /** The workspace as it was before the run did anything. */
      readonly workspace?: string;
      readonly timebase?: Timebase;
    }
  | { readonly type: "run.bound"; readonly host: string; readonly session: string }
  | { readonly type: "run.claimed"; readonly driver: string; readonly epoch: number }
  /** The command line that started or resumed it, as far as the next `--resume` uses it again. */
  | { readonly type: "run.launched"; readonly launch: Launch }
  | { readonly type: "run.ended"; readonly reason: string }
  /** You let the proposed checks of a finished run speak: it is judged anew at this boundary. */
  | { readonly type: "run.reopened"; readonly boundary: string }
  | { readonly type: "plan.rebased"; readonly plan: Plan };

export function lifeEvents(): Rows<LifeEvent> {
  return {
    "run.began": {
      v: 1,
      means: "A run began, with its goal, budgets, checks and requirements.",
      line: (event) =>
        `began on ${event.origin.host}${event.goal === undefined ? "" : `: ${clipLine(event.goal, TEXT)}`}`,
      fields: {
        run: text,
        origin: object({ host: text, session: text, cwd: text }),
        goal: maybe(text),
        budget,
        checks: list(check),
        requirements: list(requirement),
        seesCalls: flag,
        workspace: maybe(text),
        timebase: maybe(timebase),
      },
      fold: ({ ledger, ...run }, event, { at }) => {
        const { run: id, origin, goal, budget, checks, requirements, seesCalls, workspace, timebase } = event;
        return {
          ...run,
          id,
          status: "live",
          origin,
          ...(goal !== undefined && { goal }),
          ledger: {
            ...ledger,
            began: at,
            budget,
            checks,
            requirements,
            seesCalls,
            ...(timebase && { timebase }),
            ...(workspace !== undefined && { workspace, seen: withState(ledger.seen, workspace) }),
          },
        };
      },
    },
    "run.bound": {
      v: 1,
      means: "The run was bound to another session of a host.",
      line: (event) => `bound to ${event.host} session ${event.session}`,
      fields: { host: text, session: text },
      fold: (run, { host, session }) => ({ ...run, origin: { ...run.origin, host, session } }),
    },
    "run.claimed": {
      v: 1,
      means: "A process took the run over; older ones can no longer change it.",
      line: (event) => `taken over by process ${event.driver} (number ${event.epoch})`,
      fields: { driver: text, epoch: amount },
      fold: (run, { driver, epoch }) => {
        const { ledger } = run;
        return epoch <= ledger.claim.epoch ? run : { ...run, ledger: { ...ledger, claim: { driver, epoch } } };
      },
    },
    "run.launched": {
      v: 1,
      means:
        "How `tildone run` started or resumed it: host, its arguments and where todos begin, for the next `--resume`.",
      line: (event) => `started by tildone run, with ${event.launch.host ?? "its own agent"}`,
      fields: {
        launch: object({
          host: maybe(text),
          agent: maybe(text),
          hostArgs: maybe(texts),
          context: maybe(oneOf("same", "fresh", "auto")),
          contextEvery: maybe(amount),
          approval: maybe(text),
        }),
      },
      fold: ({ ledger, ...run }, event) => ({ ...run, ledger: { ...ledger, launch: event.launch } }),
    },
    "run.ended": {
      v: 1,
      means: "The run ended; the next list begins a new one.",
      line: (event) => `ended: ${event.reason}`,
      fields: { reason: text },
      fold: ({ ledger, ...run }, event) => ({
        ...run,
        status: "ended",
        ledger: { ...ledger, endReason: event.reason },
      }),
    },
    "run.reopened": {
      v: 1,
      means: "A finished run is open again: you ran proposed checks, or undid work.",
      fields: { boundary: text },
      fold: ({ ledger, ...run }, event, { at }) => {
        const { endReason: _over, decision: _heldThen, ...rest } = ledger;
        const { boundary: id } = event;
        const boundary = freshBoundary(id, at);
        return { ...run, status: "live", ledger: { ...rest, boundaries: ledger.boundaries + 1, boundary } };
      },
    },
    "plan.rebased": {
      v: 1,
      means: "List and workflow position were set to another branch of the host's session.",
      fields: { plan: object({ todos: list(todo), workflow: maybe(workflow) }) },
      fold: ({ ledger, ...run }, event) => {
        const { plan } = event;
        return {
          ...run,
          plan,
          ledger: {
            ...ledger,
            // The files do not go back with the branch: a phase is judged by what changes from here on.
            ...(ledger.workspace !== undefined && { phaseWorkspace: ledger.workspace }),
            nextTodoId: Math.max(ledger.nextTodoId, ...plan.todos.map(({ id }) => afterId(id))),
          },
        };
      },
    },
  };
}
