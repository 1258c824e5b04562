import { checkKey, commandLine, type OwnedCheck } from "../core/continuation/index.ts";
import type { FirstResult, Receipt } from "../core/run/index.ts";
import type { Check } from "../core/todo/index.ts";
import type { RoomWord } from "./room/judge-in-room.ts";
import type { Tried } from "./room/room-ports.ts";
import type { CommandEnd } from "./run-command.ts";
import { ROOM_SAYS } from "./verify/repeat-check.ts";

/** How one run of a check went. */
export interface Result {
  readonly end: CommandEnd;
  readonly at: number;
  readonly durationMs: number;
  readonly digest: string;
  readonly tail: string;
  readonly confined: boolean;
  readonly why?: string | undefined;
  /** Nothing in the project changed while it ran; absent: not looked at. */
  readonly isStill?: boolean;
}

export const toldOf = (check: Check, { end, tail, digest, durationMs, confined, why }: Result): Tried => ({
  end: sayEnd(end),
  status: statusOf(check, end),
  ...(end.status === "exited" && { exit: end.exit }),
  durationMs,
  digest,
  tail,
  confined,
  why,
});

/** Undefined: it passed. */
export function sayEnd(end: CommandEnd): string | undefined {
  if (end.status !== "exited") return end.status.replace("_", " ");
  return end.exit === 0 ? undefined : `exit ${end.exit}`;
}

export function receiptOf(
  { owner, check }: OwnedCheck,
  { end, at, durationMs, digest, tail }: Result,
  workspace: string | undefined,
  word: RoomWord | undefined,
  first: FirstResult | undefined,
): Receipt {
  return {
    key: checkKey(owner, check),
    owner,
    command: commandLine(check),
    status: statusOf(check, end),
    ...(end.status === "exited" && { exit: end.exit }),
    durationMs,
    ...(workspace !== undefined && { workspace }),
    digest,
    tail: word?.tail === undefined ? tail : `${tail}${ROOM_SAYS}${word.tail}`,
    askedBy: check.by,
    suspect: word?.suspect ?? false,
    ...(word?.doubt !== undefined && { doubt: word.doubt }),
    ...(first && { first: first.status }),
    ...(word && { proof: word.proof }),
    at,
  };
}

/** With 127 a shell says that there is no such command, with 126 that it cannot be run: nothing was tried. */
function statusOf({ run }: Check, end: CommandEnd): Receipt["status"] {
  switch (end.status) {
    case "exited":
      if (end.exit === 0) return "passed";
      return typeof run === "string" && (end.exit === 126 || end.exit === 127) ? "not_runnable" : "failed";
    case "killed":
      return "failed";
    case "not_started":
      return "not_runnable";
    case "timed_out":
    case "cut_short":
      return end.status;
  }
}
