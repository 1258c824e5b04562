import type { ChildProcess } from "node:child_process";

/**
 * A confined command dies with us because the kernel is asked to see to it - but only once it has started so far. Before it begins it
 * writes to this file, which fails where we are gone.
 */
export const LIFELINE = 3;

/** Holds the other end of file 3 of a command that was started with a pipe there; what it gives ends one that has not begun yet. */
export function holdLifeline(child: ChildProcess): () => void {
  const line = child.stdio[LIFELINE];
  if (!line) return () => {};
  line.on("error", () => {});
  line.on("data", () => {});
  const drop = () => void line.destroy();
  child.once("exit", drop);
  return drop;
}
