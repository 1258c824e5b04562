import type { Brake, OwnedCheck } from "../continuation/index.ts";
import type { StopReason } from "../reason/index.ts";
import type { Decision, NewEvent, NudgeKind, Run } from "../run/index.ts";
import type { Refusal } from "../todo/index.ts";

/** What follows from a trigger: events for the log, effects for the shell, an answer for the one who told. */
export interface Reaction {
  readonly events: readonly NewEvent[];
  readonly effects: readonly Effect[];
  readonly reply: Reply;
  /** The run after its events. */
  readonly run: Run;
}

/** What is to be done after the events are in the log. */
export type Effect =
  | { readonly type: "nudge.send"; readonly nudge: Nudge }
  /** `rechecked`: the host was asked, and nothing keeps them back. */
  | { readonly type: "words.deliver"; readonly ids: readonly string[]; readonly rechecked?: true }
  | { readonly type: "round.run"; readonly round: string; readonly checks: readonly OwnedCheck[] }
  /** The turn that runs has to end; `says` tells the agent and you why. */
  | { readonly type: "turn.end"; readonly how: Brake["how"]; readonly says: string }
  | { readonly type: "human.notify"; readonly reason: StopReason }
  /** Notifications wait in the log to be sent. */
  | { readonly type: "notifications.send" }
  /** Something for you to read once. */
  | { readonly type: "human.tell"; readonly notice: string; readonly topic?: NoticeTopic };

/** What a notice is about, where a host shows it in a way of its own. */
export type NoticeTopic = "workflow_finished" | "workflow_cancelled";

/** The text that starts the next turn, with the id that its delivery is reported under. */
export interface Nudge {
  readonly id: string;
  readonly boundary: string;
  readonly kind: NudgeKind;
  readonly text: string;
  /** It begins a new conversation: nothing of the one before is sent with it. */
  readonly fresh?: true;
}

/** The answer to the trigger. */
export type Reply =
  /** `brake`: the turn that this was told of has to end. A process that lives for one event answers its host with it. */
  | {
      readonly type: "done";
      readonly text: string;
      readonly details?: Readonly<Record<string, unknown>>;
      readonly brake?: Brake;
    }
  | { readonly type: "refused"; readonly refusal: Refusal | { readonly code: string; readonly message: string } }
  /** The answer comes when that round of checks has ended. */
  | { readonly type: "checking"; readonly round: string }
  | { readonly type: "decided"; readonly decision: Decision }
  | { readonly type: "ignored"; readonly why: IgnoredWhy };

export const IGNORED = {
  no_run: "There is no run in this session.",
  not_owner: "The run was attached to another session.",
  run_ended: "The run ended; the next list begins a new one.",
  not_driver: "Another process has this run now.",
  duplicate: "Already recorded.",
  nothing_to_do: "Nothing to change.",
} as const satisfies Record<string, string>;
export type IgnoredWhy = keyof typeof IGNORED;

export const done = (text: string): Reply & { type: "done" } => ({ type: "done", text });
export const nothing: Reply = { type: "ignored", why: "nothing_to_do" };
export const duplicate: Reply = { type: "ignored", why: "duplicate" };
