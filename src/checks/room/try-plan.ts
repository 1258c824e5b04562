import { hash } from "node:crypto";
import { commandLine, type OwnedCheck } from "../../core/continuation/index.ts";
import type { Receipt, Run } from "../../core/run/index.ts";
import type { Check } from "../../core/todo/index.ts";
import { type RoomPlan, withoutWork } from "../judge/compose-room.ts";
import type { Snapshot } from "../snapshot/index.ts";
import { makeRoom } from "./make-room.ts";
import { prepareRoom } from "./prepare-room.ts";
import { environmentDigest, roomEnvironment } from "./room-env.ts";
import type { RoomPorts, RoomRun, Tried } from "./room-ports.ts";
import type { RepositoryLook, Standing } from "./room-repository.ts";
import type { Strayed, Surroundings } from "./surroundings.ts";

/** How checks ran in the project before the room is asked. */
export interface InPlace {
  /** Nothing was exchanged in the project while this check ran there. */
  readonly isStill: (check: Check) => boolean;
  /** When the first of them began, by the time of the file system. */
  readonly began: number | undefined;
}

/** One round of checks, and what they are judged by. */
export interface Case {
  readonly ports: RoomPorts;
  readonly run: Run;
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly surroundings: Surroundings;
  readonly strayed: Strayed;
  readonly repository: (as: Standing) => RepositoryLook;
  /** Whether it is tried even where nothing that judges changed. */
  readonly all: boolean;
  readonly there: InPlace;
}

export interface Outcome extends Tried {
  readonly proof: Proof;
  /** What was laid out, and where its repository stood. */
  readonly by: { readonly plan: RoomPlan; readonly as: Standing };
  /** Files of the judge that were changed while the check ran. */
  readonly changed: readonly string[];
  /** How its dependencies came into the room, where there is something to say. */
  readonly known: readonly string[];
  /** Tests by which it passes, with the work or without it. */
  readonly emptied?: readonly string[];
}

export type Proof = NonNullable<Receipt["proof"]>;

export interface TryOptions {
  readonly as?: Standing;
  /** With this and no more. */
  readonly exactly?: RoomRun["exactly"];
  readonly prepares?: boolean;
}

/** Makes a room by a plan and runs the check in it; undefined: there is none. */
export async function tryPlan(
  given: Case,
  owned: OwnedCheck,
  plan: RoomPlan,
  signal: AbortSignal,
  options: TryOptions = {},
): Promise<Outcome | undefined> {
  const { as = "begun", exactly, prepares = true } = options;
  const { ports, run, before, after, surroundings, strayed } = given;
  const room = await makeRoom(ports, run.origin.cwd, plan, after, given.repository(as));
  if (!room) return undefined;
  try {
    const env = roomEnvironment(ports.env, surroundings, strayed, room.places);
    const at = { root: room.path, env, room: room.places, exactly };
    const prepared = prepares
      ? await prepareRoom(ports, { before, after }, at, signal)
      : ({ status: "not needed" } as const);
    if (prepared.status === "failed") {
      const plain = await tryPlan(given, owned, plan, signal, { ...options, prepares: false });
      return plain && { ...plain, known: [prepared.note] };
    }
    const tried = await ports.tryIn(owned.check, at, signal);
    const proof: Proof = {
      where: "room",
      confined: tried.confined,
      tree: after.name,
      judge: before.name,
      room: room.tree,
      command: digestOf(commandLine(owned.check)),
      environment: environmentDigest(env, room.places),
      ...(prepared.status === "prepared" && { prepared: true }),
    };
    const known = prepared.status === "prepared" ? [prepared.note] : [];
    return { ...tried, proof, known, changed: room.seal.broken(), by: { plan, as } };
  } finally {
    room.dispose();
  }
}

/** The project and its judge, both as they were. */
export const asBegun = ({ before, after }: Case, plan: RoomPlan): RoomPlan =>
  withoutWork({ ...plan, newTests: [] }, before, after);

export const digestOf = (text: string): string => hash("sha256", text).slice(0, 32);
