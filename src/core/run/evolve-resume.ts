import type { Reset } from "../reason/index.ts";
import type { LedgerEvent } from "./event.ts";
import type { Boundary, Ledger } from "./run.ts";

/** The person continues: what is named is set back, and what the old boundary was stopped by stays behind with it. */
export function resumed(ledger: Ledger, event: LedgerEvent & { type: "human.resumed" }, at: number): Ledger {
  const { boundary: id, budget, checks = [], resets } = event;
  const next = resets.reduce((now, reset) => SET_BACK[reset]?.(now) ?? now, ledger);
  return {
    ...next,
    ...(budget && { budget: { ...next.budget, ...budget }, woundDown: false }),
    ...(checks.length > 0 && { checks: [...next.checks, ...checks] }),
    ...(id !== undefined && {
      boundaries: next.boundaries + 1,
      boundary: freshBoundary(id, at),
    }),
  };
}

/** Nothing was decided about it yet: the process that drives the run does. */
export const freshBoundary = (id: string, at: number): Boundary => ({
  id,
  at,
  question: false,
  round: "none",
  status: "parked",
  undecided: true,
});

const SET_BACK: Readonly<Record<Reset, (ledger: Ledger) => Ledger>> = {
  hold: (ledger) => ({ ...ledger, held: false, ...(ledger.turn && { turn: { ...ledger.turn, held: false } }) }),
  interrupt: ({ interrupt: _over, ...ledger }) => ledger,
  switch: (ledger) => ({ ...ledger, off: false }),
  failures: (ledger) => ({ ...ledger, failures: { tries: 0, windows: 0 }, unsent: { tries: 0, at: 0 } }),
  progress: (ledger) => ({ ...ledger, since: { nudged: 0, idle: 0, still: 0 }, addedProgress: 0 }),
  questions: (ledger) => ({ ...ledger, asked: 0 }),
  list: (ledger) => ({ ...ledger, listAsked: false }),
  mode: (ledger) => ({ ...ledger, readOnly: false }),
  blocked: (ledger) => ledger, // items of the list: their own event says so
};
