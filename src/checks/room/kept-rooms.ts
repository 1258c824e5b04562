import { rmSync } from "node:fs";
import { atExit, attempt } from "../../machine/index.ts";
import type { Entries } from "../snapshot/index.ts";
import { type Listing, listAgain, type Relisted } from "./folder-listing.ts";

/** A room after a check, with what it would have to look like if nothing had happened in it. */
export interface KeptRoom {
  readonly folder: string;
  readonly work: string;
  readonly entries: Entries;
  /** Names the entries. */
  readonly tree: string;
  /** Folders and links that are no entries. */
  readonly besides: string;
  readonly listing: Listing;
  /** How it lies there now, where that is being looked at already. */
  readonly relisted?: Promise<Relisted>;
}

/** One room for each project, kept for the next check: laying out a large one anew takes longer than most checks. */
export interface KeptRooms {
  take(root: string): KeptRoom | undefined;
  /** It stays kept. */
  peek(root: string): KeptRoom | undefined;
  put(root: string, room: KeptRoom): void;
}

export function keepRooms(): KeptRooms {
  const rooms = new Map<string, KeptRoom>();
  let isWatched = false;
  return {
    take(root) {
      const room = rooms.get(root);
      rooms.delete(root);
      return room;
    },
    peek: (root) => rooms.get(root),
    put(root, room) {
      const other = rooms.get(root);
      if (other) removeRoom(other.folder);
      rooms.set(root, room);
      if (isWatched) return;
      isWatched = true;
      atExit(() => {
        for (const { folder } of rooms.values()) removeRoom(folder);
      });
    },
  };
}

/** The same, with a room that is listed from now on: it takes as long as the look at the project itself, and needs none of it. */
export function lookAhead(kept: KeptRooms, root: string): KeptRooms {
  const known = kept.peek(root);
  if (!known) return kept;
  const relisted = listAgain(known.work, known.listing);
  relisted.catch(() => {}); // told where it is awaited
  return {
    ...kept,
    take(asked) {
      const room = kept.take(asked);
      return room === known ? { ...room, relisted } : room; // after the next check it lies there otherwise
    },
  };
}

/** What is left of it is removed when the next run begins. */
export const removeRoom = (folder: string): void => {
  attempt(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
};
