import type { BackgroundCommand } from "../core/continuation/index.ts";
import type { FailureSaid } from "../core/run/index.ts";
import type { NativeItem } from "../core/todo/index.ts";
import type { ToolKind } from "../core/workflow/index.ts";

/** The moments at which a host calls the hook, by the word that stands in its configuration. */
export const EVENTS = [
  "session-start",
  "prompt",
  "pre-tool",
  "post-tool",
  "task",
  "stop",
  "subagent-stop",
  "failure",
  "compaction",
  "session-end",
  // Of no host: our server says it when its own end shows that the host may be gone.
  "host-gone",
] as const;
export type EventName = (typeof EVENTS)[number];

/** A tool as the host calls it. `ours` is its plain name where it is one of our own. */
export interface Tool {
  readonly name: string;
  readonly kinds: readonly ToolKind[];
  readonly ours?: string;
}

export interface EndedCall {
  readonly tool: Tool;
  readonly args: unknown;
  readonly result: unknown;
  /** The host's own list as it stands after this call. */
  readonly list?: readonly NativeItem[];
  readonly command?: EndedCommand;
  /** It never ran: a permission, a rule or a hook refused it, or the host could not make sense of it. */
  readonly refused?: true;
}

/** A shell line that the agent ran. */
export interface EndedCommand {
  readonly line: string;
  readonly output: string;
  /** Undefined where the host does not show it: what is not known to have passed proves nothing. */
  readonly passed: () => boolean | undefined;
}

/** What the host told us, in our words. */
export type Happening =
  | { readonly type: "session.started"; readonly afterCompaction: boolean; readonly before: Before }
  /** `human`: you typed it; `host`: the host itself woke the agent. */
  | {
      readonly type: "prompted";
      readonly from: "human" | "host";
      readonly text: string;
      readonly turn: string;
      readonly before: Before;
    }
  | { readonly type: "call.asked"; readonly tool: Tool; readonly args: unknown; readonly bySubagent: boolean }
  | {
      readonly type: "calls.ended";
      readonly calls: readonly EndedCall[];
      readonly interrupted: boolean;
      /** Whether the host is in its plan mode, where the calls show it. */
      readonly readOnly?: boolean;
    }
  /** The host's own list marks an item as done. */
  | { readonly type: "task.completing"; readonly text: string }
  | {
      readonly type: "stopped";
      readonly text?: string;
      readonly readOnly?: boolean;
      /** The provider failed, in its words: the host ends such a turn like any other. */
      readonly failure?: string;
      readonly background?: { readonly agents: number; readonly commands: readonly BackgroundCommand[] };
      /** Names this very stop, where the host runs one hook twice. */
      readonly end?: string;
      /** The host's name for what ended: its beginning may never have been told, since a hook that fails is passed over. */
      readonly turn?: string;
    }
  | { readonly type: "failed"; readonly said: FailureSaid; readonly turn?: string }
  /** You ended the turn, or the provider did with these words; `at`: when, where the host wrote that down instead of telling it. */
  | { readonly type: "aborted"; readonly at?: number; readonly failure?: string }
  | { readonly type: "compacting" }
  /** `limit`: what of the host's own ended it, `failure`: the provider's words, where the host shows that; else you ended it. */
  | { readonly type: "session.ended"; readonly limit?: string; readonly failure?: string }
  /** Our server lost its host. Both are asked for only where a turn is under way: the first waits, the second reads. */
  | { readonly type: "host.left"; readonly isGone: () => boolean; readonly wasInterrupted: () => boolean };

/** What became of a turn whose end was not told. It is asked for only where there is one: the answer stands in files. */
export type Before = () => Past;

export type Past =
  /** `interrupted`: the host wrote down that you ended it. `cut`: it wrote nothing, and would have. */
  { readonly how: "interrupted" | "cut" | "unknown" } | { readonly how: "failed"; readonly failure: string };

/** What the host is told in return; no answer at all lets it do what it was about to do. */
export type Answer = Told & {
  /** What you read on the host's own screen beside it. */
  readonly show?: string;
};

type Told =
  /** Nothing for the agent. */
  | { readonly type: "show"; readonly show: string }
  /** `fresh`: in a new conversation, where the host has such an answer. */
  | { readonly type: "go_on"; readonly reason: string; readonly fresh?: true; readonly carries?: Carried }
  | { readonly type: "deny"; readonly reason: string }
  /** The turn has to end. The call is refused, unless it is `free`: then it may run, and the turn ends after it. */
  | { readonly type: "end"; readonly reason: string; readonly free: boolean }
  | { readonly type: "tell"; readonly context: string; readonly carries?: Carried }
  | { readonly type: "rewrite"; readonly args: object };

/** Messages that an answer holds. They are delivered when it is printed, and stay queued if it never is. */
export interface Carried {
  readonly run: string;
  readonly ids: readonly string[];
}
