import { hash } from "node:crypto";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join, sep } from "node:path";
import { foldersOf, isSameVariable, type Strayed, type Surroundings } from "./surroundings.ts";

export interface RoomPlaces {
  /** The project's top, and where it stands in the room. */
  readonly root: string;
  readonly work: string;
  /** The room's own. */
  readonly home: string;
  readonly temp: string;
  readonly bin: string;
  /** Of the project as it is, and where the room's links lead. */
  readonly large: readonly { readonly from: string; readonly at: string }[];
}

/** Needed by nearly every command, and harmless whatever they say. */
const ALWAYS =
  /^(?:LANG|LANGUAGE|LC_\w+|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|USER|LOGNAME|DISPLAY|WAYLAND_DISPLAY|XDG_RUNTIME_DIR|SSH_AUTH_SOCK|SYSTEMROOT)$/;
/** Variables that point git or a shell at another place. */
const NEVER = /^(?:GIT_\w*|PWD|OLDPWD|BASH_ENV|ENV|CDPATH|MAKEFLAGS|MAKEFILES|MAKELEVEL|MFLAGS|INIT_CWD)$/;

/** tildone sets these for pi's packages in its own process (cli/stay-offline.ts): they say nothing about your environment. */
export const OF_PI = /^PI_(?:OFFLINE|SKIP_VERSION_CHECK|TELEMETRY)$/;

/**
 * The environment as it was when the work began: a variable that is new or changed since is left out. What names the project's
 * place names the room's.
 */
export function roomEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  before: Surroundings,
  strayed: Strayed,
  places: RoomPlaces,
  trusted?: RegExp,
): Readonly<Record<string, string>> {
  const { root, work, home, temp, bin } = places;
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || NEVER.test(name) || OF_PI.test(name)) continue;
    if (isSameVariable(before, name, value) || ALWAYS.test(name) || trusted?.test(name))
      own[name] = moved(value, root, work);
  }
  for (const folder of [home, temp, bin]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const { name, old } of strayed.programs)
    if (old !== undefined && !existsSync(join(bin, name))) symlinkSync(old, join(bin, name));
  const path = foldersOf(before.path).map((folder) => moved(folder, root, work));
  const isHomeSame = strayed.files.length === 0 && env.HOME !== undefined;
  return {
    ...own,
    PATH: [bin, ...path].join(delimiter),
    HOME: isHomeSame ? env.HOME! : home,
    ...(!isHomeSame && toolchains(env)),
    TMPDIR: temp,
    TMP: temp,
    TEMP: temp,
  };
}

/** The same for the same environment in every room: rooms differ in the name of their folder. */
export function environmentDigest(env: Readonly<Record<string, string | undefined>>, { work }: RoomPlaces): string {
  const values = Object.entries(env).map(([name, value]) => [name, value?.replaceAll(dirname(work), "")]);
  return hash("sha256", JSON.stringify(values.sort())).slice(0, 32);
}

/** Only whole steps of a path: a neighbour whose name begins the same is another place. */
function moved(value: string, root: string, work: string): string {
  return value
    .split(delimiter)
    .map((part) => (part === root || part.startsWith(root + sep) ? work + part.slice(root.length) : part))
    .join(delimiter);
}

/** In a home of its own a command still finds what is installed in yours. */
function toolchains(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const { HOME: home } = env;
  if (home === undefined) return {};
  const known = { CARGO_HOME: ".cargo", RUSTUP_HOME: ".rustup", PYENV_ROOT: ".pyenv", GOPATH: "go", NVM_DIR: ".nvm" };
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, folder]) => {
      const place = env[name] ?? join(home, folder);
      return existsSync(place) ? [[name, place]] : [];
    }),
  );
}
