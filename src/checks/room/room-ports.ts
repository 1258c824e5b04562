import type { Receipt } from "../../core/run/index.ts";
import type { Check } from "../../core/todo/index.ts";
import type { RoomMaker } from "./make-room.ts";
import type { Prepare } from "./prepare-room.ts";
import type { RoomPlaces } from "./room-env.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface RoomPorts extends RoomMaker {
  readonly env: Environment;
  readonly protect: readonly string[];
  /** Globs of judging files that you let the agent change. */
  readonly touches: readonly string[];
  /** Installs dependencies where a lock file changed; absent: those of the project are used. */
  readonly prepare?: Prepare | undefined;
  /** Runs a check in a room; `end` undefined: it passed. */
  readonly tryIn: (check: Check, at: RoomRun, signal: AbortSignal) => Promise<Tried>;
}
export interface RoomRun {
  readonly root: string;
  readonly env: Environment;
  /** The room as a whole, for those who keep a command inside it. */
  readonly room: RoomPlaces;
  /** Nothing waits for it. */
  readonly low?: boolean;
  /** Runs once, with this and no more; absent: with more where it fails. */
  readonly exactly?: "room" | NonNullable<Tried["needs"]> | undefined;
}
export interface Tried {
  readonly end: string | undefined;
  readonly status: Receipt["status"];
  readonly exit?: number;
  readonly durationMs: number;
  readonly digest: string;
  readonly tail: string;
  readonly confined: boolean;
  /** Why it was not confined. */
  readonly why?: string | undefined;
  /** It passed only with more than a room has. */
  readonly needs?: "network" | "more" | undefined;
}
