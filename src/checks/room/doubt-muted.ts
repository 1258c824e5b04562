import type { OwnedCheck } from "../../core/continuation/index.ts";
import { canMute } from "../judge/can-mute.ts";
import type { RoomPlan } from "../judge/compose-room.ts";
import { type FailingTest, failedOnPurpose, failingTest, mayEndTests } from "../judge/failing-test.ts";
import { dependenciesOf } from "../judge/shadows.ts";
import { asBytes, asText, type Entry, isSame } from "../snapshot/index.ts";
import { mutedText, renewedText } from "./doubt-text.ts";
import { lacksItsEnd, passedAsWhole, runsTests } from "./says-its-end.ts";
import { asBegun, type Case, type Outcome, tryPlan } from "./try-plan.ts";

/**
 * Work that runs in one process with its tests can end them all as passed, or replace what compares. Where something hints at that, old tests
 * get one more that fails: if the check still passes, although it fails where that one stands alone, no test of it can fail. Packages that
 * changed with their lock file hint at it too; where a runner of tests then passes even those that stand alone, it is the runner that is bent.
 */
export async function doubtMuted(
  given: Case,
  owned: OwnedCheck,
  tried: Outcome,
  signal: AbortSignal,
): Promise<string | undefined> {
  const hinted = await hintedAt(given, tried);
  let left = hinted;
  for (let round = 0; left.length > 0 && round < MOST_ROUNDS; round++) {
    const joined = await tryWith(given, owned, tried, left, "joined", signal);
    if (!joined || signal.aborted) return undefined;
    if (joined.end === undefined) {
      const alone = await tryWith(given, owned, tried, left, "alone", signal);
      const failed = failedOnPurpose(alone?.end === undefined ? "" : alone.tail);
      const muted = left.filter(({ number }) => failed.has(number));
      if (muted.length > 0) return mutedText(muted.map(({ path }) => path));
      const isBent = alone !== undefined && alone.end === undefined && !signal.aborted && left.length < MOST_TESTS;
      if (!isBent || !hasOtherRunner(tried)) return undefined;
      const ran = await ranBefore(given, owned, tried, hinted, signal);
      const areRun = ran ? left.some(({ number }) => ran.has(number)) : round === 0;
      return areRun ? renewedText(tried.by.plan.renewed) : undefined;
    }
    // These can fail. One of them may have kept others from being run.
    const failed = failedOnPurpose(joined.tail);
    if (failed.size === 0) return undefined;
    left = left.filter(({ number }) => !failed.has(number));
  }
  return undefined;
}

const MOST_ROUNDS = 3;
const MOST_TESTS = 100;
const MOST_CHANGED = 300;
const MOST_BYTES = 256 * 1024;

interface Failing extends FailingTest {
  readonly path: string;
  readonly number: number;
}

async function tryWith(
  given: Case,
  owned: OwnedCheck,
  { by, needs }: Outcome,
  tests: readonly Failing[],
  how: keyof FailingTest,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const entries = new Map(by.plan.entries);
  for (const test of tests) {
    const bytes = asBytes(test.path);
    const oid = await given.ports.snapshots.write(given.run.origin.cwd, Buffer.from(test[how]));
    if (oid === undefined) return undefined;
    entries.set(bytes, { mode: entries.get(bytes)!.mode, oid });
  }
  return tryPlan(given, owned, { ...by.plan, entries, sealed: [] }, signal, { as: by.as, exactly: needs ?? "room" });
}

/** Old tests that the work may keep from failing. */
async function hintedAt(given: Case, tried: Outcome): Promise<readonly Failing[]> {
  const { plan } = tried.by;
  const names = await mutingFiles(given, plan);
  const whole = passedAsWhole(tried.tail);
  const all = lacksItsEnd(plan.commands, tried.tail) || hasOtherRunner(tried);
  if (names.length === 0 && whole.length === 0 && !all) return [];
  const { tests, helpers } = await oldTests(given, plan);
  const able = tests.filter(({ text }) => !endsByHelper(text, helpers));
  const isNamed = ({ path, text }: (typeof tests)[number]) =>
    whole.some((name) => name.endsWith(path)) || names.some((name) => text.includes(stemOf(name)));
  const named = all ? [] : able.filter(isNamed);
  return (named.length > 0 ? named : able).slice(0, MOST_TESTS);
}

/** What runs the tests may be the agent's own: it was neither kept from before the work nor installed by your command. */
const hasOtherRunner = ({ by: { plan }, proof }: Outcome): boolean =>
  plan.renewed.length > 0 && proof.prepared !== true && runsTests(plan.commands);

/**
 * Which tests the check runs at all, by what ran them before the work; undefined: that was too large to keep. A check may never run tests of
 * another kind than those that did fail.
 */
async function ranBefore(
  given: Case,
  owned: OwnedCheck,
  tried: Outcome,
  tests: readonly Failing[],
  signal: AbortSignal,
): Promise<ReadonlySet<number> | undefined> {
  const { plan } = tried.by;
  const isLarge = (unit: string) => given.before.large.some(({ path }) => unit.startsWith(`${asText(path)}/`));
  if (plan.renewed.some(isLarge)) return undefined;
  const begun = { ...tried, by: { ...tried.by, plan: asBegun(given, plan) } };
  const alone = await tryWith(given, owned, begun, tests, "alone", signal);
  return failedOnPurpose(alone?.tail ?? "");
}

/** Changed files of the work that say such words. */
async function mutingFiles(given: Case, plan: RoomPlan): Promise<readonly string[]> {
  const { before } = given;
  const judging = new Set([...plan.sealed, ...plan.newTests.map(asBytes)]);
  const found: string[] = [];
  let seen = 0;
  for (const [bytes, entry] of plan.entries) {
    const old = before.project.get(bytes) ?? before.ignored.get(bytes);
    const path = asText(bytes);
    if (isSame(entry, old) || judging.has(bytes) || dependenciesOf(path) !== undefined) continue;
    if (++seen > MOST_CHANGED) break;
    if (canMute(path, old ? await textOf(given, old) : "", await textOf(given, entry))) found.push(path);
  }
  return found;
}

/** What the mode of a file begins with that is no link and no repository. */
const FILE = "100";

interface OldTest extends Failing {
  readonly text: string;
}

async function oldTests(given: Case, plan: RoomPlan) {
  const tests: OldTest[] = [];
  const helpers: { readonly path: string; readonly text: string }[] = [];
  for (const bytes of plan.sealed) {
    const path = asText(bytes);
    if (!/\.(?:[cm]?[jt]sx?|py|(?:ba|da|k|z)?sh|rs)$/.test(path)) continue;
    const entry = plan.entries.get(bytes);
    if (!entry?.mode.startsWith(FILE)) continue;
    const text = await textOf(given, entry);
    const number = tests.length;
    const failing = failingTest(path, text, number);
    if (failing) tests.push({ ...failing, path, number, text });
    else if (mayEndTests(path, text)) helpers.push({ path, text });
  }
  return { tests, helpers };
}

/** By names: too much is taken for a use, and then nothing is doubted. */
const endsByHelper = (text: string, helpers: readonly { readonly path: string }[]): boolean =>
  helpers.some(({ path }) => text.includes(stemOf(path)));

const stemOf = (path: string): string => path.replace(/^.*\//, "").replace(/\.[^.]*$/, "");

async function textOf({ ports, run }: Case, entry: Entry): Promise<string> {
  const content = await ports.snapshots.read(run.origin.cwd, entry);
  return content && content.length <= MOST_BYTES ? content.toString("utf8") : "";
}
