import type { Persona } from "../../src/testing/index.ts";

/** What came of one persona on one system. */
export type Cell =
  | {
      readonly status: "ran";
      /** The project's own check passes at the end: the work is really done. */
      readonly finished: boolean;
      /** What the system says: that it is done, or that it is not. */
      readonly claims: "done" | "not done";
      readonly reason: string;
      readonly requests: number;
      /** Characters of the newest user message that the mechanism added, over all requests. */
      readonly added: number;
      readonly ms: number;
    }
  | { readonly status: "not run"; readonly why: string };

export interface System {
  readonly name: string;
  /** Undefined: it can be run here. */
  readonly unavailable?: string;
  readonly play: (persona: Persona) => Promise<Cell>;
}

/** A persona that can be finished is finished by its script when nobody stops it. */
export const canFinish = (persona: Persona): boolean => persona.ends.reason === "all_done";

/** The fewest requests that finish it: each answer of the script is one. */
export function fewestRequests(persona: Persona): number {
  const plays = persona.plays();
  let count = 0;
  for (;;) {
    const { done } = plays.next({ user: "", results: [], turn: 1 });
    if (done || count > 1000) return count;
    count++;
  }
}

export type Verdict = "good" | "bad" | "not run";

/** Finished where it can be, stopped where it must be, and never said to be what it is not. */
export function verdict(persona: Persona, cell: Cell): Verdict {
  if (cell.status === "not run") return "not run";
  const truthful = cell.claims === "done" ? cell.finished : true;
  if (canFinish(persona)) return cell.finished && truthful ? "good" : "bad";
  return truthful && cell.requests < RUNAWAY ? "good" : "bad";
}

/** A system that asks a runaway more often than this does not stop by itself; the script ends it. */
export const RUNAWAY = 150;
