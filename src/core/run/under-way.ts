import type { Ledger } from "./run.ts";

/** The agent is in a turn, or was sent into one; a host that ends here cut it off. */
export const isUnderWay = ({ turn, nudge, boundary }: Pick<Ledger, "turn" | "nudge" | "boundary">): boolean =>
  turn !== undefined || nudge !== undefined || boundary === undefined;
