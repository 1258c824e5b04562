import { rmSync } from "node:fs";
import { atExit, attempt } from "../../machine/index.ts";
import type { Entries } from "../snapshot/index.ts";
import type { Listing } from "./folder-listing.ts";

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
}

/** One room for each project, kept for the next check: laying out a large one anew takes longer than most checks. */
export interface KeptRooms {
  take(root: string): KeptRoom | undefined;
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

/** What is left of it is removed when the next run begins. */
export const removeRoom = (folder: string): void => {
  attempt(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
};
