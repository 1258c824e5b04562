/** What the engine needs from the world. Every port is small, speaks our words, and has a contract suite in `testing/`. */
import type { Brake, OwnedCheck } from "../core/continuation/index.ts";
import type { NoticeTopic, Nudge, Rechecked } from "../core/react/index.ts";
import type { StopReason } from "../core/reason/index.ts";
import type {
  Checkpoint,
  Envelope,
  FirstResult,
  NewEvent,
  QueuedWords,
  Receipt,
  Run,
  Timebase,
  Unread,
} from "../core/run/index.ts";
import type { Check } from "../core/todo/index.ts";
import type { Capabilities } from "./capabilities.ts";

/** The program the agent lives in. Its methods never throw for a session that is gone. */
export interface Host {
  readonly name: string;
  readonly capabilities: Capabilities;
  /**
   * What may have changed since the host told it last. Asked when a nudge is due and before queued words leave; absent: what it told
   * is all it knows. Rejects where it cannot say.
   */
  recheck?(session: string): Promise<Exclude<Rechecked, { status: "unknown" }>>;
  /** Starts a turn with this text. Resolves when the host took it, rejects when it did not. */
  nudge(session: string, nudge: Nudge): Promise<void>;
  /** Gives the agent words of the user that were queued; a host that waits at a boundary gets them as the answer instead. */
  deliver(session: string, words: readonly QueuedWords[]): Promise<void>;
  /** Something for the user: why it stopped, or a notice. */
  show(session: string, notice: Notice): void;
  /** Ends the turn that runs, where the host can. Nothing happens where none runs. */
  endTurn(session: string, end: TurnEnd): void;
}

/**
 * `now`: at once, whatever runs. `after_tool`: the tools that run may finish, calls that have not begun are refused with `says`, and no
 * further answer is asked for.
 */
export interface TurnEnd {
  readonly how: Brake["how"];
  /** Why, for the agent and for you. */
  readonly says: string;
}

/** What a host shows you. */
export type Notice =
  | { readonly type: "stopped"; readonly reason: StopReason; readonly run: Run }
  | { readonly type: "text"; readonly text: string; readonly topic?: NoticeTopic };

/** What the files are, as one fingerprint of their content. */
export interface Workspace {
  observe(cwd: string): Promise<string | undefined>;
}

/** Runs checks, one after the other, and gives a receipt for each. `signal` cuts them short. */
export interface Checks {
  run(round: CheckRound, signal: AbortSignal): Promise<readonly Receipt[]>;
  /** Work may begin: keeps the state that will judge it, for the run that may come of it. */
  begin?(place: WorkPlace): Promise<void>;
  /** The name of the state that judges a run: as it was when its work began. Undefined: nothing is protected. */
  guard(request: GuardRequest): Promise<string | undefined>;
  /**
   * What a check says of the state from before the work, found out in the background and at low priority; a round goes first and cuts it
   * short. Undefined: it was cut short, or nothing can be said. Absent: this process does not stay long enough.
   */
  first?(request: FirstRequest, signal: AbortSignal): Promise<FirstResult | undefined>;
}
export interface FirstRequest {
  readonly run: Run;
  readonly check: Check;
}
/** Records the files of a project, so that work can be taken back. What it returns is kept: the log may name it. */
export interface Checkpoints {
  take(request: CheckpointRequest): Promise<CheckpointResult>;
  /** A process that ends with its answer waits no longer than this, and one that is not taken by then is lost. */
  readonly briefMs?: number;
}
export interface CheckpointRequest {
  readonly cwd: string;
  readonly run: string;
  /** What it is called in its run. */
  readonly id: string;
  /** The tree of the checkpoint before it. */
  readonly after?: string;
}
export type CheckpointResult =
  | { readonly status: "taken"; readonly checkpoint: Checkpoint }
  /** `lasting`: it will be no different the next time. */
  | { readonly status: "none"; readonly why: string; readonly lasting: boolean };
export interface WorkPlace {
  readonly cwd: string;
  readonly session: string;
}
export interface GuardRequest extends WorkPlace {
  readonly checks: readonly Check[];
  /** What judges this run already: it stays the judge. */
  readonly before?: string;
}
export interface CheckRound {
  readonly run: Run;
  readonly checks: readonly OwnedCheck[];
}

/** Time as the engine sees it: now, and timers. */
export interface Clock {
  now(): number;
  /** How `now` stands to a clock that is never set; absent: there is none. */
  timebase?(): Timebase;
  /** Calls back once, not before `at`. One that leaps may call late; one that was set back calls after the same while, early by it. */
  setTimer(at: number, fire: () => void): Timer;
}
export interface Timer {
  cancel(): void;
}

/** What stands in the log after some position. A row that cannot be read is reported and skipped, never fatal. */
export interface Tail {
  readonly events: readonly Envelope[];
  readonly unread: readonly Unread[];
  /** Position of the newest row, unread ones included; the position asked for when there is none. */
  readonly last: number;
}

/** What other processes see of a run without folding its log. Written with the events it follows from. */
export interface RunCard {
  readonly run: string;
  readonly host: string;
  readonly session: string;
  readonly cwd: string;
  readonly live: boolean;
  readonly began: number;
  readonly updated: number;
  /** Small JSON for lists of runs: goal, counts, last decision. */
  readonly summary: unknown;
}

export interface Log {
  /**
   * One write transaction: `body` sees every row after `after`, and what it returns is appended, all or nothing.
   * `body` is synchronous and may ask which run a session has; if it throws, nothing was written and the error comes through. Throws when the log does not
   * reach `after` any more: the run was removed, and appending would leave a log without its beginning.
   */
  transact<T>(run: string, after: number, body: (tail: Tail) => Change<T>): Transacted<T>;
  /**
   * Resolves when what was appended may be acted on. Awaited before anything leaves for the host, which is asked once more after it. Absent:
   * what was committed is safe.
   */
  barrier?(run: string): Promise<void>;
  read(run: string, after: number, limit?: number): Tail;
  /** Position of the newest row, 0 for an unknown run. Cheap: a resident engine asks five times a second. */
  last(run: string): number;
  loadSnapshot(run: string): Snapshot | undefined;
  /** Kept unless a newer one of the same version is there, or the log has no row at its position. */
  saveSnapshot(run: string, snapshot: Snapshot): void;
}
export interface Change<T> {
  readonly append: readonly NewEvent[];
  readonly value: T;
  /** Replaces the run's card; absent: the card stays. */
  readonly card?: RunCard;
  /** From now on this run is the one of that session; absent: the run that is bound stays bound. */
  readonly bind?: Pick<RunCard, "host" | "session">;
}
export interface Transacted<T> {
  readonly value: T;
  readonly appended: readonly Envelope[];
}
/** A fold kept so that a long run opens cheaply. `version` names the fold; another version is as good as none. */
export interface Snapshot {
  readonly seq: number;
  readonly version: number;
  readonly state: unknown;
}

/** Which runs there are. `find` gives the run last bound to that session of that host, live or ended. */
export interface Runs {
  find(host: string, session: string): RunCard | undefined;
  get(run: string): RunCard | undefined;
  /** The one changed last comes first. */
  list(): readonly RunCard[];
  /** Where each log ends, by run: a caller that kept an earlier answer knows which runs moved, and which are gone. */
  positions(): ReadonlyMap<string, number>;
  /** Another number whenever another process wrote. So cheap that it may be asked many times a second. */
  writes(): number;
  /** Removes the run with its events, card, snapshot and bindings; false if there was none. */
  remove(run: string): boolean;
}

/** Whether a run's log is as it was written. */
export interface Audit {
  readonly sealed: number;
  /** Rows from before logs were sealed. */
  readonly unsealed: number;
  readonly signed: number;
  /** Signed rows that could not be judged, because this process has no key. */
  readonly unverified: number;
  /** Where the log is not what was written: the first twenty places. */
  readonly breaks: readonly { readonly seq: number; readonly problem: string }[];
}

/** The log, the cards of all runs, and what belongs to them. */
export interface Store {
  readonly log: Log;
  readonly runs: Runs;
  /** Looks at every row of a run: for people who ask, never on the way of the work. */
  audit(run: string): Audit;
  close(): void;
}

/** Which processes work on runs. A process that enters is found by every other one, and so is that it died. */
export interface Drivers {
  /** This process works on the run of that session, until what it gives is called. */
  enter(place: DriverPlace): Leave;
  /** Another host works on the session: takes away what shows that those before it ended. */
  forgetHosts(session: OfSession): void;
  /** The process that entered `as` works for this session, too, and could not know it. */
  introduce(as: OfSession, place: Pick<DriverPlace, "host" | "session" | "driver">): void;
  /** The sessions that this process works for, as a server of theirs. */
  served(): readonly OfSession[];
  /** Every process that entered and did not leave, the dead included. */
  of(session: OfSession): readonly Driver[];
  /** Every living process in which an agent of ours lives or that watches over one, with the session it is for. */
  hosts(): readonly HostProcess[];
}
type OfSession = Pick<DriverPlace, "host" | "session">;
/** A process that stays findable shows that its host ended, for as long as no other process enters. */
export type Leave = (stays?: "findable") => void;
/** Whatever it starts, its agent may have started. */
export interface HostProcess extends Pick<DriverPlace, "host" | "session"> {
  readonly pid: number;
  readonly started: string;
  /** On this machine and in this container: its number means something here. */
  readonly isHere: boolean;
}
export interface DriverPlace {
  readonly host: string;
  readonly session: string;
  /** The name under which it claims the run. */
  readonly driver: string;
  /** An engine lives with the agent; a server and a supervisor live beside it, and the agent may outlive them. */
  readonly kind: "engine" | "server" | "supervisor";
  /** For people: which program it is. */
  readonly program: string;
  /** The process of the host, where it is not this one. */
  readonly hostPid?: number;
}
export interface Driver extends Omit<DriverPlace, "host" | "session" | "hostPid"> {
  readonly pid: number;
  readonly machine: string;
  readonly since: number;
  /** On this machine: its number means something here. */
  readonly isHere: boolean;
  /** What lives beside a host is as dead as the host. */
  readonly isAlive: boolean;
  /** The host that it lived beside is known to have ended. */
  readonly isHostGone?: true;
}
