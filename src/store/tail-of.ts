import { type Envelope, isUnread, readRow, type Unread } from "../core/run/index.ts";
import type { Tail } from "../engine/index.ts";
import { type EventRow, parsed } from "./row.ts";

/** What rows say. It needs all that is known of events: a hook that finds no run is spared loading it. */
export function tailOf(rows: readonly EventRow[], after: number): Tail {
  const events: Envelope[] = [];
  const unread: Unread[] = [];
  for (const [seq, at, by, v, text] of rows) {
    const read = readRow({ seq, at, by, v, event: parsed(text) });
    if (isUnread(read)) unread.push(read);
    else events.push(read);
  }
  return { events, unread, last: rows.at(-1)?.[0] ?? after };
}
