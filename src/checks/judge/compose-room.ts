import { matchesAny } from "../../core/glob/index.ts";
import type { Check } from "../../core/todo/index.ts";
import { asBytes, asText, differingIn, type Entries, type Entry, type Snapshot } from "../snapshot/index.ts";
import type { Definition } from "./definition.ts";
import { relockedBetween, restoreDependencies } from "./dependencies.ts";
import { mayHoldTests, mergeInlineTests } from "./inline-tests.ts";
import { filesOf, includedBy, judgeFacts } from "./judge-facts.ts";
import { mergeMakefile } from "./makefile.ts";
import { mergePackageJson } from "./package-json.ts";
import { shadowsRunner } from "./python-modules.ts";
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
  /** Packages that changed with their lock file. */
  readonly renewed: readonly string[];
  /** Large folders that the room begins without: the check makes them anew. */
  readonly unlinked: readonly string[];
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
  const { before, after, judge } = request;
  const facts = await judgeFacts(request, contents.read);
  const { old, definition, isJudge, isIncluded, tests } = facts;
  const now = filesOf(after);
  const entries = new Map(now);
  const differing = differingIn(old, now);
  const isYours = declaredBy(request.declared, before.prefix);
  const notes = {
    restored: [] as string[],
    leftOut: [] as string[],
    declared: [] as string[],
    recorded: [] as string[],
  };
  const newTests: string[] = [];
  const besides: string[] = [];
  const made = definition.made.map(asBytes).filter((bytes) => !isDerived(asText(bytes)));
  const derived = differing.filter((bytes) => isDerived(asText(bytes)));
  const built = [...after.ignored.keys()].filter((bytes) => facts.isBuilt(asText(bytes)));
  for (const bytes of [...made, ...derived, ...built]) if (!before.project.has(bytes)) entries.delete(bytes);
  const isOnPythonsWay = (folder: string) => definition.folders.includes(folder) || tests.has(folder);
  const shadows = (path: string) => shadowsRunner(path, isOnPythonsWay);

  const relocked = await relockedBetween(facts, now, differing, contents.read);
  const packages = restoreDependencies(before, after, facts, entries, relocked, [...differing, ...made]);
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
    const before = old.get(bytes);
    if (!before && (kind !== "sections" || judge === "new" || !entries.has(bytes))) continue;
    if ((isLink(before) || isLink(now.get(bytes))) && !isYours(path)) {
      if (before) put(entries, bytes, before);
      else entries.delete(bytes);
      (before ? notes.restored : notes.leftOut).push(path); // what it leads to may be anything by the time it is read
      continue;
    }
    const merged = await merge(path, kind, before, now.get(bytes), definition, contents);
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
  const isWork = (bytes: string) =>
    mayHoldTests(bytes) && dependenciesOf(bytes) === undefined && !isJudge(asText(bytes)) && !isYours(asText(bytes));
  notes.restored.push(
    ...(await restoreInlineTests(differing.filter(isWork).slice(0, MOST_WITH_TESTS), old, entries, contents)),
  );
  const fresh = new Set(newTests);
  const isNewSeal = (bytes: string) => !old.has(bytes) && !fresh.has(asText(bytes)) && facts.isSealed(asText(bytes));
  const unlinked = after.large.map(({ path }) => asText(path)).filter(facts.isBuilt);
  return {
    entries,
    ...notes,
    ...packages,
    provided: packages.provided.filter((path) => !unlinked.includes(path)),
    unlinked,
    newTests,
    besides,
    sealed: [...facts.sealed, ...differing.filter(isNewSeal)].filter((bytes) => entries.has(bytes)),
    commands: definition.commands,
    hadTests: tests.size > 0,
  };
}

/** Each is read by a process of git's. */
const MOST_WITH_TESTS = 500;

/** Tests inside files of the work are as they were; what is around them is the work. A link in the place of such a file holds none. */
async function restoreInlineTests(
  differing: readonly string[],
  old: Entries,
  entries: Map<string, Entry>,
  { read, write }: Contents,
): Promise<readonly string[]> {
  const textOf = async (entry: Entry) => (entry.mode === LINK ? "" : ((await read(entry))?.toString("utf8") ?? ""));
  const restored: string[] = [];
  for (const bytes of differing) {
    const [before, after] = [old.get(bytes), entries.get(bytes)];
    const merged = before && after && mergeInlineTests(await textOf(before), await textOf(after));
    const oid = merged && (await write(Buffer.from(merged.text)));
    if (!merged || oid === undefined) continue;
    entries.set(bytes, { mode: "100644", oid });
    restored.push(...merged.changed.map((name) => `${asText(bytes)} (${name})`));
  }
  return restored;
}

const LINK = "120000";
const isLink = (entry: Entry | undefined): boolean => entry?.mode === LINK;

/** The same room with the project as it was before the work, but for the new tests. */
export function withoutWork(plan: RoomPlan, before: Snapshot, after: Snapshot): RoomPlan {
  const entries = new Map<string, Entry>([...before.ignored, ...before.project]);
  for (const path of plan.newTests.map((name) => Buffer.from(name).toString("latin1"))) {
    const entry = after.project.get(path) ?? after.ignored.get(path);
    if (entry) put(entries, path, entry);
  }
  return { ...plan, entries, sealed: [] };
}

/** Whatever stands in its way gives way: a link or a file above it, and what lies below it. */
function put(entries: Map<string, Entry>, path: string, entry: Entry): void {
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) entries.delete(path.slice(0, at));
  if (!entries.has(path)) for (const other of entries.keys()) if (other.startsWith(`${path}/`)) entries.delete(other);
  entries.set(path, entry);
}

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

/** A declared folder stands for all that is in it; everything at once is no declaration. */
export function declaredBy(patterns: readonly string[], prefix: string): (path: string) => boolean {
  const fit = patterns.filter((pattern) => !isEverything(pattern));
  const matches = matchesAny(fit.flatMap((pattern) => [pattern, `${pattern.replace(/\/+$/, "")}/**`]));
  return (path) => matches(path) || (path.startsWith(prefix) && matches(path.slice(prefix.length)));
}

export const isEverything = (pattern: string): boolean =>
  /^(?:\.?\/)*(?:\*+\/?)*\.?$/.test(pattern) || /^\*\*\/\*(?:\.\*)?$/.test(pattern);
