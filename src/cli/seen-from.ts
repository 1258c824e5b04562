import { OWN_HOST } from "../config/index.ts";
import type { Seen } from "../core/view/index.ts";
import { isGone, type RunCard } from "../engine/index.ts";
import type { HomeStore } from "./home.ts";
import { ENDS_NO_TURN } from "./hosts.ts";
import type { Io } from "./io.ts";

/** What is known of a run besides its log: when it was heard of last, and whether the process that drove it is dead. */
export const seenFrom = (store: HomeStore, card: RunCard, { now }: Pick<Io, "now">): Required<Seen> => ({
  now: now(),
  heardAt: card.updated,
  isGone: isGone(card, store.drivers.of(card)),
  endsNoTurn: ENDS_NO_TURN.has(card.host),
  isOurs: card.host === OWN_HOST,
});
