import type {
  Approval,
  Call,
  CallRequest,
  CancelCode,
  ErrorCode,
  Outcome,
  Rule,
  SettledCall,
} from "../core/call/index.ts";
import type { Timer } from "../engine/index.ts";
import type { Plan } from "./intake.ts";
import type { TextTail } from "./text-tail.ts";
import type { Permission } from "./tool.ts";
import type { Wording } from "./wording.ts";

/** One call on its way through the scheduler. Its state changes only through `move`. */
export interface Work {
  /** Its arguments change when the user edits them. */
  request: CallRequest;
  readonly batch: Batch;
  readonly index: number;
  call: Call;
  /** What would be done; undefined for a call that was refused at the door. */
  plan: Plan | undefined;
  asked: Asked | undefined;
  execution: Execution | undefined;
  /** The user said yes to it: only a denial stands against it. */
  isApproved: boolean;
  /** Digest of what was approved; nothing else runs. */
  approved: string | undefined;
  /** Its intent stands in the log, so its outcome must too. */
  isIntended: boolean;
  /** Which version of the rules it was judged by. */
  judgedBy: number;
}

/** A hold is the user's word to the agent: what they ask for themselves, and our own tools, continue. */
export const bowsToHold = ({ request, plan }: Work): boolean => plan?.tool.kind !== "own" && request.by !== "human";

/** Calls that were asked for together and are answered together. */
export interface Batch {
  readonly id: string;
  readonly results: (SettledCall | undefined)[];
  /** Those that are not settled, by their place in the batch. */
  readonly works: (Work | undefined)[];
  open: number;
  readonly counts: { success: number; error: number; cancelled: number };
  readonly digests: Set<string>;
  omitted: number;
  readonly answer: PromiseWithResolvers<readonly SettledCall[]>;
  /** Stops listening to the caller's signal. */
  forget: () => void;
}

/** A question to the user. It can be answered from the moment it is in the log. */
export interface Asked {
  readonly approval: Approval;
  readonly offer: readonly Rule[] | undefined;
  /** Answers the tool that asked in the middle of its work; absent when the question is whether to begin. */
  readonly reply: ((permission: Permission | undefined) => void) | undefined;
  isOpen: boolean;
  answer: Given | undefined;
}

export interface Given {
  readonly outcome: Outcome;
  readonly words: string;
  /** Arguments that the user put in place of the given ones. */
  readonly plan?: Plan;
  /** What they make the call do. */
  readonly wording?: Wording;
}

/** A tool at work. */
export interface Execution {
  attempt: number;
  readonly startedAt: number;
  /** Absent while nothing was printed. */
  output: TextTail | undefined;
  controller: AbortController | undefined;
  /** Why it must end; set once. */
  stopping: Stop | undefined;
  /** Fires when its time is up, when the grace is over, or when a late tool is given up. */
  timer: Timer | undefined;
  /** What is left of its deadline while it waits for a user; undefined if it has none. */
  leftMs: number | undefined;
  deadlineAt: number | undefined;
  printing: Timer | undefined;
  questions: number;
}

export type Stop =
  | { readonly status: "cancelled"; readonly code: CancelCode; readonly message: string }
  | { readonly status: "error"; readonly code: ErrorCode; readonly message: string };
