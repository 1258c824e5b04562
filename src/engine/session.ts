import type { Decision } from "../core/continuation/index.ts";
import {
  type Birth,
  type Effect,
  hasPlan,
  isOpenPlan,
  type Nudge,
  type Reply,
  type Run,
  type Trigger,
  UNBORN,
} from "../core/run/index.ts";
import { carriageOf } from "./capabilities.ts";
import type { EnginePorts } from "./engine.ts";
import type { Stored, Timer } from "./ports.ts";
import { type Known, openRun, record } from "./recorder.ts";
import { createRounds } from "./rounds.ts";

/** How a boundary ended for a host that holds it open. */
export type Settled =
  | { readonly type: "nudge"; readonly nudge: Nudge }
  | { readonly type: "settled"; readonly decision?: Decision };

/** Five times a second: words of the human from other processes are seen within 250 ms. */
const LOOK_EVERY_MS = 200;

/**
 * One session of the host and the run that is bound to it. Everything that happens goes through `tell`:
 * observe, record in one transaction, perform what follows.
 */
export function createSession(
  ports: EnginePorts,
  key: string,
  onChange: (run: Run, events: readonly Stored[]) => void,
) {
  const { store, host, clock } = ports;
  let known: Known = load();
  let epoch: number | undefined;
  let timer: { readonly at: number; readonly boundary: string; readonly handle: Timer } | undefined;
  let looking: Timer | undefined;
  let holding: { readonly settle: (settled: Settled) => void } | undefined;
  let disposed = false;
  const rounds = createRounds(ports.checks, (round, receipts, cut) =>
    tellNow({ type: "round.ended", round, receipts, ...(cut !== undefined && { cut }) }),
  );

  return { key, tell, settle, run: () => (known.run.status === "unborn" ? undefined : known.run), open, look, dispose };

  /** Tells the run what happened. Resolves with the answer; one that waits for checks resolves when they ended. */
  async function tell(trigger: Trigger): Promise<Reply> {
    const reply = tellNow(await observed(trigger));
    return reply.type === "checking" ? rounds.answer(reply.round) : reply;
  }

  /** The agent settled. On a host that holds its boundaries this resolves when the decision is carried out. */
  async function settle(end: Trigger & { type: "turn.ended" }): Promise<Settled> {
    const workspace = await ports.workspace?.observe(ports.cwd);
    const answer = Promise.withResolvers<Settled>();
    letGo(); // an older boundary that is still held has been overtaken
    holding = { settle: answer.resolve };
    const reply = tellNow({ ...end, ...(workspace !== undefined && { workspace }) });
    if (reply.type === "ignored") letGo();
    return answer.promise;
  }

  function open(trigger: Trigger & { type: "run.open" }): Reply {
    known = load();
    const reply = tellNow(trigger);
    epoch = known.run.ledger.claim.driver === trigger.driver ? known.run.ledger.claim.epoch : epoch;
    carry();
    return reply;
  }

  /** Takes in what other processes appended. */
  function look(): void {
    if (known.run.status !== "live" || store.log.last(known.run.id) <= known.seq) return;
    recordNow("look");
  }

  function tellNow(trigger: Trigger): Reply {
    if (disposed) return { type: "ignored", why: "no_run" };
    if (known.run.status !== "live") known = load();
    const birth = known.run.status !== "live" && givesBirth(trigger, known.run) ? birthOf(trigger) : undefined;
    if (birth) known = { run: UNBORN, seq: 0 };
    if (known.run.status === "unborn" && !birth) return { type: "ignored", why: "no_run" };
    if (!birth && epoch === undefined && !isHumanWord(trigger) && trigger.type !== "run.open") claim();
    return recordNow(trigger, birth);
  }

  function claim(): void {
    recordNow({ type: "run.open", driver: ports.driver, goOn: false });
    epoch = known.run.ledger.claim.epoch;
  }

  function recordNow(trigger: Trigger | "look", birth?: Birth): Reply {
    const id = birth?.run ?? known.run.id;
    const fence = epoch === undefined || trigger === "look" || isHumanWord(trigger) ? {} : { epoch };
    const recorded = record(
      store.log,
      id,
      known,
      trigger,
      { ...ports.context(), now: clock.now(), role: "driver", ...fence },
      birth,
    );
    known = recorded.known;
    if (birth) epoch = known.run.ledger.claim.epoch;
    rounds.keepOnly(known.run.ledger.verifying?.round);
    // Before the effects: what they tell in turn comes later in the log, and listeners see events in its order.
    if (recorded.events.length > 0) onChange(known.run, recorded.events);
    for (const effect of recorded.reactions.flatMap(({ effects }) => effects)) perform(effect);
    carry();
    keepLooking();
    return recorded.reactions.at(-1)?.reply ?? { type: "ignored", why: "nothing_to_do" };
  }

  function perform(effect: Effect): void {
    switch (effect.type) {
      case "nudge.send":
        send(effect.nudge);
        return;
      case "words.deliver":
        deliver(effect.ids);
        return;
      case "round.run":
        rounds.run(effect.round, { run: known.run, checks: effect.checks });
        return;
      case "calls.abort":
        host.abort(key);
        return;
      case "human.notify":
        host.show(key, { type: "stopped", reason: effect.reason, run: known.run });
        return;
      case "human.tell":
        host.show(key, { type: "text", text: effect.notice });
    }
  }

  function send(nudge: Nudge): void {
    if (holding && host.capabilities.boundary !== "edge") {
      const { settle: answer } = holding;
      holding = undefined;
      tellNow({ type: "nudge.delivered", nudge: nudge.id });
      answer({ type: "nudge", nudge });
      return;
    }
    host.nudge(key, nudge).then(
      () => tellNow({ type: "nudge.delivered", nudge: nudge.id }),
      (error: unknown) => tellNow({ type: "nudge.failed", nudge: nudge.id, message: messageOf(error) }),
    );
  }

  function deliver(ids: readonly string[]): void {
    const words = known.run.ledger.words.filter(({ id }) => ids.includes(id));
    letGo();
    host.deliver(key, words).then(
      () => tellNow({ type: "words.delivered", ids }),
      (error: unknown) => tellNow({ type: "host.failed", where: "words", message: messageOf(error) }),
    );
  }

  /** Arms, re-arms or drops the one timer, and lets a held boundary go when nothing is left to hold it for. */
  function carry(): void {
    const { boundary, decision } = known.run.ledger;
    const isPending = boundary && (boundary.status === "countdown" || boundary.status === "waiting");
    if (!isPending || known.run.status !== "live") {
      dropTimer();
      letGo(decision);
      return;
    }
    const forMs = boundary.until === undefined ? Number.POSITIVE_INFINITY : Math.max(0, boundary.until - clock.now());
    const kind = boundary.status === "countdown" ? "countdown" : "wait";
    const carriage = carriageOf(host.capabilities, { kind, forMs, isHeld: holding !== undefined });
    // A round that runs in this very process keeps it alive: it needs no timer and nobody else to end it.
    const isOurs = carriage.by === "nobody" && rounds.isRunning(known.run.ledger.verifying?.round);
    if (carriage.by !== "holding" && !isOurs) letGo(decision);
    if (carriage.by === "nobody" && !isOurs) {
      dropTimer();
      park(boundary.id, carriage.waker);
    } else arm(boundary.id, boundary.until);
  }

  function park(boundary: string, waker: string): void {
    recordNow({ type: "wait.parked", boundary, waker });
  }

  function arm(boundary: string, at: number | undefined): void {
    if (timer && timer.at === at && timer.boundary === boundary) return;
    dropTimer();
    if (at === undefined) return;
    const handle = clock.setTimer(at, () => {
      timer = undefined;
      tellNow({ type: "timer.fired", boundary });
    });
    timer = { at, boundary, handle };
  }

  function dropTimer(): void {
    timer?.handle.cancel();
    timer = undefined;
  }

  function letGo(decision?: Decision): void {
    holding?.settle({ type: "settled", ...(decision && { decision }) });
    holding = undefined;
  }

  function keepLooking(): void {
    const wanted = host.capabilities.resident && known.run.status === "live" && !disposed;
    if (!wanted) {
      looking?.cancel();
      looking = undefined;
    } else if (!looking) {
      looking = clock.setTimer(clock.now() + LOOK_EVERY_MS, () => {
        looking = undefined;
        look();
        keepLooking();
      });
    }
  }

  function load(): Known {
    const card = store.runs.find(host.name, key);
    return card ? openRun(store.log, card.run) : { run: UNBORN, seq: 0 };
  }

  /** A finished run's list is carried on when somebody appends to it; a replace begins afresh. */
  function birthOf(trigger: Trigger): Birth {
    const before = known.run;
    const carries = before.status === "ended" && trigger.type === "todos.write" && trigger.write.mode !== "replace";
    const origin = {
      host: host.name,
      session: key,
      cwd: ports.cwd,
      ...parentOf(trigger, before),
    };
    return {
      ...ports.birth(),
      run: ports.newRunId(),
      driver: ports.driver,
      origin,
      seesCalls: host.capabilities.sees.calls,
      ...(carries && { carried: before.plan }),
    };
  }

  async function observed(trigger: Trigger): Promise<Trigger> {
    if (trigger.type === "workflow.step" && trigger.action !== "status") {
      const workspace = await ports.workspace?.observe(ports.cwd);
      return { ...trigger, ...(workspace !== undefined && { workspace }) };
    }
    if (trigger.type === "turn.started")
      void ports.workspace
        ?.observe(ports.cwd)
        .then((workspace) => workspace !== undefined && tellNow({ type: "workspace.observed", workspace }));
    return trigger;
  }

  function dispose(): void {
    disposed = true;
    dropTimer();
    looking?.cancel();
    looking = undefined;
    rounds.keepOnly(undefined);
    letGo();
  }
}

export type Session = ReturnType<typeof createSession>;

/** A fork names the run that its branch holds; a new list after a finished one names that. */
function parentOf(trigger: Trigger, before: Run): { readonly parent?: string } {
  if (trigger.type === "plan.rebase" && trigger.parent !== undefined) return { parent: trigger.parent };
  return before.status === "ended" ? { parent: before.id } : {};
}

const givesBirth = (trigger: Trigger, before: Run): boolean =>
  (trigger.type === "plan.rebase" && (before.status === "unborn" ? hasPlan(trigger.plan) : isOpenPlan(trigger.plan))) ||
  (trigger.type === "todos.write" && trigger.by !== "subagent" && trigger.write.todos.length > 0) ||
  trigger.type === "goal.set" ||
  trigger.type === "workflow.start";

const isHumanWord = ({ type }: Trigger): boolean =>
  type.startsWith("human.") ||
  type === "todos.human_edit" ||
  type === "run.bind" ||
  type === "continuation.switch" ||
  type === "words.queue" ||
  type === "words.edit" ||
  type === "words.remove";

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
