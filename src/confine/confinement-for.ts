import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { findProgram, makeFolder } from "../machine/index.ts";
import { type Bubblewrap, inBubblewrap } from "./bubblewrap.ts";
import { HOME_IS_WORKSPACE, isLinked, NOT_HERE, NOT_INSTALLED, type Obstacle } from "./diagnose.ts";
import { type Enclosure, type Hidden, isWithin, type Launch, type Place } from "./enclosure.ts";
import { probeCommand, tryOut } from "./probe.ts";
import { inSeatbelt } from "./seatbelt.ts";
import { asPlaces, exists, isFolder, isLink, realPath, surroundings } from "./surroundings.ts";
import { systemCallFilter } from "./system-call-filter.ts";

export interface ConfineRequest {
  /** The folder that may be written. */
  readonly root: string;
  /** Where it is seen, if not at its own path. Only bubblewrap can do that. */
  readonly at?: string;
  /** More that may be written, or only read; each at its own path unless said otherwise. */
  readonly writable?: readonly (string | Place)[];
  readonly readable?: readonly (string | Place)[];
  /** Inside `root`, and not to be changed. */
  readonly kept?: readonly string[];
  /** Folders that are never seen, tildone's own to begin with. */
  readonly hidden: readonly string[];
  readonly network: boolean;
  /** The folder that is seen as /tmp; without it /tmp is in memory and gone with the command. */
  readonly temp?: string;
  /** Yours: where programs are found. It is not what the command gets; `allowedEnvironment` says that. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Where tildone may keep the compiled filter. */
  readonly state: string;
  readonly os?: NodeJS.Platform;
}

export type Confinement =
  | {
      readonly status: "confined";
      readonly by: "bubblewrap" | "sandbox-exec";
      /** The same command, confined. Start it with `withoutInherited()` as further files. */
      readonly wrap: <C extends Launch>(command: C) => C;
    }
  | ({ readonly status: "unconfined" } & Obstacle);

/** How commands are confined here, tried with the real thing: once in a process for each kind of enclosure. */
export async function confinementFor(request: ConfineRequest): Promise<Confinement> {
  const os = request.os ?? process.platform;
  if (os !== "linux" && os !== "darwin") return { status: "unconfined", ...NOT_HERE };
  const { root, home, hidden } = request;
  const shown = [root, request.at ?? root];
  if (shown.some((path) => isWithin(home, path)) || hidden.some((path) => path === request.at || path === root))
    return { status: "unconfined", ...HOME_IS_WORKSPACE };
  const enclosure = enclosureOf(request);
  const link = [...enclosure.writable, ...enclosure.kept].find(({ at }) => isLink(at));
  if (link !== undefined) return { status: "unconfined", ...isLinked(link.at) };
  const ready = os === "linux" ? bubblewrapFor(request, enclosure) : undefined;
  if (ready === "absent") return { status: "unconfined", ...NOT_INSTALLED };
  const wrap = <C extends Launch>(command: C): C =>
    ready === undefined ? inSeatbelt(command, enclosure) : inBubblewrap(command, enclosure, ready);
  const obstacle = await tried(kindOf(os, enclosure), () => tryOut(wrap(probeCommand(root, {}))));
  if (obstacle !== undefined) return { status: "unconfined", ...obstacle };
  return { status: "confined", by: ready === undefined ? "sandbox-exec" : "bubblewrap", wrap };
}

/** What was found out about this machine; it does not change while a process lives, or only with a new start. */
const outcomes = new Map<string, Promise<Obstacle | undefined>>();

function tried(kind: string, act: () => Promise<Obstacle | undefined>): Promise<Obstacle | undefined> {
  const outcome = outcomes.get(kind) ?? act();
  outcomes.set(kind, outcome);
  return outcome;
}

/** Rooms come and go; where they stand, and what they need of the kernel, is the same. */
const kindOf = (os: string, { network, temp, writable, kept }: Enclosure): string =>
  JSON.stringify([os, network, temp === undefined, writable[0]?.at, writable.length, kept.length]);

function enclosureOf(request: ConfineRequest): Enclosure {
  const { root, at = root, network, temp, env, home } = request;
  const here = surroundings({ env, home }, network);
  const writable = [{ from: root, at }, ...(request.writable ?? []).map(placeOf)];
  const isOwn = (path: string) => writable.some((place) => isWithin(path, place.at) || isWithin(path, place.from));
  const given = (request.readable ?? []).map(placeOf).filter(({ from }) => exists(from));
  const usual = asPlaces(here.readable.map(({ at: path }) => path)).filter((place) => !isOwn(place.at));
  return {
    writable,
    readable: [...usual, ...given],
    kept: (request.kept ?? []).map(placeOf),
    hidden: [...here.hidden, ...request.hidden.filter(exists).map(hiddenAt)],
    links: here.links,
    home: here.home,
    temp,
    network,
  };
}

const placeOf = (path: string | Place): Place => (typeof path === "string" ? { from: path, at: path } : path);
const hiddenAt = (path: string): Hidden => ({ path, kind: isFolder(path) ? "folder" : "file" });

/** Never one from the workspace: the agent writes there, and would choose what confines it. */
function bubblewrapFor({ env, state }: ConfineRequest, { writable }: Enclosure): Bubblewrap | "absent" {
  const folders = [...PROGRAMS, ...(env.PATH ?? "").split(":").filter(isAbsolute)];
  const isOwn = (path: string) => writable.some(({ from, at }) => isWithin(path, from) || isWithin(path, at));
  const trusted = folders.filter((folder) => !isOwn(realPath(folder) ?? folder));
  const program = findProgram("bwrap", { env: { PATH: trusted.join(":") } });
  return program === undefined ? "absent" : { program, filter: filterIn(state) };
}

const PROGRAMS = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"];

/** bubblewrap wants an open file; this is it. Named by its content, so that versions do not meet. */
function filterIn(state: string): string | undefined {
  const filter = systemCallFilter(process.arch);
  if (filter === undefined) return undefined;
  const folder = join(state, "confine");
  const file = join(folder, `${createHash("sha256").update(filter).digest("hex").slice(0, 16)}.filter`);
  if (isSame(file, filter)) return file;
  makeFolder(folder, 0o700);
  const fresh = `${file}.${crypto.randomUUID()}`;
  writeFileSync(fresh, filter, { mode: 0o600 });
  renameSync(fresh, file);
  return file;
}

function isSame(file: string, bytes: Uint8Array): boolean {
  try {
    return readFileSync(file).equals(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}
