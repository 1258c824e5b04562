import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { attempt, isRunning, thisMachine } from "../../machine/index.ts";

const ROOM = /^tildone-room-(\d*)-(\d+)-/;

/** A new folder for a room; its name says which process it belongs to. */
export const makeRoomFolder = (scratch: string): string =>
  mkdtempSync(join(realpathSync(scratch), roomName(process.pid)));

export const roomName = (pid: number): string => `tildone-room-${space()}-${pid}-`;

/**
 * Removes the rooms of processes that were killed. A number that means another process by now keeps its room a while longer; in another
 * container it means nothing to us.
 */
export function removeAbandoned(scratch: string): void {
  const here = space();
  for (const name of attempt(() => readdirSync(scratch)) ?? []) {
    const [, where, pid] = ROOM.exec(name) ?? [];
    if (pid === undefined || where !== here || isRunning(Number(pid))) continue;
    // What its killed process started may still be writing there: then the next start removes the rest.
    attempt(() => rmSync(join(scratch, name), { recursive: true, force: true, maxRetries: 3 }));
  }
}

/** Containers number their processes each for itself. */
const space = (): string => /\d+/.exec(thisMachine().space)?.[0] ?? "";
