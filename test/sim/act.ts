import type { Trigger } from "../../src/core/react/index.ts";
import { NO_USAGE } from "../../src/core/run/index.ts";
import { speak } from "../../src/engine/index.ts";
import type { Action } from "./action.ts";
import { LATER_VERSION } from "./audit.ts";
import { FOREST } from "./forest.ts";
import type { World } from "./world.ts";

/** Lets one thing happen in the world, and everything that follows from it without time passing. */
export async function act(world: World, action: Action): Promise<void> {
  world.timersFired = 0;
  world.rememberPlan();
  world.writes = 0;
  await doIt(world, action);
  await world.clock.settle();
  await world.clock.settle(); // hooks leave one turn of the loop after they answered
  if (world.profile.process === "hook") await world.clock.settle(); // and a turn after they said what went out
  world.beginPrompted();
  if (!world.mustReopen) return;
  world.mustReopen = false;
  await world.disk.reopen();
}

async function doIt(world: World, action: Action): Promise<void> {
  switch (action.do) {
    case "work":
      return work(world, action);
    case "write":
      return world.tell({ type: "todos.write", write: action.write, by: action.by, ...batchOf(action) });
    case "edit":
      return world.tell({ type: "todos.edit", edit: action.edit, by: action.by, ...batchOf(action) });
    case "step":
      return world.tell({ type: "workflow.step", action: action.action, summary: "as told", by: "model" });
    case "mirror":
      return world.tell({ type: "todos.mirror", items: action.items, by: "model" });
    case "use":
      if (!sees(world).usage) return;
      return world.tell({
        type: "usage.seen",
        usage: { ...NO_USAGE, output: action.tokens, cost: action.tokens / 1000 },
      });
    case "go back":
      return goBack(world, action.which);
    case "end":
      return end(world, action);
    case "begin by itself":
      if (!world.turn && isResident(world)) world.begin("host", world.profile.turnIds ? action.told : "once");
      return;
    case "ask":
      if (!sees(world).question) return;
      world.questions.push(`q${world.questions.length + 1}`);
      return world.tell({ type: "question.opened", id: world.questions.at(-1)! });
    case "answer": {
      const id = world.questions.pop();
      if (id !== undefined) world.tell({ type: "question.closed", id });
      return;
    }
    case "ask approval":
    case "answer approval":
      return approve(world, action);
    case "tell":
      if (!isSeen(world, action.trigger)) return;
      return world.tell(action.trigger, action.told);
    case "withdraw the nudge":
      return withdraw(world);
    case "prompt":
      return prompt(world, action);
    case "start":
      if (action.what === "goal") return world.tell({ type: "goal.set" });
      return world.tell({
        type: "workflow.start",
        start: {
          workflowKey: "release",
          forest: FOREST,
          fingerprint: "f1",
          description: "Ship it",
          taskId: "task",
          whenActive: "refuse",
        },
      });
    case "say":
      return say(world, action.trigger, action.from);
    case "attach":
      return attach(world, action.session);
    case "pass":
      return world.pass(action.ms);
    case "jump":
      return world.clock.jump(action.ms);
    case "nudges from now on":
      world.nudgeMode = action.how;
      return;
    case "words from now on":
      world.wordsMode = action.how;
      return;
    case "rechecks from now on":
      world.recheckMode = action.how;
      return;
    case "checks from now on":
      world.checkMode = action.how;
      return;
    case "port from now on":
      world.ports[action.port] = action.how;
      return;
    case "finish":
      world[SLOW[action.what]].shift()?.finish(action.well);
      return;
    case "arrive": {
      const [event] = world.late.splice(action.which % Math.max(1, world.late.length), 1);
      if (!event || isForgotten(world, event.trigger)) return;
      if (event.trigger.type === "turn.ended" && event.trigger.turn !== undefined)
        world.endsTold.add(event.trigger.turn);
      return world.route(event);
    }
    case "echo": {
      const event = world.past.at(-1 - (action.which % Math.max(1, world.past.length)));
      if (event && canEcho(world, event.trigger)) world.route(event);
      return;
    }
    case "crash":
      return crash(world);
    case "die after writing":
      world.diesAfterWrites = action.times;
      return;
    case "come back":
      if (isResident(world) && !world.main) world.open(action.goOn);
      return;
    case "second driver":
      return secondDriver(world, action.goOn, action.takesOver);
    case "store fails":
      world.storeFailures = action.times;
      return;
    case "folds are kept":
      world.foldsFail = !action.well;
      return;
    case "screen":
      world.screenWorks = action.works;
      return;
    case "step back":
      world.clock.stepBack(Math.min(action.ms, world.clock.now()));
      return;
    case "future event":
      return appendFuture(world);
  }
}

const SLOW = {
  nudge: "slowNudges",
  words: "slowWords",
  checks: "slowChecks",
  recheck: "slowRechecks",
  port: "slowPorts",
} as const;

const sees = ({ profile }: World) => profile.capabilities.sees;

/** What a host does not see, it does not tell. */
function isSeen(world: World, trigger: Trigger): boolean {
  if (trigger.type === "background.changed") return sees(world).background;
  return trigger.type === "mode.changed" ? sees(world).mode : true;
}

const isResident = ({ profile }: World): boolean => profile.process === "resident";
const batchOf = ({ batch }: { readonly batch?: string }) => (batch === undefined ? {} : { batch });

function work(world: World, { state, call, command }: Action & { do: "work" }): void {
  if (!world.turn) return;
  world.change(state);
  if (call === "none" || !sees(world).calls) return;
  const digest = call === "new" ? `call ${world.count("calls")}` : "call 1";
  world.tell({
    type: "call.seen",
    digest,
    ...(world.profile.turnIds && { turn: world.turn.id }),
    ...(command && { command }),
  });
}

function end(world: World, action: Action & { do: "end" }): void {
  const { turn, profile } = world;
  if (!turn || (profile.process === "resident" && !world.main)) return;
  world.turn = undefined;
  const { outcome, failure, resetInMs, text, tokens } = action;
  if ((outcome === "aborted" && !sees(world).abort) || (outcome === "failed" && !sees(world).failure)) {
    world.endUnseen = true;
    return;
  }
  world.hookDies = action.hookDies;
  const used = sees(world).usage ? tokens : 0;
  world.tell(
    {
      type: "turn.ended",
      outcome,
      text,
      usage: { ...NO_USAGE, output: used, cost: used / 1000 },
      ...(profile.turnIds && { turn: turn.id }),
      ...(outcome === "failed" && {
        failure: {
          kind: failure ?? "other",
          message: "it failed",
          ...(resetInMs !== undefined && { resetAt: world.clock.now() + resetInMs }),
        },
      }),
    },
    profile.turnIds ? action.told : "once",
  );
  if (action.told !== "late") world.endsTold.add(turn.id);
  const waiting = world.waitingNudges.shift();
  if (waiting) world.begin("nudge", "once", waiting);
}

/** The user types: words to the agent at work, or the beginning of a turn. A boundary held open by a hook is given up. */
function prompt(world: World, { first, hookDies }: Action & { do: "prompt" }): void {
  if (isResident(world) && !world.main) return;
  if (!isResident(world)) world.giveUpHooks();
  if (world.endUnseen && !world.turn && world.facts?.turn) world.tell({ type: "turn.ended", outcome: "aborted" });
  world.endUnseen = false;
  if (world.turn || first === "words") world.tell({ type: "human.spoke" });
  if (world.turn || (isResident(world) && !world.main)) return; // or it died of it
  world.hookDies = hookDies;
  world.begin("human");
  if (first === "turn") world.tell({ type: "human.spoke" });
}

function approve(world: World, action: Action & { do: "ask approval" | "answer approval" }): void {
  if (action.do === "ask approval") {
    const call = `approval ${world.count("calls")}`;
    world.approvals.push(call);
    const askedAt = world.clock.now();
    const approval = { call, tool: "shell", what: "rm", because: "rule", askedAt, endsAt: askedAt + 1_800_000 };
    world.tell({ type: "calls.journal", events: [{ type: "approval.requested", approval }] });
    return;
  }
  const call = world.approvals.pop();
  if (call === undefined) return;
  const { outcome, from } = action;
  if (outcome !== "timed_out") say(world, { type: "human.answer", call, outcome, words: "" }, from);
  else world.tell({ type: "calls.journal", events: [{ type: "approval.answered", call, outcome, words: "" }] });
}

/** The user goes back in the session's tree: list and workflow are what they were there. */
function goBack(world: World, which: number): void {
  const plan = world.plans.at(which % Math.max(1, world.plans.length));
  if (plan && isResident(world)) world.tell({ type: "plan.rebase", plan });
}

/** A call follows after all: the turn was not over, and what was put into the loop is taken out again. */
function withdraw(world: World): void {
  const last = world.nudgesTaken.at(-1);
  if (world.profile.capabilities.boundary !== "provisional" || world.turn?.cause !== "nudge" || !last) return;
  const ended = world.facts?.boundary?.ended?.turn;
  if (!ended) return;
  world.nudgesTaken.pop();
  world.turn = { id: world.turn.id, cause: ended.cause };
  world.tell({ type: "turn.resume", ended: ended.id, turn: world.turn.id, why: "a call follows" });
}

function say(world: World, trigger: Trigger, from: "here" | "elsewhere"): void {
  const run = world.facts?.run;
  if (from === "here") world.tell(trigger);
  if (from === "here" || run === undefined) return;
  const before = world.store.log.last(run);
  speak(world.store.log, run, trigger, world.clock.now());
  noteForeign(world, run, before);
}

/** The run goes to another session of the host; from now on the user works there. */
function attach(world: World, session: string): void {
  const run = world.facts?.run;
  if (run === undefined || world.turn || world.prompted || session === world.session) return;
  const before = world.store.log.last(run);
  speak(world.store.log, run, { type: "run.bind", host: world.hostName, session }, world.clock.now());
  noteForeign(world, run, before);
  // The old session's host and its transcript have nothing to do with the run any more.
  world.slowNudges = [];
  world.slowWords = [];
  world.nudgesTaken = world.nudgesTaken.filter((taken) => taken.run !== run);
  for (const id of world.wordsSeen.keys()) world.wordsSeen.set(id, 0); // another agent hears them for the first time
  world.session = session;
  world.sessions.add(session);
}

function noteForeign(world: World, run: string, before: number, writer = "elsewhere"): void {
  const seqs = Array.from({ length: world.store.log.last(run) - before }, (_, index) => before + 1 + index);
  world.audit.wrote(run, seqs, writer);
  world.spokenElsewhereAt = world.clock.now();
}

/** Everything that was only in memory is gone. The agent of a resident host dies with it; hooks are killed under it. */
async function crash(world: World): Promise<void> {
  if (!isResident(world) && world.slowPorts.length > 0) world.lostEvents = true; // told to a hook that had not written them down
  world.lostBeginning ||= world.prompted !== undefined;
  if (isResident(world)) world.died();
  else world.killAll();
  await world.disk.reopen();
}

/** A second process opens the session while the first lives; the host's events go to one of them. */
function secondDriver(world: World, goOn: boolean, takesOver: boolean): void {
  if (isResident(world) && !world.main) return;
  const before = world.main;
  const process = world.open(goOn, takesOver ? "instead" : "beside");
  if (!isResident(world)) process?.kill();
  else world.main ??= before?.isAlive() ? before : undefined; // the second one could not open the log
}

/** An event of a later version stands in the log. */
function appendFuture(world: World): void {
  const run = world.facts?.run;
  if (run === undefined) return;
  const before = world.store.log.last(run);
  world.store.log.transact(run, before, () => ({
    append: [{ at: world.clock.now(), by: "host", v: 99, event: { type: "weather.changed" } as never }],
    value: undefined,
  }));
  noteForeign(world, run, before, LATER_VERSION);
}

/** The beginning of a turn whose end came first and meant nothing to a run: the run would believe in it until its silence ends it. */
const isForgotten = ({ endsTold, facts }: World, trigger: Trigger): boolean =>
  trigger.type === "turn.started" && endsTold.has(trigger.turn) && !facts?.turnsEnded.has(trigger.turn);

/**
 * What may be said again. A question that was answered may not, nor a turn from before the run: nothing could tell
 * them from new ones.
 */
function canEcho({ profile, questions, facts, turn }: World, trigger: Trigger): boolean {
  switch (trigger.type) {
    case "turn.started":
    case "turn.ended":
      return profile.turnIds && trigger.turn !== undefined && facts?.turnsSeen.has(trigger.turn) === true;
    case "question.opened":
      return questions.includes(trigger.id);
    case "call.seen":
      return profile.turnIds || turn !== undefined; // a call without a name is the sign of a turn
    case "question.closed":
    case "recovery.ended":
    case "compaction.ended":
    case "turn.resume":
      return true;
    default:
      return false;
  }
}
