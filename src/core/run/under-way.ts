import type { Ledger, Run } from "./run.ts";

/** The agent is in a turn, or was sent into one; a host that ends here cut it off. */
export const isUnderWay = ({ turn, nudge, boundary }: Pick<Ledger, "turn" | "nudge" | "boundary">): boolean =>
  turn !== undefined || nudge !== undefined || boundary === undefined;

/** Something was to happen by itself: with the process that it needs, that is cut off. */
export const isMidWork = ({ status, ledger: { decision, turn } }: Run): boolean =>
  status === "live" && (turn !== undefined || decision?.type !== "stop");
