import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { findProgram, hashOf } from "../../machine/index.ts";
import { isSteering } from "../judge/shadows.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What lies around a project and decides how its checks judge: the environment, files above it and at home, programs. */
export interface Surroundings {
  readonly salt: string;
  readonly path: string;
  /** A hash of each variable: its value may be a secret. */
  readonly variables: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly programs: Readonly<Record<string, { readonly path: string; readonly mark: string }>>;
}

export function lookAround(env: Environment, root: string, salt: string): Surroundings {
  const home = env.HOME;
  const files = [...above(root), ...(home === undefined ? [] : AT_HOME.map((name) => join(home, name)))];
  const marks = files.flatMap((path): [string, string][] => {
    const mark = markOf(path);
    return mark === undefined ? [] : [[path, mark]];
  });
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
    files: Object.fromEntries(marks),
    programs: Object.fromEntries(programs),
  };
}

export interface Strayed {
  /** Files above the project or at home that are new, gone or changed. */
  readonly files: readonly string[];
  /** Programs that the same name no longer means, with where the old one still lies, if it is what it was. */
  readonly programs: readonly { readonly name: string; readonly old?: string }[];
}

export function strayedSince(before: Surroundings, env: Environment, root: string): Strayed {
  const now = lookAround({ ...env, PATH: before.path }, root, before.salt);
  const names = new Set([...Object.keys(before.files), ...Object.keys(now.files)]);
  return {
    files: [...names].filter((path) => before.files[path] !== now.files[path]),
    programs: Object.entries(before.programs).flatMap(([name, { path, mark }]) => {
      const found = now.programs[name];
      if (found?.path === path && found.mark === mark) return [];
      return [{ name, ...(markOf(path) === mark && { old: path }) }];
    }),
  };
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
    if (stat.isDirectory()) return `folder ${readdirSync(path).sort().join(" ")}`;
    const real = realpathSync(path);
    if (stat.size > READ_AT_MOST) return `${real} ${stat.size} ${stat.mtimeMs}`;
    return `${real} ${hashOf("sha256", readFileSync(real)).toString("hex", 0, 8)}`;
  } catch (error) {
    if (error instanceof Error && "code" in error) return `unreadable ${stat.size}`;
    throw error;
  }
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
    return readdirSync(folder).slice(0, MOST_NAMES);
  } catch {
    return [];
  }
}

const AT_HOME: readonly string[] = [
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
