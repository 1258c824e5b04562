import type { Run } from "../core/run/index.ts";

type State =
  | { readonly status: "none" }
  | { readonly status: "ours"; readonly run: string; readonly epoch: number; readonly leave: (() => void) | undefined };

/**
 * The claim of this process on the run of a session: none --take--> ours, by its epoch; another run's replaces it. `enter` says to other
 * processes that this one drives, until what it gives is called; absent: they are not told.
 */
export function createOwnClaim(enter: (() => () => void) | undefined) {
  let state: State = { status: "none" };
  return { take, has, drives, epochOf, drop };

  function take({ id, ledger }: Run): void {
    const leave = state.status === "ours" ? state.leave : enter?.();
    state = { status: "ours", run: id, epoch: ledger.claim.epoch, leave };
  }

  function has({ id }: Run): boolean {
    return state.status === "ours" && state.run === id;
  }

  /** No other process has taken the run over since. */
  function drives(run: Run): boolean {
    return has(run) && epochOf(run) === run.ledger.claim.epoch;
  }

  function epochOf({ id }: Run): number {
    return state.status === "ours" && state.run === id ? state.epoch : UNCLAIMED;
  }

  function drop(): void {
    if (state.status === "ours") state.leave?.();
    state = { status: "none" };
  }
}

export type OwnClaim = ReturnType<typeof createOwnClaim>;

/** No claim has it: claims count from 1. */
const UNCLAIMED = 0;
