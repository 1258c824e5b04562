import { type Calibration, commandLine, decidesIn, firstKey } from "../../core/continuation/index.ts";
import type { FirstResult, Run } from "../../core/run/index.ts";
import type { Check } from "../../core/todo/index.ts";
import { composeRoom } from "../judge/compose-room.ts";
import { makeRoom } from "../room/make-room.ts";
import { environmentDigest, roomEnvironment } from "../room/room-env.ts";
import type { RoomPorts, RoomRun, Tried } from "../room/room-ports.ts";
import { lookAtRepository } from "../room/room-repository.ts";
import { type Surroundings, strayedSince } from "../room/surroundings.ts";
import { digestOf } from "../room/try-plan.ts";
import type { Snapshot } from "../snapshot/index.ts";
import type { GiveWay } from "./give-way.ts";
import { isAsBefore, isLargeAsBefore, isUntouched, marksOf } from "./standing-still.ts";

export interface FirstPorts extends RoomPorts {
  /** Runs a check in the project itself. */
  readonly tryInPlace: (check: Check, cwd: string, signal: AbortSignal) => Promise<Tried>;
  /** A check that works only in the project may be decided there. */
  readonly mayDecideInPlace: (check: Check) => boolean;
  readonly now: () => number;
}

type Tries = Parameters<Parameters<GiveWay["background"]>[0]>[0];

/** What a check says of the state from before the work; undefined: it was cut short, or the state is not known. */
export async function firstResult(
  ports: FirstPorts,
  { run, check }: { readonly run: Run; readonly check: Check },
  tries: Tries,
): Promise<FirstResult | undefined> {
  const { cwd } = run.origin;
  const guard = run.ledger.guards.run ?? run.ledger.guard;
  const before = guard === undefined ? undefined : await ports.snapshots.open(cwd, guard);
  if (!before || tries.signal.aborted) return undefined;
  const first = await inRoom(ports, cwd, before, check, tries);
  const at = ports.now(); // what changed around the room while it ran may have let it pass
  if (!first || isCut(first.tried, tries) || !(await hasKeptWhatIsLarge(ports, cwd, before))) return undefined;
  const { status } = first.tried;
  if (status === "cut_short" || status === "observed") return undefined;
  const told = await calibrate(ports, cwd, before, check, first.tried, tries);
  if (tries.signal.aborted) return undefined;
  return {
    key: firstKey(check),
    command: commandLine(check),
    status,
    ...(first.tried.exit !== undefined && { exit: first.tried.exit }),
    durationMs: first.tried.durationMs,
    digest: first.tried.digest,
    tail: status === "passed" ? "" : first.tried.tail.slice(-TAIL),
    proof: first.proof,
    ...(told.place !== undefined && { place: told.place }),
    decides: decidesIn(told),
    at,
  };
}

const TAIL = 2000;

const isCut = (tried: Tried, { signal }: Tries): boolean => signal.aborted || tried.status === "cut_short";

/** What was too large to keep came from the project: it says something of the time before the work only while it is as it was. */
async function hasKeptWhatIsLarge({ snapshots }: FirstPorts, cwd: string, before: Snapshot): Promise<boolean> {
  if (before.large.length === 0) return true;
  const now = await snapshots.take(cwd);
  return now.status === "taken" && isLargeAsBefore(before, now.snapshot);
}

/** Where a room lets the check pass there is nothing to compare: the room can judge it. */
async function calibrate(
  ports: FirstPorts,
  cwd: string,
  before: Snapshot,
  check: Check,
  first: Tried,
  tries: Tries,
): Promise<Calibration> {
  if (first.end === undefined) return { room: "passed" };
  if (!ports.mayDecideInPlace(check)) return { room: "failed" };
  const place = (await inPlace(ports, cwd, before, check, tries)) ?? (await inPlace(ports, cwd, before, check, tries));
  if (place !== "passed") return { room: "failed", place: place ?? "changed" };
  const again = tries.signal.aborted ? undefined : await inRoom(ports, cwd, before, check, tries);
  return { room: "failed", place, ...(again && { again: again.tried.end === undefined ? "passed" : "failed" }) };
}

/**
 * Only on files that are those from before the work, and stayed so while it ran: a program that could swap a file meanwhile would decide
 * where the judge sits. Undefined: it wrote something beside them; where that was its first run, the next one may not.
 */
async function inPlace(
  ports: FirstPorts,
  cwd: string,
  before: Snapshot,
  check: Check,
  tries: Tries,
): Promise<Calibration["place"]> {
  const marks = await marksOf(before);
  if (!(await isStillBefore(ports, cwd, before)) || tries.signal.aborted) return "changed";
  const tried = await tries.command(() => ports.tryInPlace(check, cwd, tries.signal));
  if (tried.end !== undefined) return "failed";
  if (!(await isStillBefore(ports, cwd, before))) return "changed";
  return isUntouched(marks, await marksOf(before)) ? "passed" : undefined;
}

async function isStillBefore({ snapshots, env }: FirstPorts, cwd: string, before: Snapshot): Promise<boolean> {
  const { files, programs } = strayedSince(before.note as Surroundings, env, before.root);
  if (files.length + programs.length > 0) return false;
  const now = await snapshots.take(cwd);
  return now.status === "taken" && isAsBefore(before, now.snapshot);
}

/** Judge and product are the same state. */
async function inRoom(ports: FirstPorts, cwd: string, before: Snapshot, check: Check, tries: Tries) {
  const plan = await composeRoom(
    { before, after: before, check, protect: ports.protect, declared: [], judge: "old" },
    {
      read: (entry) => ports.snapshots.read(cwd, entry),
      write: (content) => ports.snapshots.write(cwd, content),
    },
  );
  if (!plan || tries.signal.aborted) return undefined;
  const history = { begun: (before.note as Surroundings).repository, as: "begun" } as const;
  const room = await makeRoom(ports, cwd, plan, before, lookAtRepository(ports.git, before.root, history));
  if (!room) return undefined;
  // A process that is about to exit does not wait: the room is removed at once.
  tries.signal.addEventListener("abort", room.dispose, { once: true });
  try {
    const surroundings = before.note as Surroundings;
    const env = roomEnvironment(
      ports.env,
      surroundings,
      strayedSince(surroundings, ports.env, before.root),
      room.places,
    );
    const at: RoomRun = { root: room.path, env, room: room.places, low: true };
    const tried = await tries.command(() => ports.tryIn(check, at, tries.signal));
    const proof: FirstResult["proof"] = {
      where: "room",
      confined: tried.confined,
      tree: before.name,
      judge: before.name,
      room: room.tree,
      command: digestOf(commandLine(check)),
      environment: environmentDigest(env, room.places),
      ...(tried.why !== undefined && { unconfined: tried.why }),
    };
    return { tried, proof };
  } finally {
    tries.signal.removeEventListener("abort", room.dispose);
    room.dispose();
  }
}
