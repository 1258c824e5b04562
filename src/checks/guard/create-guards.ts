import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { matchesAny } from "../../core/glob/index.ts";
import type { Check } from "../../core/todo/index.ts";
import type { Clock, GuardRequest } from "../../engine/index.ts";
import { createFileContents, type FileContents } from "../workspace/file-contents.ts";
import type { Git } from "../workspace/git.ts";
import { definitionOf, type Part, partsIn, type Read } from "./definition.ts";
import { createKept } from "./kept.ts";
import { listFiles } from "./list-files.ts";
import { type Manifest, mergeManifests, type ProtectedFile, partKey, readManifest, writeManifest } from "./manifest.ts";

export interface GuardPorts {
  readonly git: Git;
  readonly clock: Clock;
  /** Where guards and what they need to be put back are kept. */
  readonly directory: string;
  /** Globs of the files whose change puts a passed check in doubt. */
  readonly protect: readonly string[];
}

export interface Guards {
  take(request: GuardRequest): Promise<string>;
  changesSince(guard: string, now: Now): Promise<Changes>;
  /** What a protected file held; undefined: it was too large to keep, or it is gone. */
  contentOf(cwd: string, file: ProtectedFile): Promise<Buffer | undefined>;
}

export interface Now {
  readonly cwd: string;
  readonly check: Check;
  readonly declared: readonly string[];
}

/** What a check relies on and what was changed or deleted undeclared. `lost`: nobody can say any more. */
export type Changes =
  | { readonly status: "none" | "lost" }
  | {
      readonly status: "changed";
      readonly files: ReadonlyMap<string, ProtectedFile>;
      readonly parts: readonly Part[];
    };

const LARGEST_KEPT = 1024 * 1024;
const KEPT_AT_MOST = 64 * 1024 * 1024;
const LARGEST_READ = 1024 * 1024;

export function createGuards({ git, clock, directory, protect }: GuardPorts): Guards {
  const kept = createKept(directory, clock);
  const isProtected = matchesAny(protect);
  const contents = new Map<string, FileContents>();
  const safe = new Set<string>();
  kept.tidy();

  return { take, changesSince, contentOf };

  async function take({ cwd, checks, before, declared }: GuardRequest): Promise<string> {
    const now = await manifestOf(cwd, checks);
    const old = before === undefined ? undefined : load(before);
    const manifest = old ? mergeManifests(old, now, isDeclaredBy(declared)) : now;
    await keepContents(cwd, now.files);
    const { name, text } = writeManifest(manifest);
    if (!kept.has(`guard-${name}`)) kept.write(`guard-${name}`, text);
    return name;
  }

  async function manifestOf(cwd: string, checks: readonly Check[]): Promise<Manifest> {
    const read = reader(cwd);
    const named = checks.flatMap((check) => definitionOf(check, read).files);
    const paths = new Set([...(await listFiles(git, cwd)).filter(isProtected), ...named]);
    const look = await contentsIn(cwd);
    const files = [...paths].flatMap((path): [string, ProtectedFile][] => {
      const file = look(path);
      return file ? [[path, file]] : [];
    });
    const places = new Set([".", ...checks.map((check) => check.cwd ?? ".")]);
    const parts = [...places].flatMap((place) => partsIn(place, read));
    return { files: new Map(files), parts: new Map(parts.map((part) => [partKey(part), part])) };
  }

  async function changesSince(guard: string, { cwd, check, declared }: Now): Promise<Changes> {
    const manifest = load(guard);
    if (!manifest) return { status: "lost" };
    const isDeclared = isDeclaredBy(declared);
    const look = await contentsIn(cwd);
    const files = [...manifest.files].filter(([path, { mode, oid }]) => {
      if (isDeclared(path)) return false;
      const now = look(path);
      return now?.oid !== oid || now.mode !== mode;
    });
    const read = reader(cwd);
    // What defines the check now, and what defined it then: either may have been changed.
    const current = definitionOf(check, read).parts;
    const before = definitionOf(check, (path) => textThen(manifest, path) ?? read(path)).parts;
    const parts = new Set([...current, ...before].map(partKey));
    const changed = [...parts].flatMap((key) => {
      const then = manifest.parts.get(key);
      if (!then || isDeclared(then.path)) return [];
      const now = partsIn(directoryOf(then.path), read).find((part) => partKey(part) === key);
      return now?.value === then.value ? [] : [then];
    });
    if (files.length === 0 && changed.length === 0) return { status: "none" };
    return { status: "changed", files: new Map(files), parts: changed };
  }

  async function contentOf(cwd: string, { oid }: ProtectedFile): Promise<Buffer | undefined> {
    const own = kept.read(`content-${oid}`);
    if (own || !OID.test(oid)) return own;
    const answer = await git(cwd, ["cat-file", "blob", oid]);
    return answer.status === "ok" ? answer.output : undefined;
  }

  function load(name: string): Manifest | undefined {
    const text = kept.read(`guard-${name}`);
    return text && readManifest(name, text.toString("utf8"));
  }

  /** What git holds need not be kept a second time. */
  async function keepContents(cwd: string, files: ReadonlyMap<string, ProtectedFile>): Promise<void> {
    const fresh = [...files].filter(([, { oid }]) => OID.test(oid) && !safe.has(oid) && !kept.has(`content-${oid}`));
    if (fresh.length === 0) return;
    const answer = await git(cwd, ["cat-file", "--batch-check"], {
      input: fresh.map(([, { oid }]) => `${oid}\n`).join(""),
    });
    const lines = answer.status === "ok" ? answer.output.toString("latin1").split("\n") : [];
    let size = 0;
    for (const [index, [path, { oid, mode }]] of fresh.entries()) {
      if (/^[0-9a-f]+ blob /.test(lines[index] ?? "")) safe.add(oid);
      else {
        const content = mode.startsWith("100") ? bytes(cwd, path, LARGEST_KEPT) : undefined;
        size += content?.length ?? 0;
        if (content && size <= KEPT_AT_MOST) kept.write(`content-${oid}`, content);
      }
    }
  }

  async function contentsIn(cwd: string): Promise<(path: string) => ProtectedFile | undefined> {
    const known = contents.get(cwd) ?? createFileContents(clock, await algorithmOf(git, cwd));
    contents.set(cwd, known);
    known.begin();
    return (path) => known.of(Buffer.from(join(cwd, path)).toString("latin1"));
  }
}

const OID = /^[0-9a-f]{40,64}$/;

/** A declared directory stands for all that is in it. */
function isDeclaredBy(declared: readonly string[]): (path: string) => boolean {
  return matchesAny(declared.flatMap((pattern) => [pattern, `${pattern.replace(/\/+$/, "")}/**`]));
}

async function algorithmOf(git: Git, cwd: string): Promise<"sha1" | "sha256"> {
  const answer = await git(cwd, ["rev-parse", "--show-object-format"]);
  return answer.status === "ok" && answer.output.toString("latin1").trim() === "sha256" ? "sha256" : "sha1";
}

const directoryOf = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".");

/** A file with its pieces as they were, as far as they define anything. */
function textThen({ parts }: Manifest, path: string): string | undefined {
  const own = [...parts.values()].filter((part) => part.path === path);
  if (own.length === 0) return undefined;
  if (!path.endsWith("package.json")) return own.map(({ value }) => value).join("\n");
  return JSON.stringify({ scripts: Object.fromEntries(own.map(({ name, value }) => [name, value])) });
}

function reader(cwd: string): Read {
  const known = new Map<string, string | undefined>();
  return (path) => {
    if (!known.has(path)) known.set(path, bytes(cwd, path, LARGEST_READ)?.toString("utf8"));
    return known.get(path);
  };
}

function bytes(cwd: string, path: string, atMost: number): Buffer | undefined {
  try {
    const stat = statSync(join(cwd, path));
    return stat.isFile() && stat.size <= atMost ? readFileSync(join(cwd, path)) : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined; // not there, or not ours to read
    throw error;
  }
}
