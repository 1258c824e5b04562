import type { CallEvent, Outcome } from "../call/index.ts";
import type { Limits } from "../continuation/index.ts";
import type { BoxStatus } from "../plan/index.ts";
import type {
  Budget,
  Button,
  Channel,
  Checkpoint,
  CheckpointMoment,
  DroppedFile,
  Envelope,
  Failure,
  FirstResult,
  HoldBatch,
  InterruptHow,
  Launch,
  ModelChoice,
  NotifyKind,
  Origin,
  Plan,
  QueuedWords,
  Receipt,
  Requirement,
  Timebase,
  TurnOutcome,
  Usage,
} from "../run/index.ts";
import type { Attempt, Spoken } from "../speaker/index.ts";
import type { Check, EditCommand, HumanEdit, NativeItem, WriteRequest } from "../todo/index.ts";
import type { StartCommand, StepAction } from "../workflow/index.ts";

/** What the world tells a run. Facts are in the past tense, requests in the present. */
export type Trigger =
  // the list
  | ({
      readonly type: "todos.write";
      readonly write: WriteRequest;
      /** How the items stand already, one for each that is written: you say so, in the plan that the list is from. */
      readonly standing?: readonly BoxStatus[];
      readonly by: Writer;
      readonly batch?: string;
    } & Guarded)
  | ({
      readonly type: "todos.edit";
      readonly edit: EditCommand;
      readonly by: Writer;
      readonly batch?: string;
    } & Guarded)
  | { readonly type: "todos.human_edit"; readonly edit: HumanEdit }
  /** The host's own list as it stands now, translated at the door. */
  | ({ readonly type: "todos.mirror"; readonly items: readonly NativeItem[]; readonly by: Writer } & Guarded)
  /** The host's session stands elsewhere in its tree. `parent`: the run that this branch was forked from. */
  | { readonly type: "plan.rebase"; readonly plan: Plan; readonly parent?: string }
  | ({
      readonly type: "workflow.start";
      readonly start: Omit<StartCommand, "type" | "now">;
      readonly workspace?: string;
    } & Guarded)
  | ({
      readonly type: "workflow.step";
      readonly action: StepAction;
      readonly summary?: string;
      readonly by: Writer;
      /** The workspace as it is now: what a phase that forbids writing is judged by, and where the next one begins. */
      readonly workspace?: string;
    } & Guarded)
  // what you do
  | ({ readonly type: "goal.set"; readonly goal?: string } & Guarded)
  | { readonly type: "human.spoke" }
  | { readonly type: "human.hold"; readonly now: boolean; readonly batch?: HoldBatch }
  | { readonly type: "human.unhold" }
  /** Your word to continue, with what you say, allow or ask for on top. Refused where something has to be done first. */
  | {
      readonly type: "human.resume";
      readonly words?: QueuedWords;
      readonly budget?: Budget;
      readonly checks?: readonly Check[];
    }
  | { readonly type: "human.interrupt"; readonly how: InterruptHow }
  /** `checks`: the checks that the agent proposed are run now; without it, what is done is signed off as it stands. */
  | { readonly type: "human.accept"; readonly checks?: "run" }
  | { readonly type: "human.extend"; readonly budget: Budget }
  | { readonly type: "human.clear" }
  /** The files of todos were taken back, or an undo was; `words` tell the agent. */
  | {
      readonly type: "human.undo";
      readonly undo: string;
      readonly ids: readonly string[];
      readonly before: Checkpoint;
      readonly after: Checkpoint;
      readonly steps: readonly { readonly from: string; readonly to: string }[];
      readonly redoes?: string;
      readonly words: QueuedWords;
    }
  /** An answer to a pending approval, named by its call or its digest; without `call`, to the only one. */
  | ({ readonly type: "human.answer"; readonly call?: string } & HumanAnswer)
  /** You pressed a button of a notification; `hash` is of its token. */
  | { readonly type: "human.press"; readonly hash: string }
  | { readonly type: "continuation.switch"; readonly on: boolean }
  | { readonly type: "words.queue"; readonly words: QueuedWords }
  | { readonly type: "words.edit"; readonly id: string; readonly text: string }
  | { readonly type: "words.remove"; readonly id: string }
  /** They stand in the answer that is about to be printed: written down first, because its process may not live to say more. */
  | { readonly type: "words.send"; readonly ids: readonly string[] }
  | { readonly type: "words.delivered"; readonly ids: readonly string[] }
  | { readonly type: "words.failed"; readonly ids: readonly string[]; readonly message: string }
  // the agent
  | {
      readonly type: "turn.started";
      readonly turn: string;
      readonly cause?: "human" | "nudge" | "host";
      /** Id of the nudge that it began with, where the host knows. */
      readonly nudge?: string;
      /** Ids of queued words that the agent has before its eyes as it begins, where the host can tell. */
      readonly words?: readonly string[];
    }
  /** What the workspace was when the running turn began: not work of this turn. */
  | { readonly type: "workspace.observed"; readonly workspace: string }
  | {
      readonly type: "turn.ended";
      /** The host's id of the turn; absent where the host has none: then the running turn ended. */
      readonly turn?: string;
      /** Names this very end, where the host may tell it twice and has no id of its own for the turn. */
      readonly end?: string;
      readonly outcome: TurnOutcome;
      readonly failure?: Failure;
      /** Ids of words on their way that the agent has before its eyes; absent: the host cannot tell. */
      readonly words?: readonly string[];
      /** The agent's last words, to see whether they ask something. */
      readonly text?: string;
      readonly usage?: Usage;
      readonly workspace?: string;
    }
  /** A model answer inside a turn is finished; `estimated`: it was cut, or its server reports no usage. */
  | {
      readonly type: "answer.seen";
      readonly turn?: string;
      readonly usage?: Usage;
      readonly estimated?: boolean;
      /** It did not come to its end: it failed, or was aborted. */
      readonly cut?: boolean;
      /** Calls that it makes, where the host tells. */
      readonly calls?: number;
      /** The model has no price: what it costs is not known. */
      readonly unpriced?: boolean;
      readonly workspace?: string;
    }
  /** An answer arrives: what it has used so far, estimated. Told about once a second, and recorded now and then. */
  | { readonly type: "answer.growing"; readonly turn?: string; readonly usage: Usage }
  /** Tools run from now on, where the host tells so before it tells of the answer that called them: the model may be silent. */
  | { readonly type: "tool.began"; readonly turn?: string }
  /** Whether the turn that runs has to end is asked anew: time passed, or a call is about to run. */
  | { readonly type: "turn.check" }
  /** The host is about to ask for the next answer of the turn, and could do so in a new conversation. */
  | { readonly type: "conversation.renew" }
  | {
      readonly type: "call.seen";
      readonly digest: string;
      readonly turn?: string;
      readonly tool?: string;
      /** A tool of ours: no activity, but a call like others when it is repeated. */
      readonly own?: boolean;
      /** A shell line that the agent ran, where the host shows it. */
      readonly command?: SeenCommand;
      /** The workspace after it, where it matters. */
      readonly workspace?: string;
    }
  /** An agent that this run started used something; the turns of the run do not count it. */
  | { readonly type: "usage.seen"; readonly usage: Usage }
  // the host
  | { readonly type: "question.opened"; readonly id: string; readonly text?: string }
  | { readonly type: "question.closed"; readonly id: string }
  | { readonly type: "recovery.began" | "recovery.ended" | "compaction.began" | "compaction.ended" }
  | {
      readonly type: "background.changed";
      readonly agents: number;
      readonly awaited: number;
      readonly commands?: number;
    }
  | { readonly type: "mode.changed"; readonly readOnly: boolean }
  | ({ readonly type: "model.chosen" } & ModelChoice)
  | { readonly type: "host.failed"; readonly where: string; readonly message: string }
  // notifications
  /** One of them is to leave; without an outcome by `until` its process died. */
  | {
      readonly type: "notification.send";
      readonly id: string;
      readonly channel: Channel;
      readonly until: number;
      readonly buttons: readonly Button[];
    }
  | {
      readonly type: "notification.sent";
      readonly id: string;
      readonly channel: Channel;
      readonly try: number;
      readonly outcome:
        | { readonly status: "delivered"; readonly said: string }
        | { readonly status: "failed"; readonly why: string; readonly retryAt?: number };
    }
  /** The command line refused this to the agent. */
  | {
      readonly type: "attempt.refused";
      readonly attempt: Attempt;
      readonly text: string;
      readonly because: string;
    }
  /** The host's process is gone; told by a process that outlived it. */
  | { readonly type: "host.left" }
  // the engine's own
  /** A process takes the run over. `goOn`: it may start turns by itself; `delivered`: ids of nudges and words that the session holds; `unanswered`: ids of calls that it holds no result of. */
  | {
      readonly type: "run.open";
      readonly driver: string;
      readonly goOn: boolean;
      readonly delivered?: readonly string[];
      readonly unanswered?: readonly string[];
    }
  /** `continues`: the one who drives it moves it to a new session of the same host, and what is on its way goes along. */
  | { readonly type: "run.bind"; readonly host: string; readonly session: string; readonly continues?: true }
  | { readonly type: "run.launch"; readonly launch: Launch }
  | { readonly type: "timer.fired"; readonly boundary: string }
  /** The host was asked just before the nudge of a boundary, or words on their way, leave. */
  | ({ readonly type: "host.rechecked"; readonly before: Leaving } & Rechecked)
  | { readonly type: "wait.parked"; readonly boundary: string; readonly waker: string }
  | { readonly type: "nudge.delivered"; readonly nudge: string }
  | { readonly type: "nudge.failed"; readonly nudge: string; readonly message: string }
  /** It has not left yet, and must not any more. */
  | { readonly type: "nudge.withdraw"; readonly nudge: string; readonly why: string }
  /** A call followed, so the turn had not ended: it continues as `turn`, and its nudge is taken back. */
  | { readonly type: "turn.resume"; readonly ended: string; readonly turn: string; readonly why: string }
  | {
      readonly type: "round.ended";
      readonly round: string;
      readonly receipts: readonly Receipt[];
      readonly cut?: string;
    }
  /** A check was tried on the state from before the work, while the agent works. */
  | { readonly type: "check.tried"; readonly first: FirstResult }
  /** The files as they are stand under this name. */
  | {
      readonly type: "checkpoint.taken";
      readonly moment: CheckpointMoment;
      readonly ids: readonly string[];
      readonly checkpoint: Checkpoint;
    }
  | { readonly type: "checkpoints.unavailable"; readonly why: string; readonly lasting: boolean }
  | { readonly type: "calls.journal"; readonly events: readonly CallEvent[] }
  | { readonly type: "log.moved" };

/** What you say to a call that waits; `edited`: this command runs instead. */
export type HumanAnswer =
  | { readonly outcome: Exclude<Outcome, "edited" | "timed_out" | "withdrawn">; readonly words: string }
  | { readonly outcome: "edited"; readonly command: string };

export type Leaving = { readonly boundary: string } | { readonly words: readonly string[] };

/** What a host says when it is asked just before something leaves. */
export type Rechecked =
  | { readonly status: "ready"; readonly facts: readonly HostFact[] }
  /** It works: what was to start a turn stays here. */
  | { readonly status: "busy" }
  | { readonly status: "unknown"; readonly message: string };

/** What may have changed since the host told it last. */
export type HostFact = Trigger & {
  type: "todos.mirror" | "mode.changed" | "background.changed" | "human.interrupt";
};

export interface SeenCommand {
  readonly line: string;
  readonly passed: boolean;
  /** The end of what it printed. */
  readonly output?: string;
}

/** What is protected as it is now, where something is: taken before the request is looked at. */
interface Guarded {
  readonly guard?: string;
}

export type Writer = "human" | "plan" | "model" | "subagent";

/** How a run comes to be: told by the one who opens it. */
export interface Birth {
  readonly run: string;
  readonly driver: string;
  readonly origin: Origin;
  readonly goal?: string;
  readonly budget: Budget;
  readonly checks: readonly Check[];
  readonly requirements: readonly Requirement[];
  readonly seesCalls: boolean;
  readonly workspace?: string;
  /** The list of the run it carries on. */
  readonly carried?: Plan;
}

/** What a reaction may know besides the run. */
export interface Context {
  readonly now: number;
  /** How `now` stands to the machine's own clock; absent: the one who tells cannot say. */
  readonly timebase?: Timebase;
  readonly limits: Limits;
  /** A bystander only records what you said; deciding is left to the process that drives the run. */
  readonly role: "driver" | "bystander";
  /** The claim of the one who tells. One that is not the run's own makes a bystander of it. */
  readonly epoch?: number;
  /** The session that tells; absent: a process that only has the run's id, like the command line. */
  readonly at?: Pick<Origin, "host" | "session">;
  /** Where your words come from; asked only when there are some. */
  readonly speaker?: () => Spoken | undefined;
  /** What other processes appended since this one looked. */
  readonly foreign?: readonly Envelope[];
  /** Whether a nudge could go out now; a host that starts no turns takes one only at a boundary that it holds. */
  readonly mayNudge?: boolean;
  /** The host is asked before a nudge leaves: only its word that the session is ready for this one lets it go. */
  readonly asksFirst?: boolean;
  /**
   * The one who tells lives for one event and may be gone before anything it began has ended: who wakes what it leaves.
   * Absent: it stays, and ends its waits itself.
   */
  readonly waker?: string;
  /** Where a new conversation can begin; absent: not asked. */
  readonly renews?: "anytime" | "nudge" | "process" | "never";
  /** How a message of yours would leave. Absent: at once. */
  readonly delivery?: Delivery;
  /** Whether a round begun at a boundary would see its end; a process that leaves after its answer begins none. */
  readonly mayCheck?: boolean;
  /** Whether checks run here; if not, what they would prove stays unproven. */
  readonly runsChecks?: boolean;
  readonly allowsCheck?: (run: string | readonly string[]) => boolean | "pattern";
  /** The host's tools that write, for phases that forbid writing. */
  readonly writers?: readonly string[];
  /** Takes out secrets that only the one who tells knows; absent: what has the shape of one. */
  readonly redact?: (text: string) => string;
  /** Files of the project that are not applied; absent: the one who tells has not looked. */
  readonly dropped?: readonly DroppedFile[];
  /** What you want to hear of while you look away, and by what; absent: nothing is sent anywhere. */
  readonly notify?: { readonly kinds: readonly NotifyKind[]; readonly channels: readonly Channel[] };
}

/**
 * `at once`: the host takes it whenever it is given. `in the answer`: only the answer to this very event can carry it, so
 * that an event that was told before carries none. `not now`: it stays queued.
 */
export type Delivery = "at once" | "in the answer" | "not now";
