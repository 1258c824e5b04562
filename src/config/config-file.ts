import { closeSync, constants, existsSync, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { errorCode } from "../machine/index.ts";
import { isForeign } from "./owner.ts";
import type { ConfigProblem } from "./problem.ts";

/** A file as it was read, once: what is trusted is exactly what is parsed. */
export interface ConfigFile {
  readonly path: string;
  readonly content: Buffer;
  readonly tree: unknown;
}

export type FileReading =
  | { readonly status: "absent" }
  | { readonly status: "read"; readonly file: ConfigFile }
  | { readonly status: "refused"; readonly problem: ConfigProblem };

const NAMES = ["config.yaml", "config.yml", "config.json"];
const LARGEST = 65_536;

/** Reads the one config file of a folder. `within`: what the file must really lie in, links followed. */
export async function readConfigFile(folder: string, within?: string): Promise<FileReading> {
  const found = NAMES.filter((name) => existsSync(join(folder, name)));
  const [name, second] = found;
  if (name === undefined) return { status: "absent" };
  const path = join(folder, name);
  if (second !== undefined) return refused(path, `stands beside ${second}; keep one of them.`);
  try {
    if (within !== undefined && !isInside(within, realpathSync(path)))
      return refused(path, "leads out of the project; a project's config must lie inside it.");
    const content = readSmallFile(path);
    if (typeof content === "string") return refused(path, content);
    const parsed = await parse(name, content.toString("utf8"));
    if (!parsed.ok) return refused(path, parsed.says, parsed.line);
    return { status: "read", file: { path, content, tree: parsed.tree } };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return refused(path, `cannot be read (${code}).`);
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && way !== path;
}

/** Never waits on a pipe and never reads more than it may, whatever stands at the path. A text: why it is not read. */
function readSmallFile(path: string): Buffer | string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return "must be a plain file.";
    if (isForeign(stat)) return "belongs to another user, so it is not read. Make it yours with `chown`, or remove it.";
    const buffer = Buffer.alloc(LARGEST + 1);
    const size = readSync(file, buffer, 0, buffer.length, 0);
    if (size > LARGEST) return `must have at most ${LARGEST} bytes.`;
    const content = buffer.subarray(0, size);
    return content.includes(0) ? "must be text; this is a binary file." : content;
  } finally {
    closeSync(file);
  }
}

type Parsed =
  | { readonly ok: true; readonly tree: unknown }
  | { readonly ok: false; readonly says: string; readonly line?: number };

async function parse(name: string, content: string): Promise<Parsed> {
  try {
    return name.endsWith(".json") ? { ok: true, tree: JSON.parse(content) } : await parseYaml(content);
  } catch (error) {
    // What JSON.parse throws, and what the YAML parser throws for too many aliases or levels: the file is at fault.
    if (error instanceof SyntaxError || error instanceof ReferenceError || error instanceof RangeError)
      return { ok: false, says: `cannot be parsed: ${firstLine(error.message)}`, line: lineIn(error.message, content) };
    throw error;
  }
}

/** Loaded only where there is such a file: a hook without one does not pay for the parser. */
async function parseYaml(content: string): Promise<Parsed> {
  if (deepest(content) > MOST_LEVELS) return { ok: false, says: `cannot be parsed: more than ${MOST_LEVELS} levels.` };
  const { parseDocument } = await import("yaml");
  const document = parseDocument(content, { prettyErrors: true, logLevel: "silent" });
  const [error] = [...document.errors, ...document.warnings]; // a warning is an unknown tag
  if (error) return { ok: false, says: `cannot be parsed: ${firstLine(error.message)}`, line: error.linePos?.[0].line };
  return { ok: true, tree: document.toJS({ maxAliasCount: 100 }) };
}

/** Brackets in texts count too: no real file has so many of them open. The parser itself would take seconds. */
const MOST_LEVELS = 500;

function deepest(content: string): number {
  let [depth, most] = [0, 0];
  for (const letter of content) {
    if (letter === "[" || letter === "{") most = Math.max(most, ++depth);
    else if (letter === "]" || letter === "}") depth--;
  }
  return most;
}

const firstLine = (message: string): string => message.split("\n", 1)[0]!.replace(/:$/, ".");

/** JSON.parse names a position, a line, or neither where the text just ends. */
function lineIn(message: string, content: string): number | undefined {
  const line = /\(line (\d+) column/.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined && !/end of JSON/.test(message)) return undefined;
  return content.slice(0, position === undefined ? undefined : Number(position)).split("\n").length;
}

function refused(path: string, says: string, line?: number): FileReading {
  return { status: "refused", problem: { code: "unreadable", source: path, path: "", says, ...(line && { line }) } };
}
