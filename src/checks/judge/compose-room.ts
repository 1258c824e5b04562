import { matchesAny } from "../../core/glob/index.ts";
import type { Check } from "../../core/todo/index.ts";
import { asText, type Entries, type Entry, isSame, type Snapshot } from "../snapshot/index.ts";
import { type Definition, definitionOf, inside } from "./definition.ts";
import { relockedBetween, restoreDependencies } from "./dependencies.ts";
import { mergeMakefile } from "./makefile.ts";
import { mergePackageJson } from "./package-json.ts";
import { shadowsRunner } from "./python-modules.ts";
import { reachedBySettings } from "./reached-by-settings.ts";
import { mergeSections } from "./sections.ts";
import { dependenciesOf, isDerived, isRecorded, isRunnerSettings, isSteering, mergeKind } from "./shadows.ts";

/** What is laid out in a room, and how it differs from the project as it is. Names are text, as people read them. */
export interface RoomPlan {
  readonly entries: Entries;
  /** Judging files that are as they were before the work, although they were changed or deleted since. */
  readonly restored: readonly string[];
  /** New files that would steer the judge, left out. */
  readonly leftOut: readonly string[];
  /** Dependencies that were changed without their lock file and are as they were. */
  readonly dependencies: readonly string[];
  /** The same, but too large to have been kept: they are as they are now. */
  readonly unrestored: readonly string[];
  /** Folders that come from the project as it is. */
  readonly provided: readonly string[];
  readonly newTests: readonly string[];
  /** Changed, and you said that they would be. */
  readonly declared: readonly string[];
  /** Files recorded from the work, such as snapshots of tests, that changed. */
  readonly recorded: readonly string[];
  /** There were tests before the work. */
  readonly hadTests: boolean;
  /** Scripts of packages that are as they were, although the check is not known to run them. */
  readonly besides: readonly string[];
  /** Files of the old judge that were laid out: nothing may change them while a check runs. */
  readonly sealed: readonly string[];
  /** Commands that the check leads to, as words. */
  readonly commands: Definition["commands"];
}

export interface RoomRequest {
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly check: Check;
  readonly protect: readonly string[];
  /** Globs of files that you said would change. */
  readonly declared: readonly string[];
  /** `old`: the old judge and new tests. `old only`: without new tests. `new`: with new settings of runners. */
  readonly judge: "old" | "old only" | "new";
}

export interface Contents {
  read(entry: Entry): Promise<Buffer | undefined>;
  write(content: Buffer): Promise<string | undefined>;
}

/** Undefined: something that judged before cannot be read any more. */
export async function composeRoom(request: RoomRequest, contents: Contents): Promise<RoomPlan | undefined> {
  const { before, after, check, judge } = request;
  const [old, now] = [filesOf(before), filesOf(after)];
  const entries = new Map(now);
  const differing = differingIn(old, now);
  const isYours = declaredBy(request.declared, before.prefix);
  const isProtected = protectedBy(request.protect, before.prefix);
  const definition = await definitionIn(before, check, old, contents);
  const reached = await reachedBySettings(old, contents.read);
  const isIncluded = includedBy(definition);
  const named = (path: string) =>
    reached.has(path) || definition.files.some((file) => path === file || path.startsWith(`${file}/`));
  const isJudge = (path: string) =>
    dependenciesOf(path) === undefined &&
    (named(path) || ((isProtected(path) || isIncluded(path)) && mergeKind(path) === undefined));
  const isTest = (path: string) => isProtected(path) && isJudge(path) && !isSteering(path) && !isOfCi(path);
  const notes = {
    restored: [] as string[],
    leftOut: [] as string[],
    declared: [] as string[],
    recorded: [] as string[],
  };
  const newTests: string[] = [];
  const besides: string[] = [];
  for (const [bytes, entry] of now) {
    const path = asText(bytes);
    const isMade = isDerived(path) ? !isSame(entry, old.get(bytes)) : definition.made.includes(path);
    if (isMade && !before.project.has(bytes)) entries.delete(bytes);
  }
  const testFolders = new Set([...old.keys()].filter((bytes) => isTest(asText(bytes))).map(folderOf));
  const isOnPythonsWay = (folder: string) => definition.folders.includes(folder) || testFolders.has(folder);
  const shadows = (path: string) => shadowsRunner(path, isOnPythonsWay);

  const packages = restoreDependencies(before, after, old, entries, await relockedBetween(old, now, contents.read));
  for (const bytes of differing) {
    const entry = old.get(bytes);
    if (!entry) continue;
    const path = asText(bytes);
    if (isRecorded(path)) notes.recorded.push(path);
    const isSettings = isSteering(path) && mergeKind(path) === undefined;
    if (dependenciesOf(path) !== undefined || !(isJudge(path) || isSettings)) continue;
    if (isYours(path)) notes.declared.push(path);
    else {
      put(entries, bytes, entry);
      notes.restored.push(path);
    }
  }
  for (const bytes of differing) {
    if (old.has(bytes)) continue;
    const path = asText(bytes);
    if (!entries.has(bytes) || dependenciesOf(path) !== undefined) continue;
    const steers = isSteering(path) ? !isFirstMakefile(path, old) : isIncluded(path) || shadows(path);
    if (steers && !isYours(path) && !(judge === "new" && isRunnerSettings(path))) {
      entries.delete(bytes);
      notes.leftOut.push(path);
    } else if (isJudge(path)) {
      newTests.push(path);
      if (judge === "old only") entries.delete(bytes);
    }
  }
  for (const bytes of differing) {
    const path = asText(bytes);
    const kind = mergeKind(path);
    if (kind === undefined || dependenciesOf(path) !== undefined) continue;
    if (!old.has(bytes) && (kind !== "sections" || judge === "new" || !entries.has(bytes))) continue;
    const merged = await merge(path, kind, old.get(bytes), now.get(bytes), definition, contents);
    if (merged === undefined) return undefined;
    if (merged.changed.length + merged.besides.length === 0) continue;
    if (isYours(path)) {
      notes.declared.push(path);
      continue;
    }
    const oid = await contents.write(Buffer.from(merged.text));
    if (oid === undefined) return undefined;
    put(entries, bytes, { mode: "100644", oid });
    notes.restored.push(...merged.changed.map((name) => `${path} (${name})`));
    besides.push(...merged.besides.map((name) => `${path} (${name})`));
  }
  const fresh = new Set(newTests);
  const isSealed = (path: string) =>
    !fresh.has(path) && !isRecorded(path) && dependenciesOf(path) === undefined && (isJudge(path) || isSteering(path));
  return {
    entries,
    ...notes,
    ...packages,
    newTests,
    besides,
    sealed: [...entries.keys()].filter((bytes) => isSealed(asText(bytes))),
    commands: definition.commands,
    hadTests: testFolders.size > 0,
  };
}

/** The same room with the project as it was before the work, but for the new tests. */
export function withoutWork(plan: RoomPlan, before: Snapshot, after: Snapshot): RoomPlan {
  const entries = new Map<string, Entry>([...before.ignored, ...before.project]);
  for (const path of plan.newTests.map((name) => Buffer.from(name).toString("latin1"))) {
    const entry = after.project.get(path) ?? after.ignored.get(path);
    if (entry) put(entries, path, entry);
  }
  return { ...plan, entries, sealed: [] };
}

const folderOf = (bytes: string): string => asText(bytes).replace(/\/?[^/]*$/, "") || ".";

/** A large project is walked through as seldom as can be. */
function filesOf({ ignored, project }: Snapshot): Entries {
  if (ignored.size === 0) return project;
  const files = new Map(ignored);
  for (const [path, entry] of project) files.set(path, entry);
  return files;
}

/** What is another one or gone, and then what is new. */
function differingIn(old: Entries, now: Entries): readonly string[] {
  const differing: string[] = [];
  for (const [path, entry] of old) if (!isSame(entry, now.get(path))) differing.push(path);
  for (const path of now.keys()) if (!old.has(path)) differing.push(path);
  return differing;
}

const isOfCi = (path: string): boolean =>
  /^\.(?:github|circleci|buildkite|ci)\/|(?:^|\/)(?:\.gitlab-ci\.yml|\.travis\.yml|Jenkinsfile|azure-pipelines\.yml)$/.test(
    path,
  );

/** Whatever stands in its way gives way: a link or a file above it, and what lies below it. */
function put(entries: Map<string, Entry>, path: string, entry: Entry): void {
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) entries.delete(path.slice(0, at));
  if (!entries.has(path)) for (const other of entries.keys()) if (other.startsWith(`${path}/`)) entries.delete(other);
  entries.set(path, entry);
}

async function definitionIn(before: Snapshot, check: Check, old: Entries, contents: Contents): Promise<Definition> {
  const texts = new Map<string, string | undefined>();
  const top = asText(before.prefix).replace(/\/$/, "") || ".";
  const asked = { ...check, cwd: inside(top, check.cwd ?? ".") };
  const packages = [...old.keys()]
    .map(asText)
    .filter((path) => /(?:^|\/)package\.json$/.test(path) && dependenciesOf(path) === undefined)
    .slice(0, MOST_PACKAGES);
  for (let round = 0; ; round++) {
    const wanted = new Set<string>();
    const read = (path: string) => {
      if (!texts.has(path)) wanted.add(path);
      return texts.get(path);
    };
    const definition = definitionOf(asked, read, () => packages);
    if (wanted.size === 0 || round >= MOST_ROUNDS) return definition;
    for (const path of wanted) {
      const entry = old.get(Buffer.from(path).toString("latin1"));
      texts.set(path, entry && (await contents.read(entry))?.toString("utf8"));
    }
  }
}

const MOST_ROUNDS = 20;
const MOST_PACKAGES = 500;

interface Merged {
  readonly text: string;
  readonly changed: readonly string[];
  /** The same of what the check is not known to run. */
  readonly besides: readonly string[];
}

async function merge(
  path: string,
  kind: "package" | "makefile" | "sections",
  before: Entry | undefined,
  after: Entry | undefined,
  definition: Definition,
  contents: Contents,
): Promise<Merged | undefined> {
  const [old, now] = [before && (await contents.read(before)), after && (await contents.read(after))];
  if (before && !old) return undefined;
  const [oldText, newText] = [old?.toString("utf8") ?? "", now?.toString("utf8")];
  const own = new Set(definition.parts.filter((part) => part.path === path).map(({ name }) => name));
  switch (kind) {
    case "package": {
      const { text, changed } = mergePackageJson(oldText, newText);
      const isKnown = (name: string) => own.has(name) || !isScript(name, oldText, newText);
      return { text, changed: changed.filter(isKnown), besides: changed.filter((name) => !isKnown(name)) };
    }
    case "makefile":
      return { ...(includedBy(definition)(path) ? mergeMakefile(oldText, newText ?? "") : NOT_READ), besides: [] };
    case "sections":
      return { ...mergeSections(oldText, newText ?? ""), besides: [] };
  }
}

const NOT_READ = { text: "", changed: [] };

/** Whether a changed name of a package.json is a script, and not a runner's settings. */
function isScript(name: string, ...texts: readonly (string | undefined)[]): boolean {
  return texts.some(
    (text) => text?.includes("scripts") && new RegExp(`"${name.replace(/[^\w:-]/g, ".")}"\\s*:\\s*"`).test(text),
  );
}

/** Where there was none before, the first one is work. */
function isFirstMakefile(path: string, old: Entries): boolean {
  const [, folder = "", name = ""] = /^(.*\/)?([^/]+)$/.exec(path) ?? [];
  if (!/^(?:GNUm|m)akefile$/.test(name)) return false;
  return !["GNUmakefile", "makefile", "Makefile"].some((each) => old.has(`${folder}${each}`));
}

function includedBy({ makefiles }: Definition): (path: string) => boolean {
  const matches = matchesAny(makefiles.filter((path) => /[*?]/.test(path)));
  return (path) => makefiles.includes(path) || matches(path);
}

/** A declared folder stands for all that is in it; everything at once is no declaration. */
export function declaredBy(patterns: readonly string[], prefix: string): (path: string) => boolean {
  const fit = patterns.filter((pattern) => !isEverything(pattern));
  const matches = matchesAny(fit.flatMap((pattern) => [pattern, `${pattern.replace(/\/+$/, "")}/**`]));
  return (path) => matches(path) || (path.startsWith(prefix) && matches(path.slice(prefix.length)));
}

export const isEverything = (pattern: string): boolean =>
  /^(?:\.?\/)*(?:\*+\/?)*\.?$/.test(pattern) || /^\*\*\/\*(?:\.\*)?$/.test(pattern);

function protectedBy(protect: readonly string[], prefix: string): (path: string) => boolean {
  const matches = matchesAny(protect);
  const namesRecorded = protect.some((pattern) => !pattern.includes("{") && /snap/.test(pattern));
  const isProtected = (path: string) =>
    (namesRecorded || !isRecorded(path)) &&
    (matches(path) || (path.startsWith(prefix) && matches(path.slice(prefix.length))));
  const known = ANSWERS.get(protect) ?? new Map<string, boolean>();
  ANSWERS.set(protect, known);
  return (path) => {
    const key = `${prefix}\0${path}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= MOST_ANSWERS) known.clear();
    const answer = isProtected(path);
    known.set(key, answer);
    return answer;
  };
}

/** A large project is asked about path by path for every room, and the answers stay the same. */
const ANSWERS = new WeakMap<readonly string[], Map<string, boolean>>();
const MOST_ANSWERS = 200_000;
