import type { Facts } from "./facts.ts";

/** Something was done for the first time. */
export function progress(facts: Facts, how: "clearly" | "perhaps"): void {
  resetCounters(facts);
  if (facts.turn) facts.turn.progressed = true;
  takenUp(facts, how);
}

export function resetCounters(facts: Facts): void {
  facts.idle = 0;
  facts.still = 0;
  facts.nudged = 0;
}

/** Work in the turn that the user's words began. */
export function takenUp(facts: Facts, how: "clearly" | "perhaps"): void {
  const isIn = (interrupt: { turn?: string } | undefined) =>
    interrupt?.turn !== undefined && interrupt.turn === facts.turn?.id;
  if (isIn(facts.interrupted)) facts.interrupted = undefined;
  if (how === "clearly" && isIn(facts.maybeInterrupted)) facts.maybeInterrupted = undefined;
}
