import { eventTable } from "../../core/run/index.ts";

/** Grows with every kind of event and every new version of one: a log with a higher number holds what this tildone cannot read. */
export const LOG_VERSION = Object.values(eventTable()).reduce((sum, { v }) => sum + v, 0);
