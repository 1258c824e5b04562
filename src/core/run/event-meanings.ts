import type { RunEvent } from "./event.ts";
import { eventTable } from "./event-table.ts";

/** What each event of the log means, one sentence each. */
export const EVENTS = Object.fromEntries(
  Object.entries(eventTable()).map(([type, { means }]) => [type, means]),
) as Readonly<Record<RunEvent["type"], string>>;
