import { partsOf } from "../../core/shell/index.ts";
import type { Check } from "../../core/todo/index.ts";

/** A named piece of a file that decides what a check does: one script of a package.json, one target of a Makefile. */
export interface Part {
  readonly path: string;
  readonly name: string;
  readonly value: string;
}

/** What a check's command stands on: pieces of files by name, and whole files. */
export interface Definition {
  readonly parts: readonly Pick<Part, "path" | "name">[];
  readonly files: readonly string[];
}

/** Text of a file of the project; undefined: there is none. */
export type Read = (path: string) => string | undefined;

/** Every piece that the files of this directory define. */
export function partsIn(directory: string, read: Read): readonly Part[] {
  const manifest = inside(directory, "package.json");
  const scripts = Object.entries(scriptsOf(read(manifest))).map(([name, value]) => ({ path: manifest, name, value }));
  const makefile = makefileIn(directory, read);
  const targets = makefile ? targetsOf(makefile.text).map((target) => ({ path: makefile.path, ...target })) : [];
  return [...scripts, ...targets];
}

/** The same file with one piece put back to what it was. */
export function withPart(text: string | undefined, { path, name, value }: Part): string {
  if (!path.endsWith("package.json")) return withTarget(text ?? "", name, value);
  const manifest = jsonOf(text);
  return `${JSON.stringify({ ...manifest, scripts: { ...scriptsOf(text), [name]: value } }, undefined, 2)}\n`;
}

export function definitionOf(check: Check, read: Read): Definition {
  const parts = new Map<string, Pick<Part, "path" | "name">>();
  const files = new Set<string>();
  follow(commandsOf(check.run), check.cwd ?? ".", 0);
  return { parts: [...parts.values()], files: [...files] };

  function follow(commands: readonly (readonly string[])[], directory: string, depth: number): void {
    if (depth > DEEPEST) return;
    for (const words of commands) {
      for (const file of judgingFiles(words)) files.add(inside(directory, file));
      followScripts(words, directory, depth);
      followTargets(words, directory, depth);
    }
  }

  function followScripts(words: readonly string[], directory: string, depth: number): void {
    const name = scriptOf(words);
    if (name === undefined) return;
    const path = inside(directory, "package.json");
    const scripts = scriptsOf(read(path));
    for (const each of [`pre${name}`, name, `post${name}`]) add(path, each, scripts[each], directory, depth);
  }

  function followTargets(words: readonly string[], directory: string, depth: number): void {
    if (words[0] !== "make" && words[0] !== "gmake") return;
    const makefile = makefileIn(directory, read);
    if (!makefile) return;
    const targets = targetsOf(makefile.text);
    const named = words.slice(1).filter((word) => !word.startsWith("-") && !word.includes("="));
    const wanted = named.length > 0 ? named : targets.slice(0, 1).map(({ name }) => name);
    for (const name of withNeeds(wanted, targets))
      add(makefile.path, name, targets.find((target) => target.name === name)?.value, directory, depth);
  }

  function add(path: string, name: string, value: string | undefined, directory: string, depth: number): void {
    const key = `${path}\0${name}`;
    if (parts.has(key)) return;
    parts.set(key, { path, name });
    if (value !== undefined) follow(commandsOf(value), directory, depth + 1);
  }
}

const DEEPEST = 6;

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
  if (!RUNNERS.has(runner)) return undefined;
  const [verb = "", name] = rest.filter((word) => !word.startsWith("-"));
  if (verb === "run" || verb === "run-script") return name;
  if (runner === "npm") return ["test", "t", "tst", "start"].includes(verb) ? (SHORT[verb] ?? verb) : undefined;
  return runner === "bun" || verb === "" ? undefined : verb;
}

const INTERPRETER = /^(?:(?:ba|da|z|k)?sh|node|bun|deno|tsx|python\d*|ruby|perl|php|Rscript|npx|pwsh)$/;
const JUDGES =
  /(?:^|[\W_])(?:tests?|specs?|checks?|verify|validate|lint|ci|e2e|smoke|assert|acceptance|golden)(?:[\W_]|$)/i;

/**
 * Scripts of the project that a command runs in order to judge. A script whose name says nothing of the kind may be the
 * very thing that is to be changed.
 */
function judgingFiles(words: readonly string[]): readonly string[] {
  const [first = "", ...rest] = words;
  const scripts = first.includes("/")
    ? [first]
    : INTERPRETER.test(first)
      ? rest.filter((word) => !word.startsWith("-")).slice(0, 1)
      : [];
  return scripts.filter(
    (script) => JUDGES.test(script) && !script.startsWith("/") && !script.split("/").includes(".."),
  );
}

function inside(directory: string, name: string): string {
  const path = `${directory}/${name}`.replace(/(^|\/)(?:\.\/)+/g, "$1").replace(/\/{2,}/g, "/");
  return path.startsWith("./") ? path.slice(2) : path;
}

function jsonOf(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {}; // half-written: it defines nothing now, and what it defined before is what counts
  }
}

function scriptsOf(text: string | undefined): Readonly<Record<string, string>> {
  const { scripts } = jsonOf(text);
  if (typeof scripts !== "object" || scripts === null) return {};
  return Object.fromEntries(
    Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function makefileIn(directory: string, read: Read): { readonly path: string; readonly text: string } | undefined {
  for (const name of ["GNUmakefile", "makefile", "Makefile"]) {
    const path = inside(directory, name);
    const text = read(path);
    if (text !== undefined) return { path, text };
  }
  return undefined;
}

interface Target {
  readonly name: string;
  /** Its line and its recipe. */
  readonly value: string;
}

const TARGET_LINE = /^([A-Za-z0-9_][\w./-]*)\s*:(?!=)/;

function targetsOf(text: string): readonly Target[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const name = TARGET_LINE.exec(line)?.[1];
    return name === undefined ? [] : [{ name, value: lines.slice(at, endOfRecipe(lines, at)).join("\n") }];
  });
}

function endOfRecipe(lines: readonly string[], at: number): number {
  let end = at + 1;
  while (end < lines.length && (lines[end]!.startsWith("\t") || lines[end - 1]!.endsWith("\\"))) end++;
  return end;
}

function withTarget(text: string, name: string, value: string): string {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => TARGET_LINE.exec(line)?.[1] === name);
  if (at < 0) return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${value}\n`;
  return [...lines.slice(0, at), value, ...lines.slice(endOfRecipe(lines, at))].join("\n");
}

function withNeeds(names: readonly string[], targets: readonly Target[]): readonly string[] {
  const reached = new Set<string>();
  const queue = [...names];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (reached.has(name)) continue;
    reached.add(name);
    const first = targets.find((target) => target.name === name)?.value.split("\n")[0] ?? "";
    const needs = first.slice(first.indexOf(":") + 1).match(/[\w./-]+/g) ?? [];
    queue.push(...needs.filter((need) => targets.some((target) => target.name === need)));
  }
  return [...reached];
}
