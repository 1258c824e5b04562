import { firstOf, type OwnedCheck } from "../../core/continuation/index.ts";
import { type RoomPlan, type RoomRequest, withoutWork } from "../judge/compose-room.ts";
import { findsNoTests } from "./finds-no-tests.ts";
import { otherStandings } from "./room-repository.ts";
import { asBegun, type Case, type Outcome, tryPlan } from "./try-plan.ts";

type Composes = (judge: RoomRequest["judge"]) => Promise<RoomPlan | undefined>;

/** Until one lets the check pass; what the first one said is what is shown. */
export async function tryPlans(
  given: Case,
  owned: OwnedCheck,
  plan: RoomPlan,
  compose: Composes,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const first = isAskedFor(plan)
    ? await tryPlan(given, owned, plan, signal)
    : await tryOldTestsFirst(given, owned, plan, compose, signal);
  if (!first || first.end === undefined || signal.aborted) return first;
  const other = plan.hadTests ? undefined : await compose("new");
  const tried = other && (await tryPlan(given, owned, other, signal));
  if (tried?.end === undefined && tried) return tried;
  for (const as of otherStandings(plan.commands)) {
    const standing = signal.aborted ? undefined : await tryPlan(given, owned, plan, signal, { as });
    if (standing && standing.end === undefined) return standing;
  }
  return first;
}

/**
 * New tests run together with the old ones, and one that ends them all, or stands in for the work, would let the check pass. So it
 * passes without them; or with them, and has to fail with them where the work is not done.
 */
async function tryOldTestsFirst(
  given: Case,
  owned: OwnedCheck,
  plan: RoomPlan,
  compose: Composes,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const old = await compose("old only");
  const alone = old && (await tryPlan(given, owned, old, signal));
  if (!alone || alone.end === undefined || signal.aborted) return alone;
  const all = await tryPlan(given, owned, plan, signal);
  if (!all || signal.aborted) return all;
  if (all.end !== undefined) return alone;
  if (findsNoTests(alone.tail, plan.newTests) && (await foundNoneBefore(given, owned, plan, signal))) return all;
  const idle = await tryPlan(given, owned, withoutWork(plan, given.before, given.after), signal);
  return idle && idle.end === undefined ? { ...all, emptied: plan.newTests } : all;
}

/** The old tests are none that the check would run. What it prints may come from the work, so it has to say the same without it. */
async function foundNoneBefore(given: Case, owned: OwnedCheck, plan: RoomPlan, signal: AbortSignal): Promise<boolean> {
  const first = firstOf(given.run, owned.check);
  const tail = first ? first.tail : (await tryPlan(given, owned, asBegun(given, plan), signal))?.tail;
  return tail !== undefined && findsNoTests(tail, plan.newTests);
}

/** There were no tests, or the check names one that is new. */
function isAskedFor({ newTests, hadTests, commands }: RoomPlan): boolean {
  if (newTests.length === 0 || !hadTests) return true;
  const words = commands.flat().filter((word) => !word.startsWith("-") && /[\w]/.test(word));
  return newTests.some((path) => words.some((word) => path === word || path.endsWith(`/${word}`)));
}
