/** How many calls run side by side, and how long they may take. */
export interface SchedulerLimits {
  /** How many tools may be at work at once. */
  readonly slots: number;
  /** How long a tool may take to end after it was told to; then its call ends without it. */
  readonly graceMs: number;
  /** How long a tool that did not end keeps its paths from others. */
  readonly lateMs: number;
  /** How long a question waits for an answer before it counts as denied. */
  readonly approvalMs: number;
  /** How long to wait for the journal before what was to be recorded counts as not recorded. */
  readonly journalMs: number;
  /** How much of a tool's output is kept, from its end. */
  readonly outputCharacters: number;
  /** At most one update about a call's output in this time. */
  readonly printEveryMs: number;
  /** How many calls may start before everything else in the process gets a turn. */
  readonly burst: number;
  /** How often one call may ask the user in the middle of its work. */
  readonly questionsPerCall: number;
}

/** The limits that hold unless you set others. */
export const LIMITS: SchedulerLimits = {
  slots: 10,
  graceMs: 250,
  lateMs: 30_000,
  approvalMs: 30 * 60_000,
  journalMs: 5_000,
  outputCharacters: 8_192,
  printEveryMs: 100,
  burst: 256,
  questionsPerCall: 20,
};
