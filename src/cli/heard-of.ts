import { isGone, type RunCard } from "../engine/index.ts";
import type { HomeStore } from "./home.ts";

/** When the run was heard of last, and whether the process that drove it is known to be dead. */
export const heardOf = (store: HomeStore, card: RunCard) => ({
  heardAt: card.updated,
  isGone: isGone(card, store.drivers.of(card)),
});
