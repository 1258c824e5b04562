import type { Limits } from "../../core/continuation/index.ts";
import type { Clock, Store } from "../../engine/index.ts";

/** A todo in the words of the program that has the list. */
export interface Todo {
  readonly id: string;
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed" | "cancelled";
  readonly priority: "high" | "medium" | "low";
}

/** A message, as far as it is looked at. `error.name` tells an abort from a failure. */
export interface Message {
  readonly role?: string;
  readonly error?: unknown;
  readonly text?: string;
}

/** Which agent works in a session, and whether it may change files. */
export interface AgentInfo {
  readonly agent?: string;
  readonly hasWritePermission?: boolean;
}

/** A short message for the screen. */
export interface Toast {
  readonly title: string;
  readonly message: string;
  readonly variant: "info" | "success" | "warning" | "error";
  readonly duration?: number;
}

/** Whether it continues, and the timing. */
export interface TodoContinuationConfig {
  readonly enabled: boolean;
  readonly countdownSeconds: number;
  /** How long a toast of the countdown is shown. */
  readonly toastDuration: number;
  /** A message that bears no mark of ours is not taken for the user's this soon after a countdown began. */
  readonly gracePeriod: number;
}

/** The timing that holds where you set nothing. */
export const DEFAULT_CONFIG: TodoContinuationConfig = {
  enabled: true,
  countdownSeconds: 2,
  toastDuration: 900,
  gracePeriod: 500,
};

type Now<T> = T | Promise<T>;

/**
 * What the hook asks of the program it lives in. What is left out is not checked. `null` means "I cannot say": the session
 * does not continue then, and a toast says why.
 */
export interface TodoContinuationOptions {
  readonly config?: Partial<TodoContinuationConfig>;
  readonly getTodos?: (sessionId: string) => Now<readonly Todo[] | null>;
  readonly getMessages?: (sessionId: string) => Now<readonly Message[] | null>;
  /** Starts a turn. Rejects if none began; it is then tried again, with growing pauses. */
  readonly injectPrompt?: (sessionId: string, prompt: string, agent?: string) => Now<void>;
  readonly showToast?: (toast: Toast) => void;
  readonly getBackgroundTaskCount?: (sessionId: string) => Now<number | null>;
  /** `undefined`: there is no main session, so every session but a subagent's may be told to continue. */
  readonly getMainSessionId?: () => Now<string | undefined | null>;
  readonly isSubagentSession?: (sessionId: string) => Now<boolean | null>;
  readonly getAgentInfo?: (sessionId: string) => Now<AgentInfo | null>;
  /** Where the sessions work; by default the directory of this process. */
  readonly cwd?: string;
  /** Where runs are kept: in memory by default. One that is given stays open. */
  readonly store?: Store;
  readonly clock?: Clock;
  readonly limits?: Partial<Omit<Limits, "enabled" | "countdownMs">>;
}

export const HOOK_EVENTS = [
  "session.idle",
  "session.error",
  "session.deleted",
  "message.updated",
  "message.after",
  "tool.before",
  "tool.after",
] as const;

/** One event of your program. */
export interface HookContext {
  readonly event: string;
  readonly sessionId: string;
  readonly data?: unknown;
}

/** The answer to an idle session. The other events answer nothing. */
export interface HookResult {
  readonly status: "counting_down" | "waiting" | "stopped" | "ignored";
  /** A reason of the engine, or one of the hook's own: `unanswered`, `unreadable`, `not_main`, `subagent`. */
  readonly reason: string;
  readonly message: string;
}

/** What you connect to your program's events. */
export interface TodoContinuationHook {
  readonly name: "todo-continuation-enforcer";
  readonly description: string;
  readonly priority: number;
  readonly events: readonly string[];
  readonly handler: (context: HookContext) => Promise<HookResult | undefined>;
  readonly markRecovering: (sessionId: string) => void;
  readonly markRecoveryComplete: (sessionId: string) => void;
  /** Ends every countdown and timer of this hook. */
  readonly dispose: () => void;
}
