import { decide, type Limits } from "../core/continuation/index.ts";
import {
  type Birth,
  type Delivery,
  type Effect,
  isHumanWord,
  type Nudge,
  type Reply,
  type Trigger,
} from "../core/react/index.ts";
import { type Envelope, type Run, UNBORN } from "../core/run/index.ts";
import { nudgeText } from "../core/words/index.ts";
import { createAlarm } from "./alarm.ts";
import { givesBirth, inheritedBy } from "./births.ts";
import { createBoundRun } from "./bound-run.ts";
import { limitsOn, WAKER } from "./capabilities.ts";
import { createCarrier } from "./carrier.ts";
import type { EnginePorts } from "./engine.ts";
import { type Answer, createHeldBoundary, type Settled } from "./held-boundary.ts";
import { inOrder } from "./in-order.ts";
import { createLookout } from "./lookout.ts";
import { createLooks, type Seen } from "./looks.ts";
import { neighbours, sayNeighbours } from "./neighbours.ts";
import { createNotices } from "./notices.ts";
import { createOwnClaim } from "./own-claim.ts";
import { type Known, record } from "./recorder.ts";
import { createRounds } from "./rounds.ts";
import { createSender } from "./sender.ts";
import { createUnattended } from "./unattended.ts";
import { createWrites } from "./writes.ts";

/**
 * One session of the host and the run that is bound to it. Everything that happens goes through `tell`:
 * observe, record in one transaction, perform what follows.
 *
 *     no run --a list, a goal, a workflow--> live --it ends--> ended --the next list--> live, another run
 *
 * What a process knows besides the log has a machine each: whether it drives the run (own-claim), whether the host waits for an
 * answer (held-boundary), what is about to leave (sender), and the one timer of a wait or of a turn (carrier).
 */
export function createSession(
  ports: EnginePorts,
  key: string,
  onChange: (run: Run, events: readonly Envelope[]) => void,
) {
  const { store, host, clock } = ports;
  const bound = createBoundRun(store, host, key, ports.keepEvery);
  let known: Known = bound.load();
  const life = new AbortController();
  const boundary = createHeldBoundary();
  const { enter } = ports;
  const own = createOwnClaim(host.capabilities.resident && enter ? () => enter(key) : undefined);
  const { show, say, surely } = createNotices(host, key);
  const order = inOrder();
  const unattended = createUnattended(clock, say);
  const writes = createWrites((why) =>
    surely("end the turn", () => host.endTurn(key, { how: "after_tool", says: why })),
  );
  const alarm = createAlarm(clock, (rung) => {
    if (rung.of === "turn") {
      carrier.turnChecked();
      return unattended.run(() => tellNow({ type: "turn.check" }));
    }
    if (!host.recheck || known.run.ledger.decision?.type !== "continue")
      return unattended.run(() => tellNow({ type: "timer.fired", boundary: rung.id }));
    sender.recheck(rung.id);
    return true;
  });
  const carrier = createCarrier({
    clock,
    capabilities: host.capabilities,
    alarm,
    boundary,
    park: (id, waker) => tellNow({ type: "wait.parked", boundary: id, waker }),
  });
  const sender = createSender({
    host,
    clock,
    barrier: (run) => store.log.barrier(run),
    session: key,
    run: () => known.run,
    unattended,
    tellNow,
    tell,
    failed: (id, error) => {
      unattended.run(() => {
        throw error;
      });
      alarm.set({ of: "boundary", id }, clock.now() + ASK_AGAIN_MS);
    },
  });
  const looks = createLooks(ports, (where, message) =>
    unattended.run(() => tellNow({ type: "host.failed", where, message })),
  );
  const lookout = createLookout(
    clock,
    () => unattended.run(look),
    () => host.capabilities.resident && known.run.status === "live" && !life.signal.aborted,
  );
  const rounds = createRounds(ports.checks, (round, receipts, cut) => {
    let reply: Reply = NOT_RECORDED;
    unattended.run(() => {
      const beside = neighbours(store, { run: known.run.id, cwd: ports.cwd }, clock.now()).map(({ run }) => run);
      const named = beside.length > 0 ? receipts.map((receipt) => ({ ...receipt, beside })) : receipts;
      reply = tellNow({ type: "round.ended", round, receipts: named, ...(cut !== undefined && { cut }) });
    });
    return reply;
  });

  return {
    key,
    tell,
    settle,
    run: () => (known.run.status === "unborn" ? undefined : known.run),
    dueNudge,
    unrecorded: writes.lost,
    open,
    look,
    dispose,
  };

  /**
   * Tells the run what happened. Resolves with the answer; one that waits for checks resolves when they ended. What the
   * agent does is taken in the order it is told, however long a look at the workspace takes; the human's words overtake it.
   */
  async function tell(trigger: Trigger): Promise<Reply> {
    if (trigger.type === "human.spoke" || trigger.type === "turn.started") endAtOnce();
    if (trigger.type === "words.delivered" || trigger.type === "words.failed") return tellSurely(trigger);
    const waitsForNothing = isHumanWord(trigger) || (order.isEmpty && !looks.areNeeded(trigger, known.run));
    const reply = waitsForNothing ? tellNow(trigger) : await order.next(() => lookAndTell(trigger));
    return reply.type === "checking" ? rounds.answer(reply.round) : reply;
  }

  /** What became of words that left must be known: without it the run would wait for it for good. */
  async function tellSurely(trigger: Trigger): Promise<Reply> {
    let reply: Reply = { type: "ignored", why: "nothing_to_do" };
    const act = () => {
      reply = tellNow(trigger);
    };
    if (!host.capabilities.resident) act();
    else if (order.isEmpty) unattended.insist(act);
    else await order.next(async () => unattended.insist(act));
    return reply;
  }

  /** The agent settled. On a host that holds its boundaries this resolves when the decision is carried out. */
  async function settle(end: Trigger & { type: "turn.ended" }): Promise<Settled> {
    const answer = Promise.withResolvers<Settled>();
    await order.next(async () => {
      boundary.look(end, answer.resolve);
      const seen = await looks.observe();
      if (!boundary.isLookedAt(answer.resolve)) return; // overtaken while we looked
      takeUp(end);
      boundary.hold(answer.resolve, () => tellNow({ ...end, ...seen }));
    });
    return answer.promise;
  }

  function endAtOnce(): void {
    const overtaken = boundary.overtaken();
    if (!overtaken) return;
    takeUp(overtaken.end);
    if (known.run.status === "live") recordNow(overtaken.end, undefined, "overtaken");
    overtaken.answer({ type: "settled" });
  }

  async function lookAndTell(trigger: Trigger): Promise<Reply> {
    if (trigger.type === "turn.started") {
      const reply = tellNow(trigger);
      // A turn that its boundary sent on at once begins with what was seen there.
      const wasSeen = trigger.cause === "nudge" && !host.capabilities.resident;
      if (reply.type === "done" && !wasSeen) await observeBaseline();
      return reply;
    }
    const { seen, guarded } = await looks.before(trigger, known.run);
    return tellNow(guarded, seen);
  }

  /** What a nudge would say now; undefined where none is due. */
  function dueNudge(): string | undefined {
    const { run } = known;
    const decision = run.status === "live" ? decide(run, limits(), clock.now()) : undefined;
    return decision?.type === "continue" ? nudgeText(run, decision.kind, limits().listInNudge) : undefined;
  }

  function open(trigger: Trigger & { type: "run.open" }): Reply {
    known = bound.load();
    return tellNow(trigger);
  }

  /** Takes in what other processes appended, also that the run was removed or another one bound to this session. */
  function look(): void {
    if (known.run.status !== "live") return;
    alarm.look();
    if (!bound.is(known.run.id)) {
      known = bound.load();
      carry();
    } else if (store.log.last(known.run.id) > known.seq) recordNow("look");
  }

  function tellNow(trigger: Trigger, seen: Seen = {}): Reply {
    if (life.signal.aborted) return { type: "ignored", why: "no_run" };
    if (givesBirth(trigger, UNBORN)) look(); // somebody else may have ended the run
    takeUp(trigger);
    if (known.run.status !== "live" && givesBirth(trigger, known.run)) return beginRun(trigger, seen);
    if (known.run.status === "unborn") return { type: "ignored", why: "no_run" };
    return recordNow(trigger);
  }

  /** The run of this session, claimed by this process if it has none of its own yet and the agent works here. */
  function takeUp(trigger: Trigger): void {
    if (known.run.status !== "live") known = bound.load();
    if (known.run.status !== "live" || own.has(known.run) || trigger.type === "run.open") return;
    const isOurs = known.run.ledger.claim.driver === ports.driver; // claimed by an earlier process of the same driver
    if (isHumanWord(trigger) && trigger.type !== "human.spoke" && !isOurs) return; // not said by this host's agent
    // A turn that begins with a nudge shows that it went out, whoever sent it.
    const nudge = trigger.type === "turn.started" ? trigger.nudge : undefined;
    recordNow({ type: "run.open", driver: ports.driver, goOn: false, ...(nudge && { delivered: [nudge] }) });
  }

  function beginRun(trigger: Trigger, seen: Seen): Reply {
    const before = known;
    const { parent, carried } = inheritedBy(trigger, before.run);
    const birth: Birth = {
      ...ports.birth(trigger.type === "goal.set" ? trigger.goal : undefined),
      run: ports.newRunId(),
      driver: ports.driver,
      origin: { host: host.name, session: key, cwd: ports.cwd, ...(parent !== undefined && { parent }) },
      seesCalls: host.capabilities.sees.calls,
      ...(carried && { carried }),
      ...seen,
    };
    known = { run: UNBORN, seq: 0 };
    const reply = recordNow(trigger, birth);
    if (known.run.status === "unborn") {
      known = before; // refused: what was there is still there
      if (bound.isLive()) return tellNow(trigger); // another process was first: it is told to that run
    } else warnOfNeighbours();
    return reply;
  }

  function warnOfNeighbours(): void {
    const others = neighbours(store, { run: known.run.id, cwd: ports.cwd }, clock.now());
    if (others.length > 0) say(sayNeighbours(others));
  }

  function recordNow(trigger: Trigger | "look", birth?: Birth, how: "current" | "overtaken" = "current"): Reply {
    const context = {
      ...ports.context(),
      limits: limits(),
      now: clock.now(),
      ...(clock.timebase && { timebase: clock.timebase() }),
      at: { host: host.name, session: key },
      role: "driver",
      epoch: own.epochOf(known.run),
      mayNudge: how === "current" && mayNudge(trigger),
      delivery: deliveryNow(),
      ...(!host.capabilities.resident && { waker: WAKER }),
      runsChecks: ports.checks !== undefined,
      mayCheck: host.capabilities.resident || isHeld(),
    } as const;
    const birthright = birth && { birth, isTaken: bound.isLive };
    const id = birth?.run ?? known.run.id;
    const write = () => record(store.log, id, known, trigger, context, birthright, ports.keepEvery);
    const recorded = trigger === "look" ? write() : writes.attempt(write, ({ reaction }) => !!reaction?.events.length);
    known = recorded.known;
    const { claim } = known.run.ledger;
    if (birth || (trigger !== "look" && trigger.type === "run.open" && claim.driver === trigger.driver))
      own.take(known.run);
    rounds.keepOnly(known.run.ledger.verifying?.round);
    // Before the effects: what they tell in turn comes later in the log, and listeners see events in its order.
    if (recorded.events.length > 0) surely("tell what changed", () => onChange(known.run, recorded.events));
    const reply = recorded.reaction?.reply ?? { type: "ignored", why: "nothing_to_do" };
    if (how === "overtaken") return reply;
    if (life.signal.aborted) return reply; // a listener found the host's session gone: what follows is for the next process
    if (reply.type === "ignored" && reply.why === "not_owner") known = bound.load();
    for (const effect of recorded.reaction?.effects ?? []) surely("do what follows", () => perform(effect));
    carry();
    lookout.keepOn();
    return reply;
  }

  function perform(effect: Effect): void {
    switch (effect.type) {
      case "nudge.send":
        send(effect.nudge);
        return;
      case "words.deliver":
        deliver(effect.ids, effect.rechecked === true);
        return;
      case "round.run":
        rounds.run(effect.round, { run: known.run, checks: effect.checks });
        return;
      case "turn.end":
        host.endTurn(key, { how: effect.how, says: effect.says });
        return;
      case "human.notify":
        show({ type: "stopped", reason: effect.reason, run: known.run });
        return;
      case "human.tell":
        show({ type: "text", text: effect.notice, ...(effect.topic && { topic: effect.topic }) });
    }
  }

  function send(nudge: Nudge): void {
    sender.send(nudge, answering());
  }

  function deliver(ids: readonly string[], isRechecked: boolean): void {
    const words = known.run.ledger.words.filter(({ id }) => ids.includes(id));
    const answer = answering();
    if (!answer) boundary.letGo();
    sender.deliver(words, isRechecked, answer);
  }

  /** What leaves is the answer to a host that waits for one. */
  function answering(): Answer | undefined {
    return isHeld() ? boundary.answering() : undefined;
  }

  function carry(): void {
    const { run } = known;
    carrier.carry({
      run,
      isDriven: own.drives(run),
      limits: limits(),
      isChecking: rounds.isRunning(run.ledger.verifying?.round),
      isRechecking: sender.isRechecking(run.ledger.boundary?.id),
    });
  }

  function limits(): Limits {
    return limitsOn(host.capabilities, ports.context().limits);
  }

  function isHeld(): boolean {
    return boundary.isHolding() && host.capabilities.boundary !== "edge";
  }

  /** A host that can be asked is asked first: only what it says then lets a nudge go. */
  function mayNudge(trigger: Trigger | "look"): boolean {
    const isAsked = !host.recheck || (trigger !== "look" && trigger.type === "host.rechecked");
    return isAsked && (host.capabilities.startsTurns || isHeld());
  }

  /** A host that starts no turns hears the human's words only in our answer at a boundary. */
  function deliveryNow(): Delivery {
    if (host.capabilities.resident || host.capabilities.startsTurns) return "at once";
    return isHeld() ? "in the answer" : "not now";
  }

  /** What the files are before the turn did anything; told only to the same turn. */
  async function observeBaseline(): Promise<void> {
    const { id, ledger } = known.run;
    const { workspace } = await looks.observe();
    const isStillIt =
      known.run.id === id && known.run.ledger.turn?.id === ledger.turn?.id && !known.run.ledger.boundary;
    if (workspace !== undefined && isStillIt) unattended.run(() => tellNow({ type: "workspace.observed", workspace }));
  }

  function dispose(): void {
    life.abort();
    own.drop();
    alarm.drop();
    unattended.drop();
    lookout.drop();
    rounds.keepOnly(undefined);
    boundary.release();
  }
}

export type Session = ReturnType<typeof createSession>;

/** How soon what the host said is asked for again, where it could not be recorded. */
const ASK_AGAIN_MS = 1_000;

const NOT_RECORDED: Reply = {
  type: "refused",
  refusal: {
    code: "check_failed",
    message: "The checks ran, but their result could not be recorded. Complete it again.",
  },
};
