import { evolve, type Run, UNBORN } from "../../src/core/run/index.ts";
import { gate, NEVER_GATED } from "../../src/core/workflow/index.ts";
import { endOfWait, type Facts } from "./facts.ts";
import { broken, type Violation } from "./judge-event.ts";
import type { Process } from "./process.ts";
import type { World } from "./world.ts";

/** What must hold between two steps, when everything that can happen without time passing has happened. */
export function judgeWorld(world: World, replay: Replay): Violation | undefined {
  for (const facts of world.audit.all()) {
    const violation = judgeCarriage(world, facts) ?? judgeWords(world, facts);
    if (violation) return violation;
  }
  return judgeHeld(world) ?? judgeTimers(world) ?? replay.judge(world);
}

/**
 * The countdown is over and the host is asked; what ends that is its answer, or the time in which it has to come. A clock that was set
 * back since then makes the countdown look as if it were not over. The answer is told after a look at the files that is not over yet.
 */
const isAsking = (
  { profile, clock, hasUnanswered, slowPorts, slowRechecks }: World,
  { boundary }: Facts,
  { timers }: Process,
): boolean =>
  profile.rechecks === true &&
  boundary?.decision?.type === "continue" &&
  (slowPorts.length + slowRechecks.length > 0 ||
    ((hasUnanswered || boundary.decidedAt + boundary.decision.after <= clock.now()) &&
      timers().some((at) => at > clock.now() + A_LOOK_MS)));

/** How far ahead the look at the log is. */
const A_LOOK_MS = 200;

/** A living process carries every countdown and every wait to its end, or it is parked. A host that died with its process is excused. */
function judgeCarriage(world: World, facts: Facts): Violation | undefined {
  const { boundary } = facts;
  if (!boundary || facts.ended !== undefined || facts !== world.facts) return undefined; // nor one that lost its session to another
  const driver = world.processes.find((process) => process.isAlive() && process.driver === facts.driver);
  if (!driver && world.profile.process === "resident") return undefined;
  if (boundary.status === "open") return broken("4 decided", `boundary ${boundary.id} was never decided`);
  const isToldAll = driver !== undefined && world.main === driver;
  if (boundary.status === "nudged" && isToldAll && isIdle(world))
    return broken("4 comes to rest", `${boundary.id} was nudged, and no process sends the nudge`);
  if (boundary.status !== "decided" || boundary.decision?.type === "stop") return undefined;
  const end = endOfWait(facts);
  if (!driver)
    return broken("4 waits end", `no process lives that ends the wait at ${boundary.id}, and it is not parked`);
  if (end !== undefined && !world.diskFailed && !driver.timers().includes(end) && !isAsking(world, facts, driver))
    return broken("4 waits end", `no timer ends what ${boundary.id} waits for`);
  return undefined;
}

/** A process looks five times a second at what others appended. */
const LOOKS_WITHIN_MS = 250;

/** A boundary is held open only while something is waited for, by the log or by a process that has not looked since. */
function judgeHeld(world: World): Violation | undefined {
  if (world.clock.now() - world.spokenElsewhereAt < LOOKS_WITHIN_MS || world.slowPorts.length > 0) return undefined;
  const { boundary, run = "", driver } = world.facts ?? {};
  const isWaiting =
    (boundary?.status === "decided" || (boundary?.status === "parked" && !world.profile.capabilities.resident)) &&
    boundary.decision?.type !== "stop";
  const isTrapped = [...world.held].some(
    ({ process, session }) =>
      process.isAlive() &&
      process.driver === driver &&
      session === world.session &&
      process.position(run) === world.store.log.last(run),
  );
  return isTrapped && !isWaiting ? broken("10 no trap", "the host waits at a boundary for nothing") : undefined;
}

/** No agent works, and nothing is on its way. */
const isIdle = (world: World): boolean =>
  !world.turn &&
  !world.lostEvents &&
  !world.diskFailed &&
  !world.hasUnanswered &&
  world.slowNudges.length + world.slowPorts.length + world.waitingNudges.length + world.late.length === 0;

/** What the log calls delivered, the agent has seen; and nothing reaches it twice, unless it cannot be known what it has. */
function judgeWords(world: World, facts: Facts): Violation | undefined {
  const twice = [...world.wordsSeen].find(([, times]) => times > 1);
  if (twice && world.setup.keepsTranscript !== false)
    return broken("11 words", `${twice[0]} reached the agent ${twice[1]} times`);
  const nudge = [...facts.nudgesDelivered].find(
    (id) => !world.nudgesTaken.some((taken) => taken.run === facts.run && taken.nudge.id === id),
  );
  const isKnown = world.profile.process === "hook" || world.main?.driver === facts.driver; // a dead host has lost it
  // Where turns have no names, one that begins is taken for the nudge that was meant last.
  if (
    nudge !== undefined &&
    isKnown &&
    !world.lostEvents &&
    (world.profile.turnIds || world.profile.process === "hook") &&
    facts === world.facts // of others the nudges reach an agent that is not played
  )
    return broken("2 one nudge", `${nudge} counts as delivered and never reached the agent`);
  const unseen = [...facts.wordsDelivered].find((id) => !world.wordsSeen.has(id));
  // A turn whose beginning is not known is taken for one that they began.
  return unseen === undefined || (world.profile.process === "hook" && world.lostBeginning)
    ? undefined
    : broken("11 words", `${unseen} counts as delivered and never reached the agent`);
}

/**
 * A look and a countdown; where the host is asked, the time for its answer about a nudge and about words; where checkpoints are taken, the
 * longest time that each thing the agent does waits for one.
 */
const mostTimers = ({ profile, setup }: World): number =>
  (profile.rechecks ? 4 : 2) + (setup.takesCheckpoints ? 60 : 0);

/** Besides the look at the log there is one timer at most in every session: never two countdowns. */
function judgeTimers(world: World): Violation | undefined {
  const crowded = world.processes.find(
    (process) => process.timers().length > mostTimers(world) * world.sessions.size && !world.diskFailed,
  );
  return crowded && broken("2 one countdown", `${crowded.driver} has ${crowded.timers().length} timers`);
}

/** Folds each log a second time, from its beginning, and compares with what the processes believe. */
export interface Replay {
  judge(world: World): Violation | undefined;
}

export function createReplay(): Replay {
  const folds = new Map<string, { run: Run; seq: number }>();

  return { judge };

  function judge(world: World): Violation | undefined {
    for (const { run: id } of world.audit.all()) {
      const kept = folds.get(id) ?? { run: UNBORN, seq: 0 };
      const log = world.audit.log(id);
      const fresh = log.slice(kept.seq);
      const run = fresh.reduce(evolve, kept.run);
      folds.set(id, { run, seq: log.length });
      if (fresh.length === 0) continue;
      const violation = judgeGate(run) ?? judgeBelief(world, run);
      if (violation) return violation;
    }
    return undefined;
  }
}

function judgeBelief(world: World, run: Run): Violation | undefined {
  const { driver } = run.ledger.claim;
  const process = world.processes.find((candidate) => candidate.isAlive() && candidate.driver === driver);
  const believed = process?.engine.run(run.origin.session);
  if (!believed || believed.id !== run.id || process!.position(run.id) < world.store.log.last(run.id)) return undefined;
  return sameJson(believed, run)
    ? undefined
    : broken("7 replay", `what ${driver} believes is not what the log says: ${difference(believed, run)}`);
}

function judgeGate(run: Run): Violation | undefined {
  const gated = NEVER_GATED.find((tool) => !gate(run.plan.workflow, tool, []).allowed);
  if (gated) return broken("5 never gated", `${gated} is gated`);
  return gate(run.plan.workflow, "their_goal_tool", ["@control"]).allowed
    ? undefined
    : broken("5 never gated", "the host's own stop tool");
}

const sameJson = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a) === JSON.stringify(b) || JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

function difference(a: Run, b: Run): string {
  const parts = [
    ...Object.keys({ ...a.ledger, ...b.ledger }).map((key) => [
      `ledger.${key}`,
      a.ledger[key as "held"],
      b.ledger[key as "held"],
    ]),
    ["plan", a.plan, b.plan],
    ["status", a.status, b.status],
    ["origin", a.origin, b.origin],
  ];
  return parts
    .filter(([, x, y]) => !sameJson(x, y))
    .map(([name, x, y]) => `${name}: ${JSON.stringify(x)} / ${JSON.stringify(y)}`)
    .join(", ")
    .slice(0, 500);
}

/** JSON has no order of keys that means anything. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
