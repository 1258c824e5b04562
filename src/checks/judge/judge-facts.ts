import { matchesAny } from "../../core/glob/index.ts";
import type { Check } from "../../core/todo/index.ts";
import { asBytes, asText, type Entries, type Entry, type Snapshot } from "../snapshot/index.ts";
import { type Definition, definitionOf, inside } from "./definition.ts";
import { unitOf } from "./dependencies.ts";
import { reachedBySettings } from "./reached-by-settings.ts";
import { dependenciesOf, isLock, isRecorded, isSteering, mergeKind } from "./shadows.ts";

/** What the state from before the work says about a check. */
export interface JudgeFacts {
  readonly old: Entries;
  readonly definition: Definition;
  /** Paths are text. */
  readonly isJudge: (path: string) => boolean;
  readonly isIncluded: (path: string) => boolean;
  /** Nothing may change such a file while the check runs. */
  readonly isSealed: (path: string) => boolean;
  /** Those of the old files, as bytes. */
  readonly sealed: readonly string[];
  readonly locks: readonly string[];
  /** What the check's build tool makes from the files, and believes by its times where it is there already. */
  readonly isBuilt: (path: string) => boolean;
  /** Folders with tests. */
  readonly tests: ReadonlySet<string>;
  /** Folders of dependencies, and the packages in them. */
  readonly tops: ReadonlySet<string>;
  readonly units: ReadonlySet<string>;
}

export interface FactsRequest {
  readonly before: Snapshot;
  readonly check: Check;
  readonly protect: readonly string[];
}

type Read = (entry: Entry) => Promise<Buffer | undefined>;

/** The same for every room of a check, and in a large project most of the work: found out once. */
export function judgeFacts(request: FactsRequest, read: Read): Promise<JudgeFacts> {
  const { before, check, protect } = request;
  const known = KNOWN.get(before) ?? new Map<string, Promise<JudgeFacts>>();
  KNOWN.set(before, known);
  const key = JSON.stringify([check.run, check.cwd, protect]);
  const facts = known.get(key) ?? findFacts(request, read);
  known.set(key, facts);
  facts.catch(() => known.delete(key));
  return facts;
}

const KNOWN = new WeakMap<Snapshot, Map<string, Promise<JudgeFacts>>>();

async function findFacts({ before, check, protect }: FactsRequest, read: Read): Promise<JudgeFacts> {
  const old = filesOf(before);
  const isProtected = protectedBy(protect, before.prefix);
  const definition = await definitionIn(before, check, old, read);
  const reached = await reachedBySettings(old, read);
  const isIncluded = includedBy(definition);
  const named = (path: string) =>
    reached.has(path) || definition.files.some((file) => path === file || path.startsWith(`${file}/`));
  const isJudge = (path: string) =>
    dependenciesOf(path) === undefined &&
    (named(path) || ((isProtected(path) || isIncluded(path)) && mergeKind(path) === undefined));
  const isTest = (path: string) => isProtected(path) && isJudge(path) && !isSteering(path) && !isOfCi(path);
  const isSealed = (path: string) =>
    !isRecorded(path) && dependenciesOf(path) === undefined && (isJudge(path) || isSteering(path));
  const [sealed, locks, tests, tops, units] = [[] as string[], [] as string[], ...sets()];
  for (const bytes of old.keys()) {
    const path = asText(bytes);
    const top = dependenciesOf(bytes);
    if (top !== undefined) {
      tops.add(top);
      units.add(unitOf(bytes));
      continue;
    }
    if (isSealed(path)) sealed.push(bytes);
    if (isLock(path)) locks.push(bytes);
    if (isTest(path)) tests.add(folderOf(path));
  }
  const builds = definition.commands.some((words) => words.some((word) => BUILD_TOOL.test(word)));
  const isBuilt = (path: string) => builds && BUILT.test(path);
  return { old, definition, isJudge, isIncluded, isSealed, isBuilt, sealed, locks, tests, tops, units };
}

const BUILD_TOOL = /^(?:.*\/)?(?:cargo|mvnw?|sbt)$/;
const BUILT = /(?:^|\/)target(?:\/|$)/;

const sets = (): [Set<string>, Set<string>, Set<string>] => [new Set(), new Set(), new Set()];

const folderOf = (path: string): string => path.replace(/\/?[^/]*$/, "") || ".";

/** A large project is walked through as seldom as can be. */
export function filesOf({ ignored, project }: Snapshot): Entries {
  if (ignored.size === 0) return project;
  const files = new Map(ignored);
  for (const [path, entry] of project) files.set(path, entry);
  return files;
}

const isOfCi = (path: string): boolean =>
  /^\.(?:github|circleci|buildkite|ci)\/|(?:^|\/)(?:\.gitlab-ci\.yml|\.travis\.yml|Jenkinsfile|azure-pipelines\.yml)$/.test(
    path,
  );

async function definitionIn(before: Snapshot, check: Check, old: Entries, read: Read): Promise<Definition> {
  const texts = new Map<string, string | undefined>();
  const top = asText(before.prefix).replace(/\/$/, "") || ".";
  const asked = { ...check, cwd: inside(top, check.cwd ?? ".") };
  const packages = [...old.keys()]
    .map(asText)
    .filter((path) => /(?:^|\/)package\.json$/.test(path) && dependenciesOf(path) === undefined)
    .slice(0, MOST_PACKAGES);
  for (let round = 0; ; round++) {
    const wanted = new Set<string>();
    const textOf = (path: string) => {
      if (!texts.has(path)) wanted.add(path);
      return texts.get(path);
    };
    const definition = definitionOf(asked, textOf, () => packages);
    if (wanted.size === 0 || round >= MOST_ROUNDS) return definition;
    for (const path of wanted) {
      const entry = old.get(asBytes(path));
      texts.set(path, entry && (await read(entry))?.toString("utf8"));
    }
  }
}

const MOST_ROUNDS = 20;
const MOST_PACKAGES = 500;

export function includedBy({ makefiles }: Definition): (path: string) => boolean {
  const matches = matchesAny(makefiles.filter((path) => /[*?]/.test(path)));
  return (path) => makefiles.includes(path) || matches(path);
}

function protectedBy(protect: readonly string[], prefix: string): (path: string) => boolean {
  const matches = matchesAny(protect);
  const namesRecorded = protect.some((pattern) => !pattern.includes("{") && /snap/.test(pattern));
  return (path) =>
    (namesRecorded || !isRecorded(path)) &&
    (matches(path) || (path.startsWith(prefix) && matches(path.slice(prefix.length))));
}
