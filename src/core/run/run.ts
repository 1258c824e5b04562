import type { Approval, CutCall } from "../call/index.ts";
import type { Asked } from "../question/index.ts";
import type { Attempt, Attempted } from "../speaker/index.ts";
import type { Check, ListKind, Todo, TodoId } from "../todo/index.ts";
import type { ContextMode, WorkflowState } from "../workflow/index.ts";
import type { Budget } from "./budget.ts";
import type { Conversation, Note } from "./conversation.ts";
import type { NudgeKind, StoredDecision } from "./decision.ts";
import type { Checkpoints } from "./due-checkpoint.ts";
import type { Actor, DroppedFile, ModelChoice } from "./event.ts";
import type { Notifications } from "./notification.ts";
import type { Braked, Pace } from "./pace.ts";
import type { Seen } from "./seen.ts";
import type { Timebase } from "./timebase.ts";

export type Millis = number;

/** One goal pursued over many turns: the fold of its log. */
export interface Run {
  readonly id: string;
  readonly status: "unborn" | "live" | "ended";
  readonly goal?: string;
  readonly origin: Origin;
  readonly plan: Plan;
  readonly ledger: Ledger;
}

/** Where the run lives. `parent` is the run it was forked from or carries on. */
export interface Origin {
  readonly host: string;
  readonly session: string;
  readonly cwd: string;
  readonly agent?: string;
  readonly parent?: string;
}

/** List and workflow position: what a host's session tree may rewind. */
export interface Plan {
  readonly todos: readonly Todo[];
  readonly workflow?: WorkflowState;
}

/** Everything that never goes back. */
export interface Ledger {
  readonly began: Millis;
  readonly claim: { readonly driver: string; readonly epoch: number };
  readonly launch?: Launch;
  readonly off: boolean;
  readonly held: boolean;
  /** Until the agent works on the list again in a turn that began with your message (`turn`), or unhold. */
  readonly interrupt?: { readonly turn?: string };
  readonly words: readonly QueuedWords[];
  /** Ids of the words that were handed to the host, and nothing says yet whether they reached the agent. */
  readonly sending: readonly string[];
  /** How often in a row the host did not take words, and when it last did not. */
  readonly unsent: { readonly tries: number; readonly at: Millis };
  readonly questions: readonly string[];
  /** What they ask, by id, where the host tells. */
  readonly questionTexts?: Readonly<Record<string, string>>;
  readonly approvals: readonly Approval[];
  /** Calls that write, of the turn under way. */
  readonly calls: readonly TurnCall[];
  /** Calls whose result an earlier process took with it; the agent is told of them until a turn has ended. */
  readonly cutCalls: readonly CutCall[];
  /** The agent knows how the list stands: a nudge need not tell all of it. */
  readonly listKnown: boolean;
  readonly conversation: Conversation;
  /** What the agent wrote down for later todos, the newest last. */
  readonly notes: readonly Note[];
  /** Whose tools keep the list: those that wrote it last. */
  readonly list: ListKind;
  readonly recovering?: { readonly until: Millis };
  readonly compacting?: { readonly until: Millis };
  readonly verifying?: Round;
  readonly background: {
    readonly agents: number;
    /** Commands that something open waits for, and all of them. */
    readonly awaited: number;
    readonly commands?: number;
    readonly until: Millis;
  };
  readonly readOnly: boolean;
  /** The model as you named it, if you did. */
  readonly model?: ModelChoice;

  readonly turn?: Turn;
  readonly boundary?: Boundary;
  readonly boundaries: number;
  readonly rounds: number;
  /** Ids of the last turns that ended or were superseded: their late events open nothing. */
  readonly endedTurns: readonly string[];
  readonly nudge?: {
    readonly id: string;
    readonly boundary: string;
    readonly kind: NudgeKind;
    readonly status: "intended" | "delivered";
    /** Why it begins a new conversation; absent: it does not. */
    readonly fresh?: string;
  };
  readonly lastNudgeAt: Millis;
  readonly decision?: StoredDecision;

  /** Nudged turns since progress: in all, without activity, without a new workspace state. */
  readonly since: { readonly nudged: number; readonly idle: number; readonly still: number };
  /** Turns in a row that ended in a plain question without progress; a question about an act counts as two. */
  readonly asked: number;
  readonly listAsked: boolean;
  readonly failures: { readonly tries: number; readonly windows: number };

  readonly budget: Budget;
  readonly spent: Spent;
  readonly woundDown: boolean;
  readonly todoLedgers: Readonly<Record<TodoId, TodoLedger>>;
  readonly nextTodoId: number;
  /** Ids up to this one stood on the first list; what the model adds later counts as progress only so often. */
  readonly firstListEnd: number;
  readonly addedProgress: number;
  /** The last batch of calls in which a write moved indices, and which items they meant before. */
  readonly movedIn?: {
    readonly batch: string;
    readonly mode: "replace" | "insert";
    readonly before: readonly TodoId[];
  };

  readonly checks: readonly Check[];
  readonly requirements: readonly Requirement[];
  readonly receipts: Readonly<Record<string, Receipt>>;
  readonly checksPassed: readonly string[];
  /** What checks said of the state from before the work, by `firstKey`. */
  readonly firsts?: Readonly<Record<string, FirstResult>>;
  /** The name of the state from before the work that judges, by the owner of a check. */
  readonly guards: Readonly<Record<string, string>>;
  /** The one that judges this run; runs of older versions have names that say nothing any more. */
  readonly guard?: string;
  readonly checkpoints: Checkpoints;
  /** Globs of protected files that todos declared before they were started. Declared once, declared for the run. */
  readonly declared: readonly string[];
  /** The workspace when the current phase was entered, for phases that forbid writing. */
  readonly phaseWorkspace?: string;
  readonly workspace?: string;
  readonly activity: number;
  readonly seesCalls: boolean;
  /** "Never seen before" means not in here. */
  readonly seen: Seen;
  /** Dropped or abandoned by the model, and not accepted by you. */
  readonly abandoned: readonly TodoId[];
  readonly accepted: boolean;
  /** The agent cancelled the workflow; you did not ask for that. */
  readonly workflowGivenUp: boolean;
  /** How much activity the run had seen when the current phase was entered, and whether the agent wrote a list in it. */
  readonly phaseActivity: number;
  readonly phasePlanned: boolean;
  /** Names of the phases that the agent left without any work seen, the last time it did. */
  readonly idlePhases: readonly string[];
  readonly errors: number;
  /** How the time of day stood to the machine's own clock when the run was last heard of. */
  readonly timebase?: Timebase;
  /** Files of the project that are not applied, and whether a nudge said so. */
  readonly dropped?: { readonly files: readonly DroppedFile[]; readonly told: boolean };
  /** What the agent tried in your name and was refused, by kind; it counts for nothing else. */
  readonly refused?: Readonly<Partial<Record<Attempt, Attempted>>>;
  /** The host ended within a turn; until something of it is heard again. */
  readonly left?: { readonly at: Millis };
  readonly endReason?: string;
  /** What you were told while you looked away; absent: nothing. */
  readonly notifications?: Notifications;
}

/** How `tildone run` started it: `--resume` uses it again where it is told nothing else. */
export interface Launch {
  /** The host that a supervisor starts; absent: the agent of tildone itself. */
  readonly host?: string;
  readonly agent?: string;
  readonly hostArgs?: readonly string[];
  /** Where each todo begins, and after how many, if the command line said so. */
  readonly context?: ContextMode;
  readonly contextEvery?: number;
  /** Which calls waited for you, if the command line said so. Only shown: what a log says allows nothing. */
  readonly approval?: string;
}

export interface TurnCall extends CutCall {
  readonly status: "intended" | "settled";
}

export interface QueuedWords {
  readonly id: string;
  readonly text: string;
  /** `steer` goes to the agent at the next boundary, `follow-up` when the run would otherwise be over. */
  readonly kind: "steer" | "follow-up";
}

/** A round of checks under way: for a `complete` that asked for it, or because nothing is open any more. */
export interface Round {
  readonly round: string;
  readonly purpose: "complete" | "finish" | "phase";
  /** The todos that the `complete` named. */
  readonly ids: readonly TodoId[];
  /** What the same call starts once they are completed. */
  readonly starts?: readonly TodoId[];
  readonly by: Actor;
  readonly until: Millis;
  /** The stay in a phase that is to end, and what was said about it. */
  readonly leaving?: { readonly stay: string; readonly summary?: string };
}

export interface Turn {
  readonly id: string;
  readonly cause: "human" | "nudge" | "host";
  /** The kind of nudge that it takes up. */
  readonly answers?: NudgeKind;
  readonly startedAt: Millis;
  /** The todo that was next when it began, and that bears its cost. */
  readonly todo?: TodoId;
  readonly acted: boolean;
  readonly moved: boolean;
  readonly progressed: boolean;
  readonly pace: Pace;
  /** You put the run on hold while it ran; one that you begin while the run is held is yours. */
  readonly held?: boolean;
  /** We end it; that it is aborted is then not an interrupt of yours. */
  readonly braked?: Braked;
}

/** The moment the agent settled. One boundary, at most one nudge. */
export interface Boundary {
  readonly id: string;
  readonly at: Millis;
  readonly failure?: Failure;
  /** A limit or a hold ended the turn. */
  readonly braked?: Braked;
  /** The turn that ended here and the counters before it did: if a call follows after all, none of it happened. */
  readonly ended?: { readonly turn: Turn } & Pick<Ledger, "since" | "asked">;
  /** The last words of the turn are a question that is yours to answer. */
  readonly question: boolean;
  /** What they ask, as far as they ask something. */
  readonly asks?: Asked;
  readonly round: "none" | "ran";
  readonly status: "open" | "countdown" | "waiting" | "parked" | "nudged" | "stopped";
  /** Parked until you say so: no other event wakes it. */
  readonly forHuman?: boolean;
  /** Parked before anything was decided about it: the process that continues it decides. */
  readonly undecided?: boolean;
  /** The session was busy when the nudge was due: how often in a row, and when it is tried again. */
  readonly busy?: { readonly tries: number; readonly until: Millis };
  /** When a countdown or a wait ends; absent: an event ends it. */
  readonly until?: Millis;
}

export interface Failure {
  /** `host`: not the provider but the host failed: its process ended, or it did not take what it was sent. */
  readonly kind: "rate_limit" | "overload" | "host" | "context_full" | "host_limit" | "refused" | "other";
  readonly message: string;
  /** When the provider said to come back. */
  readonly resetAt?: Millis;
  /** When we come back: a little later, and not all at once. */
  readonly resumeAt?: Millis;
}

export interface Spent {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cost: number;
  readonly activeMs: Millis;
  readonly continuations: number;
  /** How many of the counted tokens are an estimate: answers that were cut, or whose server reports no usage. */
  readonly estimated: number;
}

export interface TodoLedger {
  /** Put on the list by the model after its first list. */
  readonly added: boolean;
  /** How much activity the run had seen when the item was written. */
  readonly activityBefore: number;
  /** Completed although nothing was done since it was written: the turn that did so, or "" where none is known. */
  readonly unseenIn?: string | undefined;
  readonly completedOnce: boolean;
  readonly completedByHuman: boolean;
  readonly failedAttempts: number;
  readonly setAside: boolean;
  readonly tokens: number;
  readonly cost: number;
  readonly activeMs: Millis;
  readonly continuations: number;
}

export interface Requirement {
  readonly id: string;
  readonly text: string;
}

/** The recorded result of a check. `owner` is a todo's id, `phase:<id>` or `run`. */
export interface Receipt {
  readonly key: string;
  readonly owner: string;
  readonly command: string;
  readonly status: "passed" | "failed" | "timed_out" | "cut_short" | "not_runnable" | "observed";
  readonly exit?: number;
  readonly durationMs: Millis;
  /** The workspace state after the round: the round's own writes do not make it stale. */
  readonly workspace?: string;
  readonly digest: string;
  readonly tail: string;
  readonly askedBy: string;
  /** It passed, but what it relies on was changed undeclared, and without the change it does not pass. */
  readonly suspect: boolean;
  /** What was changed, in words. */
  readonly doubt?: string;
  /** Other live runs that worked in the same directory: what it proves, they may have done or undone. */
  readonly beside?: readonly string[];
  /** What the same check said of the files from before the work; absent: not known. */
  readonly first?: FirstResult["status"];
  /** Where and on what it was judged, so that it can be repeated. */
  readonly proof?: Proof;
  readonly at: Millis;
}

/** What a check said of the state from before the work: judge and product are both the baseline. */
export interface FirstResult {
  /** `firstKey` of its check. */
  readonly key: string;
  readonly command: string;
  readonly status: Exclude<Receipt["status"], "cut_short" | "observed">;
  readonly exit?: number;
  readonly durationMs: Millis;
  readonly digest: string;
  readonly tail: string;
  readonly proof: Proof;
  /** How it ended in the project itself, where it was tried there: "passed", "exit 1", or why nothing can be said. */
  readonly place?: string;
  /** Where later results of this check are decided. */
  readonly decides: "room" | "place";
  readonly at: Millis;
}

/** `room`: the judge from before the work and the product from after it, in a place the agent never touched. */
export interface Proof {
  readonly where: "room" | "place";
  readonly confined: boolean;
  /** Names the product, and what judged it before the work. */
  readonly tree?: string;
  readonly judge?: string;
  /** Names everything that was laid out in the room. */
  readonly room?: string;
  readonly command: string;
  readonly environment?: string;
  /** Its dependencies were installed in the room. */
  readonly prepared?: boolean;
  /** Why it was not tried in a room. */
  readonly why?: string;
  /** Why it was not confined to its room, although it should have been. */
  readonly unconfined?: string;
  /** Declared and changed files, recorded files that changed, folders that come from the project as it is. */
  readonly notes?: readonly string[];
}
