import type { Ask } from "../core/view/index.ts";
import type { ReadRun } from "../engine/index.ts";

/** A run in the list on the left. */
export interface Listed {
  readonly run: string;
  readonly goal: string;
  readonly place: string;
  readonly word: string;
  readonly count: string;
  readonly asks: number;
  readonly tone: "good" | "attention" | "over";
}

export interface Chosen {
  readonly read: ReadRun;
  /** The last decisions, the newest first, each with its time of day. */
  readonly decisions: readonly string[];
}

/** What is known of the runs; read again and again. */
export interface TopData {
  readonly runs: readonly Listed[];
  /** Older ones that are not listed. */
  readonly hidden: number;
  readonly chosen?: Chosen;
  /** Why runs of the fleet are missing or old. */
  readonly away?: string;
}

export type Mode =
  | { readonly type: "runs" }
  /** `top` is the first row shown; `seen` the last row that was on the screen. */
  | { readonly type: "answer"; readonly run: string; readonly ask: Ask; readonly top: number; readonly seen: number }
  | { readonly type: "write"; readonly for: Writing; readonly text: string };

export type Writing =
  | { readonly type: "search" }
  | { readonly type: "say"; readonly run: string }
  | { readonly type: "deny"; readonly run: string; readonly call: string };

export interface TopState {
  readonly mode: Mode;
  readonly selected: string | undefined;
  readonly search: string;
  /** The result of the last key, until the next one. */
  readonly notice: string;
}

export const FIRST: TopState = { mode: { type: "runs" }, selected: undefined, search: "", notice: "" };

/** What a key asks for besides a change of the screen. */
export type Act =
  | { readonly type: "quit" }
  | { readonly type: "hold" | "unhold"; readonly run: string }
  | { readonly type: "say"; readonly run: string; readonly text: string }
  | { readonly type: "approve"; readonly run: string; readonly call: string; readonly how: "once" | "always_rule" }
  | { readonly type: "deny"; readonly run: string; readonly call: string; readonly words: string };

/** Those that fit what is searched for. */
export function shownRuns({ runs }: TopData, search: string): readonly Listed[] {
  const wanted = search.toLowerCase();
  return wanted === ""
    ? runs
    : runs.filter(({ run, goal, place, word }) => `${run} ${goal} ${place} ${word}`.toLowerCase().includes(wanted));
}

/** The run that keys are about: the one you chose, else the first. */
export function selectedRun(data: TopData, { selected, search }: TopState): Listed | undefined {
  const shown = shownRuns(data, search);
  return shown.find(({ run }) => run === selected) ?? shown[0];
}
