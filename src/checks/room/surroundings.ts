import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { attempt, findProgram, hashOf } from "../../machine/index.ts";
import { isSteering } from "../judge/shadows.ts";
import type { RepositoryState } from "./room-repository.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What lies around a project and decides how its checks judge: the environment, files above it and at home, programs. */
export interface Surroundings {
  readonly salt: string;
  readonly path: string;
  /** A hash of each variable: its value may be a secret. */
  readonly variables: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly programs: Readonly<Record<string, { readonly path: string; readonly mark: string }>>;
  /** Settings above the place where rooms are made. */
  readonly beside?: Readonly<Record<string, string>>;
  readonly repository?: RepositoryState;
  /** Where programs listen, each with the name of its socket. */
  readonly listeners?: readonly string[];
  /** Every program in a folder of yours on the PATH. */
  readonly own?: Readonly<Record<string, string>>;
  /** When it was, by the time of the file system. */
  readonly moment?: number;
  /** What lay in your home folder, by name. */
  readonly home?: readonly string[];
}

/** `scratch` is where rooms are made. */
export function lookAround(env: Environment, root: string, salt: string, scratch?: string): Surroundings {
  const home = env.HOME;
  const files = [...above(root), ...SYSTEM_WIDE, ...settingsAt(env), ...(home === undefined ? [] : atHome(home))];
  const programs = PROGRAMS.flatMap((name) => {
    const path = findProgram(name, { env });
    const mark = path === undefined ? undefined : markOf(path);
    return path === undefined || mark === undefined ? [] : [[name, { path, mark }] as const];
  });
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, hashed(salt, name, value)] as const],
  );
  return {
    salt,
    path: env.PATH ?? "",
    variables: Object.fromEntries(variables),
    files: marksOf(files),
    programs: Object.fromEntries(programs),
    beside: scratch === undefined ? {} : marksOf(above(join(scratch, "room"))),
    listeners: listening(),
    own: ownPrograms(env),
  };
}

const marksOf = (paths: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    paths.flatMap((path): [string, string][] => {
      const mark = markOf(path);
      return mark === undefined ? [] : [[path, mark]];
    }),
  );

export interface StrayedProgram {
  readonly name: string;
  readonly old?: string;
  /** It lies in a folder of yours, and no table names it. */
  readonly isOwn?: true;
}
export interface Strayed {
  /** Files above the project or at home that are new, gone or changed. */
  readonly files: readonly string[];
  /** Programs that the same name no longer means, with where the old one still lies, if it is what it was. */
  readonly programs: readonly StrayedProgram[];
  /** The same as `files` around the rooms; they matter only to a check that is not confined. */
  readonly beside: readonly string[];
  /** Where programs listen that did not before. */
  readonly listeners: readonly string[];
}

export function strayedSince(before: Surroundings, env: Environment, root: string, scratch?: string): Strayed {
  const now = lookAround({ ...env, PATH: before.path }, root, before.salt, scratch);
  const known = before.programs;
  const table = Object.entries(known).flatMap(([name, { path, mark }]) => {
    const found = now.programs[name];
    if (found?.path === path && found.mark === mark) return [];
    return [{ name, ...(markOf(path) === mark && { old: path }) }];
  });
  const changed = before.own === undefined ? [] : differing(before.own, now.own ?? {});
  const others = changed.filter((path) => !(basename(path) in known));
  return {
    files: differing(before.files, now.files),
    programs: [...table, ...others.flatMap((path) => otherThan(path, before, now))],
    beside: differing(before.beside ?? {}, before.beside ? (now.beside ?? {}) : {}),
    listeners: before.listeners
      ? (now.listeners ?? [])
          .filter((each) => !before.listeners!.includes(each))
          .map((each) => `port ${each.split(" ")[0]}`)
      : [],
  };
}

const differing = (then: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): readonly string[] =>
  [...new Set([...Object.keys(then), ...Object.keys(now)])].filter((path) => then[path] !== now[path]);

/** A program of yours that is not what it was: what its name meant, or nothing if there was none of that name before. */
function otherThan(path: string, before: Surroundings, now: Surroundings): readonly StrayedProgram[] {
  const name = basename(path);
  const others = foldersOf(before.path).map((folder) => join(folder, name));
  const meant = others.find(
    (other) => before.own?.[other] !== undefined || (!isOwnFolder(dirname(other)) && markOf(other)),
  );
  if (meant === undefined) return []; // installed since: there was none
  const isSame = isOwnFolder(dirname(meant)) ? before.own?.[meant] === now.own?.[meant] : true;
  return [{ name, isOwn: true, ...(isSame && { old: meant }) }];
}

/** Programs in folders that belong to no system: a model may write there without being root. */
function ownPrograms({ PATH = "" }: Environment): Readonly<Record<string, string>> {
  const paths = foldersOf(PATH)
    .filter(isOwnFolder)
    .flatMap((folder) =>
      listed(folder)
        .slice(0, MOST_PROGRAMS)
        .map((name) => join(folder, name)),
    );
  return Object.fromEntries(
    paths.flatMap((path): [string, string][] => {
      const stat = statOf(path);
      return stat?.isFile() ? [[path, `${stat.ino} ${stat.size} ${stat.mtimeMs}${changeOf(path, stat)}`]] : [];
    }),
  );
}

/**
 * The time of the last change cannot be set back. But a link to the same file that is made elsewhere changes it as well, as package
 * managers do: such a file is known by its content, if it is small.
 */
function changeOf(path: string, stat: Stats): string {
  if (stat.nlink === 1) return ` ${stat.ctimeMs}`;
  return stat.size > READ_AT_MOST ? "" : ` ${attempt(() => contentMark(path)) ?? "unreadable"}`;
}

const contentMark = (path: string): string => hashOf("sha256", readFileSync(path)).toString("hex", 0, 8);

const MOST_PROGRAMS = 500;
export const isOwnFolder = (folder: string): boolean =>
  !/^\/(?:usr(?!\/local)|bin|sbin|opt|nix|gnu|snap)(?:\/|$)/.test(folder);

/** Linux tells it in two tables; elsewhere nothing is known. */
function listening(): readonly string[] {
  return ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) => {
    const lines = textOf(table).split("\n").slice(1);
    return lines.flatMap((line) => {
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      return state === LISTENS ? [`${Number.parseInt(local.split(":")[1] ?? "", 16)} ${inode}`] : [];
    });
  });
}

const LISTENS = "0A";

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

export const isSameVariable = (before: Surroundings, name: string, value: string): boolean =>
  before.variables[name] === hashed(before.salt, name, value);

const hashed = (salt: string, name: string, value: string): string =>
  hashOf("sha256", Buffer.from(`${salt}\0${name}\0${value}`)).toString("hex", 0, 8);

const READ_AT_MOST = 256 * 1024;

/** Small files by their content, others by their stat; a folder by what lies in it. */
function markOf(path: string): string | undefined {
  const stat = statOf(path);
  if (!stat) return undefined;
  try {
    if (stat.isDirectory())
      return `folder ${listed(path)
        .map((name) => entryMark(path, name))
        .join(" ")}`;
    const real = realpathSync(path);
    if (stat.size > READ_AT_MOST) return `${real} ${stat.size} ${stat.mtimeMs}${changeOf(real, stat)}`;
    return `${real} ${contentMark(real)}`;
  } catch (error) {
    if (error instanceof Error && "code" in error) return `unreadable ${stat.size}`;
    throw error;
  }
}

function entryMark(folder: string, name: string): string {
  const stat = statOf(join(folder, name));
  return stat?.isFile() ? `${name}:${stat.size}:${stat.mtimeMs}` : name;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // not ours to look at
  }
}

/** Runners look for their settings, and Node for modules, in every folder above. */
function above(root: string): readonly string[] {
  const found: string[] = [];
  for (let at = dirname(root); at !== dirname(at); at = dirname(at)) {
    for (const name of ["package.json", "node_modules", "setup.cfg", "pyproject.toml", "tsconfig.json"])
      found.push(join(at, name));
    for (const name of listed(at)) if (isSteering(name)) found.push(join(at, name));
  }
  return found;
}

const MOST_NAMES = 5_000;

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort().slice(0, MOST_NAMES);
  } catch {
    return [];
  }
}

/** Of the whole machine: for root these are as near as those at home. */
const SYSTEM_WIDE: readonly string[] = [
  ...["/etc/ld.so.preload", "/etc/gitconfig", "/etc/pip.conf", "/etc/npmrc", "/usr/etc/npmrc", "/usr/local/etc/npmrc"],
  ...["/etc/curlrc", "/etc/pylintrc"],
];

/** Files of settings whose place a variable names. */
const settingsAt = (env: Environment): readonly string[] => [
  ...["npm_config_userconfig", "NPM_CONFIG_USERCONFIG", "PIP_CONFIG_FILE", "GIT_CONFIG_GLOBAL", "CURL_HOME"].flatMap(
    (name) => env[name] ?? [],
  ),
  ...(env.CARGO_HOME === undefined ? [] : [join(env.CARGO_HOME, "config"), join(env.CARGO_HOME, "config.toml")]),
  ...(env.XDG_CONFIG_HOME === undefined
    ? []
    : AT_HOME.filter((name) => name.startsWith(".config/")).map((name) => join(env.XDG_CONFIG_HOME!, name.slice(8)))),
];

const atHome = (home: string): readonly string[] => AT_HOME.map((name) => join(home, name));

const AT_HOME: readonly string[] = [
  ...[".curlrc", ".wgetrc", ".proverc", ".perltidyrc", ".shellcheckrc", ".config/shellcheckrc", ".pylintrc"],
  ...[".config/pylintrc", ".mypy.ini", ".config/mypy/config", ".config/ruff/ruff.toml", ".config/ruff/pyproject.toml"],
  ...[".config/flake8", ".config/pycodestyle", ".config/black", ".isort.cfg", ".config/yamllint/config"],
  ...[".config/git/ignore", ".psqlrc", ".sqliterc", ".my.cnf", ".ansible.cfg", ".ansible-lint", ".markdownlint.json"],
  ...[".mocharc.js", ".mocharc.cjs", ".mocharc.yml", ".mocharc.yaml", ".mocharc.jsonc", ".nycrc", ".editorconfig"],
  ...[".eslintrc", ".eslintrc.js", ".eslintrc.yml", ".prettierrc", ".stylelintrc", ".jshintrc", ".clang-format"],
  ...[".rubocop.yml", ".golangci.yml", ".golangci.yaml", ".luacheckrc", ".config/rustfmt/rustfmt.toml", ".gdbinit"],
  ...[".inputrc", ".kshrc", ".zprofile", ".zlogin", ".bash_login", ".bash_aliases", ".config/bat/config", ".ackrc"],
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".config/pnpm/rc",
  ".bunfig.toml",
  ".gitconfig",
  ".config/git/config",
  ".config/git/attributes",
  ".config/pip/pip.conf",
  ".pip/pip.conf",
  ".pydistutils.cfg",
  ".pytest.ini",
  "pytest.ini",
  ".config/pytest.ini",
  ".coveragerc",
  ".profile",
  ".bashrc",
  ".bash_profile",
  ".zshenv",
  ".zshrc",
  ".config/fish/config.fish",
  ".cargo/config",
  ".cargo/config.toml",
  ".config/go/env",
  ".m2/settings.xml",
  ".gradle/gradle.properties",
  ".gradle/init.gradle",
  ".bundle/config",
  ".rspec",
  ".mocharc.json",
  ".babelrc",
  ".eslintrc.json",
  ".node_modules",
  ".node_libraries",
  ...["3.9", "3.10", "3.11", "3.12", "3.13", "3.14"].map((version) => `.local/lib/python${version}/site-packages`),
];

const PROGRAMS: readonly string[] =
  "sh bash dash env node npm npx pnpm yarn bun deno make gmake python python3 pytest tox cargo rustc go git gcc cc clang java mvn gradle ruby rspec bundle php phpunit perl grep sed awk diff cmp cat timeout curl jq".split(
    " ",
  );

/** Folders of a PATH that mean the same wherever a command runs. */
export const foldersOf = (path: string): readonly string[] =>
  path.split(delimiter).filter((folder) => isAbsolute(folder));
