import { exactLine } from "../text/index.ts";
import type { RunEvent } from "./event.ts";
import { rowOf } from "./event-table.ts";
import type { Run } from "./run.ts";

/** One line of a log for a user. `run` is the run after the event, so that items can be named by their index. */
export function eventText(event: RunEvent, run: Run): string {
  const { line, means } = rowOf(event);
  return line?.(event, run, exactLine) ?? means;
}
