import type { ChildProcess } from "node:child_process";

/**
 * A confined command dies with us because the kernel is asked to see to it - but only once it has started so far. Until then it
 * asks on this file whether we are still there, and ends where nobody answers.
 */
export const LIFELINE = 3;

/** Answers the question of a command that was started with a pipe as file 3; what it gives ends the command that has not asked yet. */
export function holdLifeline(child: ChildProcess): () => void {
  const line = child.stdio[LIFELINE];
  if (!line || !("write" in line)) return () => {};
  line.on("error", () => {}); // it ended before it heard the answer
  line.once("data", () => line.end("\n"));
  const drop = () => void line.destroy();
  child.once("exit", drop);
  return drop;
}
