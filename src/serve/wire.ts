import type { Report } from "../core/report/index.ts";
import type { Ask, CheckView, RunView } from "../core/view/index.ts";
import type { RunRow } from "../engine/index.ts";
import type { Device } from "./access/index.ts";

/** What the server tells the page. Every text in it is data that others wrote. */

/** What waits for you, and in which run. */
export interface InboxItem extends Ask {
  readonly run: string;
  readonly host: string;
  readonly cwd: string;
  readonly goal?: string;
}

export interface RowShown extends RunRow {
  /** A worker of the fleet works on it; its files are not on this machine. */
  readonly isOfFleet?: true;
}

/** Everything that a list of runs and the inbox show, and the position from which the events follow. */
export interface Board {
  readonly last: string;
  readonly now: number;
  readonly rows: readonly RowShown[];
  readonly inbox: readonly InboxItem[];
  /** This machine belongs to a fleet. */
  readonly hasFleet?: true;
  /** Why runs of the fleet are missing or old. */
  readonly away?: string;
}

/** One line of the event stream. `run`: it moved, and this is how it stands. `fleet`: why it cannot be reached, or that it can again. */
export type Change =
  | { readonly type: "run"; readonly row: RowShown; readonly inbox: readonly InboxItem[] }
  | { readonly type: "fleet"; readonly away?: string }
  | { readonly type: "gone"; readonly run: string };

export interface CheckShown extends CheckView {
  /** The end of what it printed last. */
  readonly output?: string;
}

export type TodoShown = RunView["todos"][number] &
  Pick<Report["todos"][number], "tokens" | "cost" | "activeMs" | "continuations" | "changes"> & {
    readonly shown: readonly CheckShown[];
  };

/** One run, whole. */
export interface RunPage
  extends Pick<
    RunView,
    | "run"
    | "host"
    | "session"
    | "cwd"
    | "goal"
    | "status"
    | "state"
    | "active"
    | "count"
    | "decision"
    | "messages"
    | "workflow"
    | "uncovered"
    | "budgets"
    | "spent"
    | "began"
  > {
  readonly seq: number;
  readonly now: number;
  readonly held: boolean;
  readonly row: RowShown;
  readonly inbox: readonly InboxItem[];
  readonly todos: readonly TodoShown[];
  readonly checks: readonly CheckShown[];
  readonly verdict: Report["verdict"];
  readonly doubts: Report["doubts"];
  readonly timeline: Report["timeline"];
  readonly spend: Report["spend"];
  /** The newest, the newest first. */
  readonly decisions: Report["decisions"];
  readonly events: Report["events"];
  readonly hiddenEvents: number;
  /** Whether the last undo can be taken back. */
  readonly hasUndone: boolean;
}

export interface DiffShown {
  readonly files: readonly { readonly path: string; readonly added: number; readonly removed: number }[];
  readonly diff: string;
  readonly isCut: boolean;
}

/** What you say to a run. `id` names this one click. */
export type Saying =
  | { readonly type: "hold"; readonly now: boolean }
  | { readonly type: "unhold"; readonly text: string }
  | { readonly type: "say"; readonly text: string; readonly later: boolean }
  | { readonly type: "add"; readonly text: string; readonly priority?: Priority; readonly askFirst: boolean }
  | { readonly type: "mark"; readonly todo: string; readonly as: Mark }
  | { readonly type: "change"; readonly todo: string; readonly text?: string; readonly priority?: Priority }
  | { readonly type: "move"; readonly todo: string; readonly to: number }
  | { readonly type: "extend"; readonly budget: Readonly<Partial<Record<BudgetName, number>>> }
  | { readonly type: "accept" }
  | { readonly type: "answer"; readonly ask: string; readonly outcome: AnswerOutcome; readonly words: string }
  /** Approves the call with another command in its place. */
  | { readonly type: "edit"; readonly ask: string; readonly command: string }
  | { readonly type: "undo"; readonly todo?: string }
  | { readonly type: "redo" }
  /** Ends a run of the fleet for good. */
  | { readonly type: "cancel" };

export const MARKS = ["done", "drop", "unblock", "release", "reopen"] as const;
export type Mark = (typeof MARKS)[number];
export const BUDGETS = ["tokens", "cost", "minutes", "continuations"] as const;
export type BudgetName = (typeof BUDGETS)[number];
export const OUTCOMES = ["once", "always_rule", "always_tool", "denied", "stopped"] as const;
export type AnswerOutcome = (typeof OUTCOMES)[number];
export type Priority = "high" | "medium" | "low";

/** What became of it. `taken`: another answer was first. */
export interface Answered {
  readonly status: "done" | "unchanged" | "refused" | "taken";
  readonly text: string;
}

export interface Paired {
  readonly token: string;
  readonly device: Device;
}

/** A way in for another device. `qr`: a square of dark and light, row by row. */
export interface Invitation {
  readonly address: string;
  readonly endsAt: number;
  readonly qr: readonly (readonly boolean[])[];
  /** Only this machine can reach it. */
  readonly isLocal: boolean;
}
