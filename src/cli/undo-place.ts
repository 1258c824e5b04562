import { undoPlace as placeIn, midWorkRefusal as refusalIn, type UndoHome, type UndoPlace } from "../compose/index.ts";
import { directories } from "../config/index.ts";
import type { RunCard } from "../engine/index.ts";
import type { HomeStore } from "./home.ts";
import type { Io } from "./io.ts";
import { spokenHere } from "./speaker.ts";

/** Where the work of a run is looked at and taken back. */
export const undoPlace = (store: HomeStore, card: RunCard, io: Io): Promise<UndoPlace> =>
  placeIn(homeOf(store, io), card, spokenHere(store, io));

export const midWorkRefusal = (store: HomeStore, card: RunCard, io: Io): string | undefined =>
  refusalIn(homeOf(store, io), card);

const homeOf = (store: HomeStore, io: Io): UndoHome => ({
  ...{ store, env: io.env, now: io.now },
  state: directories({ env: io.env, home: io.home }).state,
});
