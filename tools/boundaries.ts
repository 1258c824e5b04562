// Who may import whom. A room may use the rooms in its row and itself; from outside a room only its door
// (index.ts) is imported. Tests and `testing` may look anywhere. No folders of the core import each other in a circle, not
// even by types, and no files anywhere that are loaded together.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { HOST_NAMES } from "../src/config/index.ts";
import { circlesIn, importsOf } from "./import-graph.ts";

const CORE = ["core"];
/** `machine` is what the operating system does differently from what we need; it knows nothing of ours. */
const SHELL = ["core", "engine", "machine"];
const PARTS = ["store", "config", "workflows", "scheduler", "checks", "checkpoints", "drivers", "confine", "notify"];
const ROOMS: Record<string, readonly string[]> = {
  core: [],
  machine: [],
  // A provider on loopback that follows a script: for the demo on a host, and for tests.
  scripted: [],
  engine: CORE,
  store: SHELL,
  config: SHELL,
  workflows: SHELL,
  scheduler: SHELL,
  checks: [...SHELL, "confine"],
  checkpoints: [...SHELL, "checks"],
  drivers: SHELL,
  confine: ["machine"],
  notify: [...SHELL, "config"],
  top: ["core", "engine"],
  compose: [...SHELL, ...PARTS],
  hooks: [...SHELL, ...PARTS, "compose"],
  hosts: [...SHELL, ...PARTS, "compose", "hooks", "scripted"],
  agent: [...SHELL, ...PARTS, "compose", "hooks", "hosts", "scripted"],
  serve: [...SHELL, ...PARTS, "compose"],
  // What runs in a browser: it draws what the server tells, and loads nothing else of ours.
  page: ["core", "serve"],
  // Runs on many machines: only commands that name a database load it.
  fleet: [...SHELL, ...PARTS, "compose"],
  cli: [...SHELL, ...PARTS, "compose", "hooks", "hosts", "agent", "serve", "top", "fleet", "scripted"],
  testing: [...SHELL, ...PARTS, "compose", "hooks", "hosts", "agent", "fleet", "scripted"],
};

/** Packages that are a table and a pure function over it; nothing else enters the core. */
const TABLES = ["get-east-asian-width"];
/** The engine decides, words the nudge and asks the host before it leaves: a host that decides too makes the log say what is not so. */
const ENGINE_ONLY = ["decide", "nudgeText"];
const NO_CODE = /\/\*[\s\S]*?\*\/|\/\/.*$|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/gm;

/** The list of hosts, and what is there for tests alone. */
const NAMES_HOSTS = /^src\/(config\/hosts\.ts$|testing\/)/;
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;

const mistakes: string[] = [];
const loads = new Map<string, Set<string>>();
const folders = new Map<string, Set<string>>();
for (const file of globSync("src/**/*.{ts,tsx}")) {
  if (file.endsWith(".test.ts")) continue;
  const text = readFileSync(file, "utf8");
  for (const { target, kind } of importsOf(text)) {
    if (file.split("/").length > 2) judge(file, target); // src/index.ts lists public names of every room
    if (target.startsWith(".")) note(file, normalize(join(dirname(file), target)), kind === "value");
  }
  judgeNames(file, text);
  judgeHosts(file, text);
}
for (const circle of circlesIn(folders)) mistakes.push(`folders of core import each other: ${circle.join(" -> ")}`);
for (const circle of circlesIn(loads)) mistakes.push(`files load each other: ${circle.join(" -> ")}`);
for (const line of mistakes) console.error(line);
process.exit(mistakes.length > 0 ? 1 : 0);

function note(file: string, path: string, isLoaded: boolean): void {
  if (isLoaded) edge(loads, file, path);
  const [from, to] = [coreFolder(file), coreFolder(path)];
  if (from !== undefined && to !== undefined && from !== to) edge(folders, from, to);
}

function edge(graph: Map<string, Set<string>>, from: string, to: string): void {
  graph.set(from, (graph.get(from) ?? new Set()).add(to));
}

/** `core/run` of `src/core/run/fold.ts`; folders within a folder are part of it. */
function coreFolder(path: string): string | undefined {
  return /^src\/(core\/[^/]+)\//.exec(path)?.[1];
}

function judgeNames(file: string, text: string): void {
  if (!["hooks", "hosts", "agent"].includes(roomOf(file))) return;
  const code = text.replace(NO_CODE, "");
  for (const name of ENGINE_ONLY)
    if (new RegExp(`\\b${name}\\b`).test(code))
      mistakes.push(`${file}: ${name} is the engine's; a host only carries out what was decided`);
}

/** What is true of one host stands in its profile: a name that is compared, or the key of a table, is a fact elsewhere. */
function judgeHosts(file: string, text: string): void {
  if (NAMES_HOSTS.test(file)) return;
  const code = text.replace(COMMENT, "");
  for (const name of HOST_NAMES) {
    const isNamed = new RegExp(`(["'\`])${name}\\1|[{,]\\s*${name}:(?! [A-Z])`).test(code);
    if (isNamed && !file.startsWith(`src/hosts/${name}/`))
      mistakes.push(`${file}: it names ${name}; say it in src/hosts/${name}/profile.ts`);
  }
}

function judge(file: string, target: string): void {
  const from = roomOf(file);
  if (!target.startsWith(".")) {
    if (from === "core" && !TABLES.includes(target))
      mistakes.push(`${file}: core imports "${target}"; core has no dependencies`);
    return;
  }
  const path = normalize(join(dirname(file), target));
  const to = roomOf(path);
  if (from === to) judgeWithin(file, path, from);
  else if (!ROOMS[from]?.includes(to)) mistakes.push(`${file}: ${from} must not import ${to} (${target})`);
  else if (!path.endsWith("/index.ts")) mistakes.push(`${file}: import the door of ${to}, not ${target}`);
}

/** Folders below `core` and `hosts` are rooms of their own: door only, and hosts never import each other. */
function judgeWithin(file: string, path: string, room: string): void {
  if (room !== "core" && room !== "hosts") return;
  const [a, b] = [file.split("/")[2]!, path.split("/")[2]!];
  if (a === b || b.endsWith(".ts") || a.endsWith(".ts")) return;
  if (room === "hosts") mistakes.push(`${file}: hosts never import each other (${b})`);
  else if (!path.endsWith("/index.ts")) mistakes.push(`${file}: import the door of core/${b}`);
}

function roomOf(path: string): string {
  return path.split("/")[1]!;
}
