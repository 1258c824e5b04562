import {
  accessSync,
  constants,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { type Enclosure, type Hidden, isWithin, type Place } from "./enclosure.ts";
import { IN_HOME, NAMED_BY, NETWORK, SYSTEM } from "./toolchains.ts";

export interface Whereabouts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export type Surroundings = Pick<Enclosure, "readable" | "links" | "hidden" | "home">;

/** What of this machine every confined command may read: its programs, the toolchains you installed and their caches. */
export function surroundings({ env, home }: Whereabouts, network: boolean): Surroundings {
  const system = SYSTEM.filter(exists);
  const links = system.filter(isLink).map((at) => ({ at, to: readlinkSync(at) }));
  const folders = system.filter((path) => !isLink(path));
  const own = [
    ...(network ? NETWORK : []),
    ...IN_HOME.map((path) => join(home, path)),
    ...NAMED_BY.map((name) => env[name] ?? ""),
    ...(env.PATH ?? "").split(":").flatMap((folder) => toolchainOf(folder, home)),
  ].filter(
    (path) => isAbsolute(path) && !system.includes(path) && !isWithin(home, path) && !isPrivate(path) && exists(path),
  );
  return {
    readable: asPlaces([...folders, ...own]),
    links,
    hidden: [
      ...unreadableForOthers("/etc"),
      ...RUNTIME.filter(exists).map((path): Hidden => ({ path, kind: "folder" })),
    ],
    home: home !== "/" && isAbsolute(home) && exists(home) ? home : undefined,
  };
}

/** Sockets of daemons are hidden even where a folder beside them is on the PATH. */
const RUNTIME = ["/run/user", "/run/docker", "/run/dbus", "/run/podman"];

/** A folder of the PATH, and the toolchain around it: `node_modules` of `.bin`, the folder with `bin` and `lib`. */
function toolchainOf(folder: string, home: string): readonly string[] {
  const around = dirname(folder);
  if (basename(around) === "node_modules") return [around];
  const isToolchain = /^s?bin$/.test(basename(folder)) && exists(join(around, "lib")) && !exists(join(around, ".git"));
  const holdsMore = isWithin(home, around) || IN_HOME.some((path) => isWithin(join(home, path), around));
  return isToolchain && !holdsMore ? [around] : [folder];
}

/** Places that are never shown whole, whatever a variable says. */
const isPrivate = (path: string): boolean =>
  ["/", "/tmp", "/var", "/run", "/proc", "/sys", "/dev", "/home"].includes(path);

/** Each place once: what stands in another one is there with it. */
export function asPlaces(paths: readonly string[]): readonly Place[] {
  const all = [...new Set(paths)];
  return all
    .filter((path) => !all.some((other) => other !== path && isWithin(path, other)))
    .map((path) => ({ from: path, at: path }));
}

/**
 * What you may read of a folder and other users may not: keys of the machine, and what root alone sees. A confined command reads with
 * your rights, and they are not meant for it. What you cannot read yourself needs no hiding.
 */
export function unreadableForOthers(folder: string, depth = 5): readonly Hidden[] {
  return entriesOf(folder).flatMap((name): readonly Hidden[] => {
    const path = join(folder, name);
    const stats = look(() => lstatSync(path));
    if (stats === undefined || stats.isSymbolicLink()) return [];
    if (!stats.isDirectory())
      return stats.size > 0 && (stats.mode & 0o004) === 0 && isReadable(path) ? [{ path, kind: "file" }] : [];
    if ((stats.mode & 0o005) !== 0o005 || depth === 0) return isReadable(path) ? [{ path, kind: "folder" }] : [];
    return unreadableForOthers(path, depth - 1);
  });
}

const isReadable = (path: string): boolean => look(() => accessSync(path, constants.R_OK) ?? true) ?? false;
const entriesOf = (folder: string): readonly string[] => look(() => readdirSync(folder)) ?? [];
export const exists = (path: string): boolean => path !== "" && look(() => statSync(path)) !== undefined;
export const realPath = (path: string): string | undefined => look(() => realpathSync(path));
export const isFolder = (path: string): boolean => look((): Stats => statSync(path))?.isDirectory() ?? false;
export const isLink = (path: string): boolean => look(() => lstatSync(path))?.isSymbolicLink() ?? false;

/** What cannot be looked at is not there for us, and so not for a command either. */
function look<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}
