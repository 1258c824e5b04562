import { partsOf } from "../../core/shell/index.ts";
import type { Check } from "../../core/todo/index.ts";
import { judgingFiles } from "./judging-files.ts";
import { type Block, blocksOf, expand, needsOf, recipeOf, variablesOf } from "./makefile.ts";
import { scriptsOf } from "./package-json.ts";

/** A named piece of a file that decides what a check does: one script of a package.json, one rule of a Makefile. */
export interface Part {
  readonly path: string;
  readonly name: string;
}

/** What a check's command stands on: pieces of files by name, and whole files or folders. */
export interface Definition {
  readonly parts: readonly Part[];
  readonly files: readonly string[];
  /** Makefiles and what they include, whether it is there or not; globs where a name is not plain. */
  readonly makefiles: readonly string[];
  /** What make makes on the way: a file that is there already would be taken for made. */
  readonly made: readonly string[];
  /** Every command on the way, as words. */
  readonly commands: readonly (readonly string[])[];
  /** Folders that commands run in. */
  readonly folders: readonly string[];
}

/** Text of a file of the project; undefined: there is none. */
export type Read = (path: string) => string | undefined;

/** `packages`: where the package.json files of the project are. */
export function definitionOf(check: Check, read: Read, packages: () => readonly string[] = () => []): Definition {
  const parts = new Map<string, Part>();
  const files = new Set<string>();
  const makefiles = new Set<string>();
  const made = new Set<string>();
  const seen: (readonly string[])[] = [];
  const folders = new Set<string>();
  follow(commandsOf(check.run), check.cwd ?? ".", 0);
  return {
    parts: [...parts.values()],
    files: [...files],
    makefiles: [...makefiles],
    made: [...made],
    commands: seen,
    folders: [...folders],
  };

  function follow(commands: readonly (readonly string[])[], from: string, depth: number): void {
    if (depth > DEEPEST) return;
    let directory = from;
    for (const words of commands) {
      if (words[0] === "cd" && isWithin(words[1])) directory = inside(directory, words[1]!);
      seen.push(words);
      folders.add(directory);
      for (const file of judgingFiles(words)) judgedBy(inside(directory, file), directory, depth);
      followScripts(words, directory, depth);
      followTargets(words, directory, depth);
    }
  }

  /** A shell script runs other scripts. */
  function judgedBy(path: string, directory: string, depth: number): void {
    if (files.has(path)) return;
    files.add(path);
    const text = /\.(?:sh|bash)$|(?:^|\/)[^./]+$/.test(path) ? read(path) : undefined;
    if (text !== undefined && /^(?:#!.*\bsh\b|[^#])|^#!.*\b(?:ba|da|z|k)sh\b/.test(text))
      follow(commandsOf(text), directory, depth + 1);
  }

  function followScripts(words: readonly string[], directory: string, depth: number): void {
    for (const { path, name } of scriptsOfMany(words, packages(), read))
      for (const each of [`pre${name}`, name, `post${name}`])
        add(path, each, scriptsOf(read(path))[each], path.replace(/\/?package\.json$/, "") || ".", depth);
    const name = scriptOf(words);
    if (name === undefined) return;
    const place = optionOf(words, ["--prefix", "-C", "--cwd"]);
    const at = isWithin(place) ? inside(directory, place!) : directory;
    const path = inside(at, "package.json");
    const scripts = scriptsOf(read(path));
    for (const each of [`pre${name}`, name, `post${name}`]) add(path, each, scripts[each], at, depth);
  }

  function followTargets(words: readonly string[], directory: string, depth: number): void {
    if (words[0] !== "make" && words[0] !== "gmake") return;
    const place = optionOf(words, ["-C", "--directory"]);
    const at = isWithin(place) ? inside(directory, place!) : directory;
    const file = optionOf(words, ["-f", "--file", "--makefile"]);
    const makefile =
      file === undefined ? makefileIn(at, read) : { path: inside(at, file), text: read(inside(at, file)) };
    if (makefile?.text === undefined) return;
    makefiles.add(makefile.path);
    const blocks = withIncludes(blocksOf(makefile.text), at, 0);
    const variables = variablesOf(blocks);
    const rules = blocks.filter(({ type }) => type === "target");
    const named = words
      .slice(1)
      .filter((word, index) => !word.startsWith("-") && !word.includes("=") && !/^-[Cfj]$/.test(words[index] ?? ""));
    const first = rules.flatMap(({ names }) => names).find((name) => !name.startsWith("."));
    const wanted = named.length > 0 ? named : first === undefined ? [] : [first];
    for (const name of reachedFrom(wanted, rules, variables)) {
      const own = rules.filter(({ names }) => names.includes(name));
      if (own.some((block) => recipeOf(block, variables) !== "") && isWithin(name)) made.add(inside(at, name));
      const recipe = own.map((block) => recipeOf(block, variables)).join("\n");
      add(makefile.path, name, own.length === 0 ? undefined : recipe, at, depth);
    }
  }

  function withIncludes(blocks: readonly Block[], directory: string, depth: number): readonly Block[] {
    if (depth > DEEPEST) return blocks;
    const variables = variablesOf(blocks);
    return blocks.flatMap((block) => {
      if (block.type !== "include") return [block];
      return namesIncluded(block, variables).flatMap((name) => {
        const path = inside(directory, name);
        makefiles.add(path);
        return /[*?]/.test(path) ? [] : withIncludes(blocksOf(read(path) ?? ""), directory, depth + 1);
      });
    });
  }

  function add(path: string, name: string, value: string | undefined, directory: string, depth: number): void {
    const key = `${path}\0${name}`;
    if (parts.has(key)) return;
    parts.set(key, { path, name });
    if (value !== undefined) follow(commandsOf(value), directory, depth + 1);
  }
}

const DEEPEST = 6;

/** What cannot be told before make runs may be any file of make's own kind. */
function namesIncluded(block: Block, variables: ReadonlyMap<string, string>): readonly string[] {
  const text = block.names.join(" ").replace(/\$[({]wildcard\s+([^(){}]*)[)}]/g, "$1");
  const plain = /\$[({](?![\w.-]+[)}])/.test(text) ? "**/*.mk" : expand(text, variables);
  return plain.split(/\s+/).filter((name) => name !== "" && !name.startsWith("/") && !name.split("/").includes(".."));
}

function commandsOf(run: Check["run"]): readonly (readonly string[])[] {
  if (typeof run !== "string") return [run, ...(isShell(run) ? commandsOf(run[2]!) : [])];
  return partsOf(run).flatMap((part) =>
    part.type === "command" ? [part.words.map(({ text }) => text.replace(/^["']|["']$/g, ""))] : [],
  );
}

const isShell = ([file = "", flag = "", line]: readonly string[]): boolean =>
  /(?:^|\/)(?:ba|da|z|k)?sh$/.test(file) && /^-[a-z]*c$/.test(flag) && line !== undefined;

const RUNNERS: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun"]);
const SHORT: Readonly<Record<string, string>> = { t: "test", tst: "test" };

/** The script that a package runner is asked for. */
function scriptOf(words: readonly string[]): string | undefined {
  const [runner = "", ...rest] = words;
  if (runner === "node") return optionOf(words, ["--run"]);
  if (!RUNNERS.has(runner)) return undefined;
  const [verb = "", name] = rest.filter(
    (word, at) => !word.startsWith("-") && !/^(?:--prefix|-C|--cwd)$/.test(rest[at - 1] ?? ""),
  );
  if (verb === "run" || verb === "run-script") return name;
  if (runner === "npm") return ["test", "t", "tst", "start"].includes(verb) ? (SHORT[verb] ?? verb) : undefined;
  return runner === "bun" || verb === "" ? undefined : verb;
}

/** Scripts of every package that a runner of many may be asked for: more than it is, rather than less. */
function scriptsOfMany(words: readonly string[], packages: readonly string[], read: Read): readonly Part[] {
  const [first = "", ...rest] = words.filter((word) => !/^(?:npx|bunx|exec|dlx)$/.test(word));
  const isOfMany = RUNNERS.has(first) ? rest.some((word) => MANY.test(word)) : RUNNERS_OF_MANY.test(first);
  if (!isOfMany) return [];
  const asked = rest.filter((word) => !word.startsWith("-")).map((word) => word.replace(/^npm:/, ""));
  const fits = (name: string) =>
    asked.some((word) => word === name || (word.includes("*") && name.startsWith(word.replace(/\*.*$/, ""))));
  return packages.flatMap((path) =>
    Object.keys(scriptsOf(read(path)))
      .filter(fits)
      .map((name) => ({ path, name })),
  );
}

const MANY = /^(?:-ws|-w|--workspaces?(?:=.*)?|-r|--recursive|--filter(?:=.*)?|-F|workspaces?)$/;
const RUNNERS_OF_MANY = /^(?:turbo|nx|lerna|wireit|run-[sp]|npm-run-all2?|concurrently|moon|rush)$/;

function optionOf(words: readonly string[], names: readonly string[]): string | undefined {
  for (const [at, word] of words.entries()) {
    if (names.includes(word)) return words[at + 1];
    const [name = "", value] = word.split("=", 2);
    if (value !== undefined && names.includes(name)) return value;
  }
  return undefined;
}

const isWithin = (path: string | undefined): boolean =>
  path !== undefined && !path.startsWith("/") && !path.split("/").includes("..") && !/[$*?`~]/.test(path);

export function inside(directory: string, name: string): string {
  const path = `${directory}/${name}`.replace(/(^|\/)(?:\.\/)+/g, "$1").replace(/\/{2,}/g, "/");
  return (path.startsWith("./") ? path.slice(2) : path).replace(/\/\.?$/, "") || ".";
}

function makefileIn(directory: string, read: Read): { readonly path: string; readonly text: string } | undefined {
  for (const name of ["GNUmakefile", "makefile", "Makefile"]) {
    const path = inside(directory, name);
    const text = read(path);
    if (text !== undefined) return { path, text };
  }
  return undefined;
}

function reachedFrom(
  names: readonly string[],
  rules: readonly Block[],
  variables: ReadonlyMap<string, string>,
): readonly string[] {
  const reached = new Set<string>();
  const queue = [...names];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (reached.has(name)) continue;
    reached.add(name);
    for (const rule of rules.filter((each) => each.names.includes(name!)))
      queue.push(...needsOf(rule, variables).filter((need) => rules.some((each) => each.names.includes(need))));
  }
  return [...reached];
}
