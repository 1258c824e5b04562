import type { Priority } from "../todo/index.ts";

/** What someone asks for: one tool call, addressed by an id that is never used twice. */
export interface CallRequest {
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
  /** Calls that must succeed first: earlier ones, or others of the same batch in any order. */
  readonly needs?: readonly string[];
  readonly priority?: Priority;
  /** How long the tool may work, without the time you are asked. Absent: as the tool says. */
  readonly deadlineMs?: number;
  /** What you asked for directly needs no approval; a denial stands all the same. Absent: the model. */
  readonly by?: "human" | "model";
}

/** Every status and where it leads. A settled call has no way out. */
export const NEXT = {
  validating: ["awaiting_approval", "scheduled", "error", "cancelled"],
  awaiting_approval: ["scheduled", "executing", "error", "cancelled"],
  scheduled: ["executing", "error", "cancelled"],
  executing: ["awaiting_approval", "success", "error", "cancelled"],
  success: [],
  error: [],
  cancelled: [],
} as const satisfies Record<string, readonly string[]>;
export type CallStatus = keyof typeof NEXT;
export type SettledStatus = { [S in CallStatus]: (typeof NEXT)[S] extends readonly [] ? S : never }[CallStatus];

/** Whether a state has no way out. */
export const isSettled = (status: CallStatus): status is SettledStatus => NEXT[status].length === 0;

/** Why a call ended in `error`. */
export const ERRORS = {
  unknown_tool: "No tool has this name.",
  bad_arguments: "The arguments do not fit the tool.",
  duplicate_id: "A call with this id was accepted before.",
  cut_off: "A call with this id was under way when an earlier process ended.",
  unknown_need: "It needs a call that was never accepted.",
  need_cycle: "It needs itself, directly or through others.",
  denied: "A rule denies it.",
  nobody_to_ask: "It needs approval, and no one can be asked here.",
  too_long: "It needs approval, but it is too long to show in full. Split it into smaller calls.",
  changed: "It changed after it was approved, so it did not run. Call the tool again.",
  not_recorded: "It could not be recorded, so it did not run.",
  tool_failed: "The tool failed.",
  deadline: "The tool did not finish in time.",
} as const satisfies Record<string, string>;
export type ErrorCode = keyof typeof ERRORS;

/** Why a call ended in `cancelled`. */
export const CANCELLATIONS = {
  denied: "The user denied it.",
  approval_timeout: "No answer in time, which counts as a denial.",
  stopped: "The user denied another call and stopped everything.",
  need_failed: "A call that it needs did not succeed.",
  held: "The run is on hold.",
  cancelled: "It was cancelled.",
  aborted: "Its batch was cancelled.",
  mode_changed: "The rules changed before it started, and now deny it.",
  disposed: "The scheduler was closed.",
} as const satisfies Record<string, string>;
export type CancelCode = keyof typeof CANCELLATIONS;

/**
 * What is known of the tool's doing when its call ended otherwise than in success:
 * it never started, it returned, it failed, or it was still at work (and may yet do something).
 */
export type Effect = "none" | "done" | "failed" | "unknown";

/** The end of what the tool printed while it worked. `dropped` counts the characters cut off in front. */
export interface Output {
  readonly text: string;
  readonly dropped: number;
}

interface Validating {
  readonly status: "validating";
  readonly request: CallRequest;
}
interface AwaitingApproval {
  readonly status: "awaiting_approval";
  readonly request: CallRequest;
  readonly approval: Approval;
}
interface Scheduled {
  readonly status: "scheduled";
  readonly request: CallRequest;
}
interface Executing {
  readonly status: "executing";
  readonly request: CallRequest;
  readonly startedAt: number;
}
interface Success {
  readonly status: "success";
  readonly request: CallRequest;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly value: unknown;
  readonly output: Output;
}
interface Failure {
  readonly status: "error";
  readonly request: CallRequest;
  readonly endedAt: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly effect: Effect;
  readonly output: Output;
}
interface Cancelled {
  readonly status: "cancelled";
  readonly request: CallRequest;
  readonly endedAt: number;
  readonly code: CancelCode;
  readonly message: string;
  readonly effect: Effect;
  readonly output: Output;
}
/** A call that has ended. */
export type SettledCall = Success | Failure | Cancelled;
export type Call = Validating | AwaitingApproval | Scheduled | Executing | SettledCall;

/** A question to you about one call. The call's id is its address; a call asks one question at a time. */
export interface Approval {
  readonly call: string;
  readonly tool: string;
  /** All of what would be done, at most `MOST_APPROVED` bytes; old logs hold one line of it. */
  readonly what: string;
  /** SHA-256 of the tool, its arguments and what they would change: what runs has the same. Absent in old logs. */
  readonly digest?: string;
  /** Name of the rule that asks, or the tool's own words when it asks while it works. */
  readonly because: string;
  readonly askedAt: number;
  /** When silence counts as a denial; absent: its host waits until you answer. */
  readonly endsAt?: number;
  /** `what` is a command and nothing else; absent: a change to files, arguments, or not known. */
  readonly shows?: "command";
  /** What "always this" would allow, in words; absent when it cannot be said exactly. */
  readonly always?: string;
  /** "Always this tool" is not on offer: it asks in the middle of its work, or its host has no such answer. */
  readonly alwaysTool?: false;
  /** `what` is all of a command, and another one can be put in its place. */
  readonly editable?: true;
}

/** What cannot be shown whole cannot be approved: UTF-8 bytes. */
export const MOST_APPROVED = 64 * 1024;

/** So much of a digest names an approval to a person: no other call can be made to have the same in the time it waits. */
export const shortDigest = (digest: string): string => digest.slice(0, SHORT);
export const SHORT = 12;

/** Late news about a settled call is normal: it may not move any more, and nothing throws. */
export function mayMove(from: CallStatus, to: CallStatus): boolean {
  const ways: readonly CallStatus[] = NEXT[from];
  return ways.includes(to);
}

export const NO_OUTPUT: Output = { text: "", dropped: 0 };
