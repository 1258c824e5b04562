import { versionOf } from "../core/run/index.ts";
import type { RunCard, Stored, Tail } from "../engine/index.ts";
import type { Row } from "./database.ts";

/** An event as a row: the envelope in columns, the event itself as JSON text. */
export type EventRow = readonly [seq: number, at: number, by: string, v: number, event: string];

export function tailOf(rows: readonly EventRow[], after: number): Tail {
  const events: Stored[] = [];
  const damaged: { seq: number; problem: string }[] = [];
  for (const [seq, at, by, v, text] of rows) {
    const event = parsed(text);
    if (isEvent(event) && v <= versionOf(event.type) && isTime(at)) events.push({ seq, at, by, v, event });
    else damaged.push({ seq, problem: isTime(at) ? problemOf(event, v) : "its time is none" });
  }
  return { events, damaged, last: rows.at(-1)?.[0] ?? after };
}

/** What a calendar can show. */
const isTime = (at: number): boolean => Math.abs(at) <= 8.64e15;

/** An event of a later version may mean something else than its type says here. */
function problemOf(event: unknown, v: number): string {
  if (event === undefined) return "not JSON";
  return isEvent(event)
    ? `"${event.type}" was written by a newer tildone (version ${v})`
    : "not an event: it has no type";
}

export function cardIn(row: Row): RunCard {
  const { run, host, session, cwd, live, began, updated, summary } = row as unknown as CardRow;
  return { run, host, session, cwd, live: live === 1, began, updated, summary: parsed(summary) };
}

interface CardRow extends Omit<RunCard, "live" | "summary"> {
  readonly live: number;
  readonly summary: string;
}

/** JSON has no `undefined`: it can stand for "not JSON". */
export function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isEvent = (event: unknown): event is { type: string } =>
  typeof event === "object" && event !== null && "type" in event && typeof event.type === "string";
