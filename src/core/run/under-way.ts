import type { Ledger, Run } from "./run.ts";

/** The agent is in a turn, or was sent into one; a host that ends here cut it off. */
export const isUnderWay = ({ turn, nudge, boundary }: Pick<Ledger, "turn" | "nudge" | "boundary">): boolean =>
  turn !== undefined || nudge !== undefined || boundary === undefined;

/** It was done, and then you undid work or had it judged again: what was decided holds no more, and nothing was decided since. */
export const isOpenAgain = ({ decision, turn, boundary }: Pick<Ledger, "decision" | "turn" | "boundary">): boolean =>
  decision === undefined && turn === undefined && boundary?.undecided === true;

/** Something was to happen by itself: with the process that it needs, that is cut off. */
export const isMidWork = ({ status, ledger }: Run): boolean =>
  status === "live" && (ledger.turn !== undefined || !(ledger.decision?.type === "stop" || isOpenAgain(ledger)));

/** The host tells of every turn and began none after our nudge: it had reached its own limit of continuations. */
export const isNudgeUntaken = ({ nudge, turn }: Pick<Ledger, "turn" | "nudge">): boolean =>
  nudge !== undefined && turn === undefined;

/**
 * Whether a turn that ended with its host may have been ended by you. Not where a supervisor started the host: it tells how its process
 * ended, and it has no terminal. And not where the host did not take our nudge.
 */
export const mayBeEndedByYou = (ledger: Pick<Ledger, "turn" | "nudge">, isSupervised: boolean): boolean =>
  !isSupervised && !isNudgeUntaken(ledger);
