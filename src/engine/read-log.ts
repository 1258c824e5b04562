import type { Envelope, Unread } from "../core/run/index.ts";
import type { Log, Tail } from "./ports.ts";

/** One row of a log: an event that can be believed, or why it cannot. */
export type LogEntry = { readonly seq: number; readonly envelope: Envelope } | Unread;

/** Rows that are held in memory at a time. */
const PAGE = 1000;

/** The log of a run from its beginning, or after a position, row by row: one that cannot be read hides no other. */
export function* readLog(log: Log, run: string, after = 0): Generator<LogEntry> {
  for (let at = after, tail = log.read(run, at, PAGE); tail.last > at; at = tail.last, tail = log.read(run, at, PAGE))
    yield* entriesOf(tail);
}

/** Only what can be read; the rest goes to the caller, who may count it. */
export function* readEvents(log: Log, run: string, unread: (entry: Unread) => void = () => {}): Generator<Envelope> {
  for (const entry of readLog(log, run)) {
    if ("envelope" in entry) yield entry.envelope;
    else unread(entry);
  }
}

function entriesOf({ events, unread }: Tail): readonly LogEntry[] {
  const read = events.map((envelope): LogEntry => ({ seq: envelope.seq, envelope }));
  return unread.length === 0 ? read : [...read, ...unread].sort((a, b) => a.seq - b.seq);
}
