import type { CallEvent } from "../call/index.ts";
import type { Asked } from "../question/index.ts";
import type { Reset, StopReason } from "../reason/index.ts";
import type { Attempt, Spoken } from "../speaker/index.ts";
import type { Check, TodoEvent } from "../todo/index.ts";
import type { WorkflowEvent } from "../workflow/index.ts";
import type { Budget } from "./budget.ts";
import type { Decision, NudgeKind } from "./decision.ts";
import type { Braked } from "./pace.ts";
import type { Failure, Launch, Millis, Origin, Plan, QueuedWords, Receipt, Requirement, Round, Turn } from "./run.ts";
import type { Timebase } from "./timebase.ts";

/** Everything that can stand in a log. `v` of the envelope counts up when the meaning of a type changes. */
export type RunEvent = PlanEvent | LedgerEvent | CallEvent;

/** What a host's session tree may rewind. */
export type PlanEvent = TodoEvent | WorkflowEvent;

export type Actor = "human" | "plan" | "model" | "subagent" | "engine" | "host";

export interface Envelope {
  readonly seq: number;
  readonly at: Millis;
  readonly by: Actor;
  readonly v: number;
  readonly event: RunEvent & Said;
}

/** One that the log has not numbered yet. */
export type NewEvent = Omit<Envelope, "seq">;

/** Stands on every event that you caused, whatever its type, and on what was refused in your name. */
export interface Said {
  /** Where you said it; absent in old logs, and where nobody looked. */
  readonly from?: Spoken;
}

export const EVENT_VERSION = 1;

export type LedgerEvent =
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
  | { readonly type: "plan.rebased"; readonly plan: Plan }
  | { readonly type: "continuation.switched"; readonly on: boolean }
  | { readonly type: "human.spoke" }
  | { readonly type: "human.held"; readonly now: boolean; readonly batch?: HoldBatch }
  | { readonly type: "human.unheld" }
  /** The person continues a run: what stopped it is set back, and its boundary is a new one. Limits and checks given with it hold from now on. */
  | {
      readonly type: "human.resumed";
      readonly reasons: readonly StopReason[];
      readonly resets: readonly Reset[];
      readonly boundary?: string;
      readonly budget?: Budget;
      readonly checks?: readonly Check[];
    }
  | { readonly type: "human.interrupted"; readonly how: InterruptHow }
  | { readonly type: "human.accepted" }
  | { readonly type: "budget.extended"; readonly budget: Budget }
  | { readonly type: "words.queued"; readonly words: QueuedWords }
  | { readonly type: "words.edited"; readonly id: string; readonly text: string }
  | { readonly type: "words.removed"; readonly id: string }
  /** Handed to the host; until it is known what became of them they are handed to nobody else. */
  | { readonly type: "words.sent"; readonly ids: readonly string[] }
  | { readonly type: "words.delivered"; readonly ids: readonly string[] }
  /**
   * They did not reach the agent and wait again. `lost`: nobody refused them; the process that was to say them is gone, and
   * they are due at once.
   */
  | {
      readonly type: "words.failed";
      readonly ids: readonly string[];
      readonly message: string;
      readonly lost?: boolean;
    }
  | {
      readonly type: "turn.started";
      readonly turn: string;
      readonly cause: Turn["cause"];
      /** What it begins with, and what bears its cost. */
      readonly todo?: string;
    }
  | {
      readonly type: "turn.ended";
      readonly turn: string;
      readonly end?: string;
      readonly boundary: string;
      readonly outcome: TurnOutcome;
      readonly failure?: Failure;
      /** It ended with a question that is yours to answer. */
      readonly question: boolean;
      /** What it asked, in its own words; absent in old logs. */
      readonly asks?: Asked;
      /** What its answers did not tell before. */
      readonly usage: Usage;
      readonly activeMs: Millis;
      readonly workspace?: string;
      /** The todo that the turn worked on and that bears its cost. */
      readonly todo?: string;
    }
  /** A model answer of the running turn is finished, or was cut: then what it used is estimated. */
  | {
      readonly type: "answer.seen";
      readonly turn: string;
      readonly usage: Usage;
      readonly estimated?: boolean;
      readonly cut?: boolean;
      /** Calls that it makes; absent: the host does not tell. */
      readonly calls?: number;
      /** The state of the files, where somebody looked. */
      readonly workspace?: string;
      readonly unpriced?: boolean;
      readonly todo?: string;
    }
  /** The answer under way, and what it has used so far by estimate. */
  | { readonly type: "answer.growing"; readonly turn: string; readonly usage: Usage }
  /** A call of the running turn ended as it did before. */
  | {
      readonly type: "result.seen";
      readonly turn?: string;
      readonly call: string;
      readonly tool?: string;
      readonly state?: string;
    }
  /** We end the turn. */
  | {
      readonly type: "turn.braked";
      readonly turn: string;
      readonly reason: StopReason;
      readonly detail?: string;
      readonly how: Braked["how"];
    }
  /** What an agent that this run started has used, on top of the turn's own. */
  | { readonly type: "usage.spent"; readonly usage: Usage; readonly todo?: string }
  /** It had not ended: calls of the same answer followed. From now on it is called `turn`. */
  | { readonly type: "turn.resumed"; readonly turn: string; readonly of: string }
  /** Its process died: the turn is over without an end of its own. */
  | { readonly type: "turn.cut"; readonly turn: string; readonly boundary: string }
  | { readonly type: "workspace.observed"; readonly workspace: string }
  | { readonly type: "tool.began"; readonly turn: string }
  | {
      readonly type: "activity.seen";
      readonly turn?: string;
      readonly call?: string;
      readonly state?: string;
      /** The files were looked at, and they are none that were not seen before. */
      readonly looked?: boolean;
    }
  | { readonly type: "question.opened"; readonly id: string; readonly text?: string }
  | { readonly type: "question.closed"; readonly id: string }
  | { readonly type: "recovery.began"; readonly until: Millis }
  | { readonly type: "recovery.ended" }
  | { readonly type: "compaction.began"; readonly until: Millis }
  | { readonly type: "compaction.ended" }
  | {
      readonly type: "background.changed";
      readonly agents: number;
      readonly awaited: number;
      /** All commands that run there, awaited or not, where the host tells. */
      readonly commands?: number;
      readonly until: Millis;
    }
  | { readonly type: "mode.changed"; readonly readOnly: boolean }
  | ({ readonly type: "model.chosen" } & ModelChoice)
  | { readonly type: "decision.made"; readonly boundary: string; readonly decision: Decision }
  | {
      readonly type: "wait.parked";
      readonly boundary: string;
      readonly waker: string;
      /** Only the human's word wakes it. */
      readonly forHuman?: boolean;
    }
  | { readonly type: "nudge.intended"; readonly nudge: string; readonly boundary: string; readonly kind: NudgeKind }
  | { readonly type: "nudge.delivered"; readonly nudge: string }
  | { readonly type: "nudge.failed"; readonly nudge: string; readonly message: string }
  | { readonly type: "nudge.withdrawn"; readonly nudge: string; readonly why: string }
  | {
      readonly type: "round.began";
      readonly round: string;
      readonly purpose: Round["purpose"];
      readonly ids: readonly string[];
      readonly until: Millis;
      readonly leaving?: Round["leaving"];
    }
  | {
      readonly type: "round.ended";
      readonly round: string;
      readonly receipts: readonly Receipt[];
      /** Why it did not run to its end, if so. */
      readonly cut?: string;
      /** It was stopped from outside and may be run anew at this boundary; one that could not run may not. */
      readonly again?: boolean;
    }
  /** The agent ran a check itself, one that nobody runs for it. */
  | { readonly type: "check.observed"; readonly receipt: Receipt }
  /** What the checks of these owners rely on was fingerprinted. `guard` names what was kept of it. */
  | { readonly type: "guard.taken"; readonly guard: string; readonly owners: readonly string[] }
  /** The time of day was set, or the machine slept: by so much the run's own times are moved along. Zero: from now on they are measured. */
  | { readonly type: "clock.moved"; readonly by: Millis; readonly timebase: Timebase }
  | { readonly type: "host.failed"; readonly where: string; readonly message: string }
  /** Files of the project that are not applied from now on; none: all are. */
  | { readonly type: "config.dropped"; readonly files: readonly DroppedFile[] }
  /** The agent said through its shell what only you may say, and was refused. `isLast`: more of this kind are not written down. */
  | {
      readonly type: "attempt.refused";
      readonly attempt: Attempt;
      /** The command as it was typed. */
      readonly text: string;
      readonly because: string;
      readonly isLast?: boolean;
    }
  /** Its process ended within a turn, and nothing shows why. */
  | { readonly type: "host.left" };

/** A file of settings that counts for nothing, and why. `file` is our own name for it: what it says stands in `says` only. */
export interface DroppedFile {
  readonly file: string;
  readonly line?: number;
  readonly says: string;
}

/** The model as you named it; a resumed run asks the same one. */
export interface ModelChoice {
  readonly model?: string;
  readonly baseUrl?: string;
}

/** One word of yours may hold several runs; `unhold` releases them together. */
export interface HoldBatch {
  readonly id: string;
  /** Where it was said. */
  readonly cwd: string;
}

export type TurnOutcome = "completed" | "aborted" | "failed";
export type InterruptHow = "abort" | "key" | "dismissed" | "denied" | "signal";

/** What a turn used; a host that cannot measure reports zeros and says so in its capabilities. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cost: number;
}
export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 };
