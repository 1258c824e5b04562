import type { StopReason } from "../../src/core/reason/index.ts";
import { act } from "./act.ts";
import { endOfWait, type Facts } from "./facts.ts";
import { broken, type Violation } from "./judge-event.ts";
import { startsLater } from "./profile.ts";
import { everyPort, type World } from "./world.ts";

const MOST_ROUNDS = 300;

/**
 * The end of every history: what is on its way arrives, the host lives and does what it is asked, the user is away,
 * and the agent ends each turn without doing anything. Then nothing but time passes, until nothing happens any more.
 */
export async function quiet(world: World, judge: () => Promise<Violation | undefined>): Promise<Violation | undefined> {
  await calm(world);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const violation = await judge();
    if (violation) return violation;
    if (world.turn) await act(world, { do: "end", outcome: "completed", text: "Done.", tokens: 10, told: "once" });
    else if (await nothingHappens(world)) return judgeRest(world);
  }
  return broken("3 no progress", `it never comes to rest: ${MOST_ROUNDS} turns in which nothing was done`);
}

/** A host that was asked and keeps silent is given up after this. */
const A_SILENT_HOST_MS = 31_000;

async function calm(world: World): Promise<void> {
  world.nudgeMode = "taken";
  world.wordsMode = "taken";
  world.checkMode = "pass";
  world.recheckMode = "truth";
  world.ports = everyPort("well");
  world.storeFailures = 0;
  world.diesAfterWrites = 0;
  world.hookDies = undefined;
  world.foldsFail = false;
  world.screenWorks = true;
  await finishPorts(world);
  while (world.slowNudges.length > 0) await act(world, { do: "finish", what: "nudge", well: true });
  while (world.slowWords.length > 0) await act(world, { do: "finish", what: "words", well: true });
  while (world.slowRechecks.length > 0) await act(world, { do: "finish", what: "recheck", well: true });
  if (world.profile.rechecks) await act(world, { do: "pass", ms: A_SILENT_HOST_MS });
  while (world.slowChecks.length > 0) await act(world, { do: "finish", what: "checks", well: true });
  while (world.late.length > 0) await act(world, { do: "arrive", which: 0 });
  await finishPorts(world);
  world.blame(world.audit.read(world.store)); // who drives it by now
  if (world.profile.process === "resident" && world.facts?.driver !== world.main?.driver) {
    await act(world, { do: "crash" });
    await act(world, { do: "come back", goOn: world.profile.goOn });
  }
}

async function finishPorts(world: World): Promise<void> {
  while (world.slowPorts.length > 0) await act(world, { do: "finish", what: "port", well: true });
}

async function nothingHappens(world: World): Promise<boolean> {
  const before = lengthOf(world);
  const end = world.facts && endOfWait(world.facts);
  await act(world, { do: "pass", ms: Math.max(10_000, (end ?? 0) - world.clock.now()) });
  if (end === undefined) await act(world, { do: "pass", ms: 7_200_000 });
  return lengthOf(world) === before && !world.turn;
}

const lengthOf = (world: World): number =>
  world.audit.all().reduce((sum, { run }) => sum + world.store.log.last(run), 0);

/** Nothing happens any more: is that where it should have come to rest? */
function judgeRest(world: World): Violation | undefined {
  const { facts } = world;
  if (world.lostEvents) return undefined; // the end of a turn may be among them, and messages wait for it
  const unheard = judgeUnheard(world);
  if (unheard) return unheard;
  if (world.endUnseen) return undefined;
  if (!facts || facts.ended !== undefined || world.profile.capabilities.boundary === "none") return undefined;
  if (facts.turn) return broken("4 comes to rest", `the log believes in turn ${facts.turn.id}, and no agent works`);
  const { boundary } = facts;
  if (!boundary) return undefined; // the run began between two turns: the next one will end
  if (boundary.status === "nudged" && !isLeftByHook(world, facts))
    return broken("4 comes to rest", `${boundary.id} was nudged and no turn followed`);
  if (boundary.status === "nudged") return undefined;
  if (boundary.status === "parked") return judgeParked(world, facts);
  if (boundary.decision?.type === "stop") return judgeStopped(world, facts, boundary.decision.reason);
  const reason = boundary.decision?.type === "wait" ? boundary.decision.reason : "continue";
  if (reason === "question" || reason === "approval") return undefined; // yours to answer, and a process listens
  return broken("4 waits end", `${boundary.id} still says ${reason}`);
}

/** A hook died before its answer was out: the log says that the nudge was meant, and never that it arrived. */
const isLeftByHook = ({ profile }: World, { nudge, nudgesDelivered }: Facts): boolean =>
  profile.process === "hook" && nudge !== undefined && !nudgesDelivered.has(nudge.id);

/** Words that nothing keeps from the agent have reached it. */
function judgeUnheard(world: World): Violation | undefined {
  const { facts } = world;
  if (!facts || facts.ended !== undefined || !startsLater(world.profile) || !world.mayGoOn || !facts.hasStirred)
    return undefined;
  if (facts.boundary?.status === "parked" || facts.held || facts.off || facts.maybeInterrupted) return undefined;
  const steering = [...facts.words].filter(([, kind]) => kind === "steer").map(([id]) => id);
  return steering.length > 0 && facts.boundary
    ? broken("11 words", `${steering.join(", ")} never reached the agent, and nothing keeps them from it`)
    : undefined;
}

/** What the user took back does not stop a process that may continue by itself. */
function judgeStopped(world: World, facts: Facts, reason: StopReason): Violation | undefined {
  const isOver =
    (reason === "held" && !facts.held) ||
    (reason === "interrupted" && !facts.maybeInterrupted) ||
    (reason === "disabled" && !facts.off);
  if (!isOver || !world.mayGoOn || !facts.hasStirred || !startsLater(world.profile)) return undefined;
  return broken("4 true reasons", `it rests because of "${reason}", which is over`);
}

/**
 * A host that can start turns parks nothing, unless the first word is the user's, it would not take the user's words,
 * or the run was attached to a session that has not stirred yet.
 */
function judgeParked(world: World, { boundary, hasStirred }: Facts): Violation | undefined {
  if (!boundary || !hasStirred || !startsLater(world.profile) || /^you: |attached/.test(boundary.waker))
    return undefined;
  if (boundary.decision?.type === "wait" && boundary.decision.reason === "human") return undefined;
  return broken("4 comes to rest", `${boundary.id} is parked for ${boundary.waker}, though a process could end it`);
}
