import type { Actor, Envelope } from "./event.ts";
import { isKnownType, versionOf } from "./event-table.ts";
import { problemOf } from "./problem-of.ts";

/** A row of a log as it stands there: whatever a disk, a hand or another version of tildone left. */
export interface LogRow {
  readonly seq: number;
  readonly at: number;
  readonly by: string;
  readonly v: number;
  readonly event: unknown;
}

/** A row that is not believed. `newer`: it says what only a later version of tildone knows. */
export interface Unread {
  readonly seq: number;
  readonly status: "damaged" | "newer";
  readonly problem: string;
  /** What stands there, as far as it is an event at all. */
  readonly row?: LogRow;
}

/** The one place where a row becomes an event: what comes out of here is trusted everywhere. */
export function readRow(row: LogRow): Envelope | Unread {
  const { seq, at, by, v, event } = row;
  if (!isEvent(event)) return { seq, status: "damaged", problem: problemOfNone(event) };
  if (!isTime(at)) return { seq, status: "damaged", problem: "its time is not a number", row };
  if (v > FIRST && v > versionOf(event.type))
    return newer(row, `"${event.type}" was written by a newer tildone (version ${v})`);
  const problem = problemOf(event);
  if (problem !== undefined) return { seq, status: isKnownType(event.type) ? "damaged" : "newer", problem, row };
  if (!ACTORS.has(by)) return newer(row, `unknown author "${by}"`);
  return row as Envelope; // that is what all of the above has shown
}

export const isUnread = (read: Envelope | Unread): read is Unread => "problem" in read;

const newer = (row: LogRow, problem: string): Unread => ({ seq: row.seq, status: "newer", problem, row });

const problemOfNone = (event: unknown): string => (event === undefined ? "not JSON" : "not an event: it has no type");

const FIRST = 1;

/** What a calendar can show. */
const isTime = (at: number): boolean => Math.abs(at) <= 8.64e15;

const isEvent = (event: unknown): event is { readonly type: string } =>
  typeof event === "object" && event !== null && "type" in event && typeof event.type === "string";

const ACTORS: ReadonlySet<string> = new Set(
  Object.keys({ human: 0, plan: 0, model: 0, subagent: 0, engine: 0, host: 0 } satisfies Record<Actor, 0>),
);
