/**
 * A command whose exit status proves something. A string is a shell line, a list is an argument vector.
 * `by` decides whether it may run: what the model gives is a proposal until a rule or the user allows it.
 */
export interface Check {
  readonly run: string | readonly string[];
  /** Relative to the run's directory, and inside it. */
  readonly cwd?: string;
  readonly timeoutMs?: number;
  readonly by: "human" | "plan" | "model";
  /** A model's proposal that a rule of the user or the user's word allows to run. */
  readonly allowed?: boolean;
  /** The rule has a `*`: it lets the check run, but the check is the model's own. */
  readonly byPattern?: boolean;
}
