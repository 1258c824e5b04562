import { accessSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { attempt, errorCode } from "../machine/index.ts";

/**
 * Where pi's tools go for a path that a model gives. pi does not export how it reads one, so this says it again;
 * a test compares the two over thousands of spellings. Throws where pi's tool would throw.
 */
export function pathOfTool(path: string, cwd: string, access: "read" | "other"): string {
  const given = expanded(path);
  const resolved = isAbsolute(given) ? resolve(given) : resolve(cwd, given);
  return access === "read" ? (SPELLED_BY_MACOS.map((spell) => spell(resolved)).find(exists) ?? resolved) : resolved;
}

/**
 * Every name by which a path reaches its file: as it stands, then with one link after the other followed, the last one
 * without any. A rule that denies one of them denies all; a file that does not exist yet is where it would be made.
 */
export function namesOf(path: string, cwd: string): readonly string[] {
  const names = [withinRealFolder(path, cwd)];
  for (;;) {
    const next = throughFirstLink(names.at(-1)!);
    if (next === undefined) return [...names.slice(0, -1), resolve(names.at(-1)!)];
    if (names.length > MOST_LINKS) throw new Error(`${path} leads through more than ${MOST_LINKS} links.`);
    names.push(next);
  }
}

const MOST_LINKS = 40;

/** The folder of the run is one place, whichever link the terminal stood in when it began. */
function withinRealFolder(path: string, cwd: string): string {
  const way = relative(cwd, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? path : join(realpathSync(cwd), way);
}

function throughFirstLink(path: string): string | undefined {
  const { root } = parse(path);
  const steps = path.slice(root.length).split(sep);
  let at = root;
  for (const [index, step] of steps.entries()) {
    if (step === "" || step === ".") continue;
    const next = join(at, step); // what stands before a ".." is no link, so it can be taken back
    const target = step === ".." ? undefined : linkAt(next);
    if (target === "nothing") return undefined;
    // Joined as text: a ".." of the target is taken back only after the links before it.
    if (target !== undefined) return [...(isAbsolute(target) ? [] : [at]), target, ...steps.slice(index + 1)].join(sep);
    at = next;
  }
  return undefined;
}

function linkAt(path: string): string | "nothing" | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return "nothing"; // nor can the tool go any further
  }
}

/** pi's `normalizePath`, with what its tools ask of it. */
function expanded(path: string): string {
  const spaced = path.replace(/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, " ");
  const bare = spaced.startsWith("@") ? spaced.slice(1) : spaced;
  if (bare === "~") return homedir();
  if (bare.startsWith("~/")) return join(homedir(), bare.slice(2));
  return bare.startsWith("file://") ? fileURLToPath(bare) : bare;
}

const narrow = (path: string) => path.replace(/ (AM|PM)\./gi, "\u202F$1.");
const decomposed = (path: string) => path.normalize("NFD");
const curly = (path: string) => path.replace(/'/g, "\u2019");
/** What pi tries in turn where the file to read is not there. */
const SPELLED_BY_MACOS: readonly ((path: string) => string)[] = [
  (path) => path,
  narrow,
  decomposed,
  curly,
  (path) => curly(decomposed(path)),
];

function exists(path: string): boolean {
  const reach = () => {
    accessSync(path);
    return true;
  };
  return attempt(reach) ?? false;
}
