import type { Birth, Context, Reply, Trigger } from "../core/react/index.ts";
import type { Envelope, Run } from "../core/run/index.ts";
import { withEarlyStart } from "./early-start.ts";
import type { Settled } from "./held-boundary.ts";
import type { Checkpoints, Checks, Clock, Host, Store, Workspace } from "./ports.ts";
import { createSession, type Session } from "./session.ts";

/** What the engine is made of. `context` and `birth` are read anew each time, so that config may change under way. */
export interface EnginePorts {
  readonly store: Store;
  readonly host: Host;
  readonly clock: Clock;
  readonly workspace?: Workspace;
  readonly checks?: Checks;
  /** Absent: nothing is recorded, and nothing can be taken back. */
  readonly checkpoints?: Checkpoints;
  readonly cwd: string;
  /** Names the one that drives: a resident process by itself, a hook by its session. */
  readonly driver: string;
  readonly newRunId: () => string;
  /** Says to other processes that this one drives the run of a session, until what it gives is called. */
  readonly enter?: (session: string) => () => void;
  /** Has what waits in the log of a run sent, by another process: nothing here waits for it. Absent: nothing is sent. */
  readonly sendNotifications?: (run: string) => void;
  /** How many events may follow a kept fold before it is kept anew. */
  readonly keepEvery?: number;
  readonly context: () => Pick<
    Context,
    "limits" | "allowsCheck" | "writers" | "dropped" | "redact" | "speaker" | "notify"
  >;
  /** What a new run is given: budgets, checks and requirements of yours. */
  readonly birth: (goal?: string) => Pick<Birth, "goal" | "budget" | "checks" | "requirements">;
}

/** Takes triggers, records what they change, performs the effects. */
export interface Engine {
  /** Tells the run of a session what happened, and resolves with the answer. */
  tell(session: string, trigger: Trigger): Promise<Reply>;
  /** The agent settled: resolves when the boundary is decided, on a host that holds it when it is carried out. */
  settle(session: string, end: Trigger & { type: "turn.ended" }): Promise<Settled>;
  /** What will judge the work is kept: a call of the agent that may change files has to wait for this. */
  begun(session: string): Promise<void>;
  /** Takes in what other processes appended; a resident engine does so by itself. */
  look(session: string): void;
  /** This process takes the session's run over. */
  open(
    session: string,
    how: { readonly goOn: boolean; readonly delivered?: readonly string[]; readonly unanswered?: readonly string[] },
  ): Reply;
  /** The run as it stands, also after its end; undefined before there is one. */
  run(session: string): Run | undefined;
  /** What a nudge would say now; undefined where none is due. */
  dueNudge(session: string): string | undefined;
  /** Whether the next answer of the turn may be asked for in a new conversation: then `conversation.renew` decides it. */
  mayRenew(session: string): boolean;
  /** Why what happened last in that session could not be recorded; undefined as soon as something was again. */
  unrecorded(session: string): string | undefined;
  /** Calls back after every change, before its effects are performed, with what was appended here or by other processes. */
  watch(listener: Listener): () => void;
  forget(session: string): void;
  dispose(): void;
}

export type Listener = (session: string, run: Run, events: readonly Envelope[]) => void;

/** An engine over these ports; dispose it when its process ends. */
export function createEngine(ports: EnginePorts): Engine {
  const sessions = new Map<string, Session>();
  const listeners = new Set<Listener>();

  return {
    tell: (key, trigger) => session(key).tell(trigger),
    settle: (key, end) => session(key).settle(end),
    begun: (key) => session(key).begun(),
    look: (key) => session(key).look(),
    open: (key, how) => session(key).open({ type: "run.open", driver: ports.driver, ...how }),
    run: (key) => session(key).run(),
    dueNudge: (key) => session(key).dueNudge(),
    mayRenew: (key) => session(key).mayRenew(),
    unrecorded: (key) => session(key).unrecorded(),
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    forget: (key) => {
      sessions.get(key)?.dispose();
      sessions.delete(key);
    },
    dispose: () => {
      for (const each of sessions.values()) each.dispose();
      sessions.clear();
      listeners.clear();
    },
  };

  function session(key: string): Session {
    const known = sessions.get(key);
    if (known) return known;
    const made = createSession(ports, key, (run, events) => {
      for (const listener of listeners) listener(key, run, events);
    });
    const told = { ...made, tell: withEarlyStart(made.tell) };
    sessions.set(key, told);
    return told;
  }
}
