import type { RunCard } from "../engine/index.ts";
import type { Row } from "./database.ts";

/** An event as a row: the envelope in columns, the event itself as JSON text. */
export type EventRow = readonly [seq: number, at: number, by: string, v: number, event: string];

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
