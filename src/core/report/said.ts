import type { Envelope, Run, RunEvent } from "../run/index.ts";
import { type Attempt, attemptText, fromWhere, isAtTerminal, type Spoken } from "../speaker/index.ts";
import { exactLine } from "../text/index.ts";
import { moment } from "./amounts.ts";

/** A word of yours that was not said at a terminal, or that may have come from the agent. */
export interface ReportedWord {
  readonly at: number;
  readonly type: RunEvent["type"];
  readonly says: string;
  readonly from: Spoken;
  readonly where: string;
}

/** What you typed to the agent is its own affair; a list that you write goes with it. */
const TALK: ReadonlySet<RunEvent["type"]> = new Set(["human.spoke", "run.began"]);

export function wordNotAtTerminal({ at, by, event }: Envelope, says: string): readonly ReportedWord[] {
  const { type, from } = event;
  if (by !== "human" || from === undefined || isAtTerminal(from) || TALK.has(type)) return [];
  return [{ at, type, says: says.replace(/\.$/, ""), from, where: fromWhere(from) }];
}

/** What the agent tried in your name, and was refused. */
export interface RefusedAttempt {
  readonly at: number;
  readonly attempt: Attempt;
  readonly says: string;
  readonly from?: Spoken;
}

export function refusedAttempt({ at, event }: Envelope): readonly RefusedAttempt[] {
  if (event.type !== "attempt.refused") return [];
  const { attempt, from } = event;
  return [{ at, attempt, says: attemptText(event, exactLine), from }];
}

/** A todo that you took off the list. */
export interface RemovedTodo {
  readonly at: number;
  readonly text: string;
  readonly where?: string;
}

/** `run` is the run before the event. */
export function removedByYou({ at, by, event }: Envelope, { plan }: Run): readonly RemovedTodo[] {
  if (by !== "human" || event.type !== "todo.removed") return [];
  return event.ids.map((id) => ({
    at,
    text: plan.todos.find((todo) => todo.id === id)?.text ?? id,
    ...(event.from && { where: fromWhere(event.from) }),
  }));
}

export const removedLine = (at: number, text: string, where: string | undefined): string =>
  `${moment(at)} ${text}${where === undefined ? "" : ` (${where})`}`;
