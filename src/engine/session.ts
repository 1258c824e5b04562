import { decide, mayRenew } from "../core/continuation/index.ts";
import type { Effect, Reply, Trigger } from "../core/react/index.ts";
import { decisionText, type Envelope, type Receipt, type Run, UNBORN } from "../core/run/index.ts";
import { nudgeText } from "../core/words/index.ts";
import type { Rung } from "./alarm.ts";
import { givesBirth } from "./births.ts";
import { createBoundRun } from "./bound-run.ts";
import { createCarrier } from "./carrier.ts";
import { createCheckpointing } from "./checkpointing.ts";
import { limitsHere } from "./context-of.ts";
import type { EnginePorts } from "./engine.ts";
import { createFirstResults } from "./first-results.ts";
import { createHeldBoundary } from "./held-boundary.ts";
import { createIntake } from "./intake.ts";
import { createLookout } from "./lookout.ts";
import { createLooks, type Seen } from "./looks.ts";
import { neighbours, sayNeighbours, withNeighbours } from "./neighbours.ts";
import { createNotices } from "./notices.ts";
import { createOwnClaim } from "./own-claim.ts";
import type { Recorded } from "./recorder.ts";
import { createRecording } from "./recording.ts";
import { createRounds } from "./rounds.ts";
import { createSender } from "./sender.ts";
import { createUnattended } from "./unattended.ts";
import { createWrites } from "./writes.ts";

/**
 * One session of the host and the run that is bound to it. Whatever happens takes the same way, and what comes of an effect is told again:
 *
 *     intake --in order, looked at--> recording --in the log--> follow: effects, then the timer of a wait or of a turn
 *        ^                                                         |
 *        +------------- what became of it (sender, rounds) --------+
 *
 * What a process knows besides the log has a machine each: which run it is (bound-run), whether this process drives it (own-claim), whether the
 * host waits for an answer (held-boundary), what is about to leave (sender), and the one timer (carrier).
 */
export function createSession(
  ports: EnginePorts,
  key: string,
  onChange: (run: Run, events: readonly Envelope[]) => void,
) {
  const { store, host, clock, enter } = ports;
  const { capabilities } = host;
  const life = new AbortController();
  const bound = createBoundRun(store, host, key, ports.keepEvery);
  const { run } = bound;
  const boundary = createHeldBoundary(capabilities.boundary !== "edge");
  const own = createOwnClaim(capabilities.resident && enter ? () => enter(key) : undefined);
  const { show, say, surely } = createNotices(host, key);
  const unattended = createUnattended(clock, say);
  const writes = createWrites((why) =>
    surely("end the turn", () => host.endTurn(key, { how: "after_tool", says: why })),
  );
  const carrier = createCarrier({
    clock,
    capabilities,
    boundary,
    ring,
    park: (id, waker) => tellNow({ type: "wait.parked", boundary: id, waker }),
  });
  const rounds = createRounds(ports.checks, roundEnded);
  const firsts = createFirstResults(ports.checks, (first) =>
    unattended.run(() => tellNow({ type: "check.tried", first })),
  );
  const looks = createLooks(ports, key, (where, message) =>
    unattended.run(() => tellNow({ type: "host.failed", where, message })),
  );
  const recording = createRecording({
    ports,
    session: key,
    bound,
    own,
    writes,
    isHeld: boundary.isHeld,
    wrote: follow,
    born: () => sayNeighbours(beside(), say),
  });
  const checkpointing = createCheckpointing({
    ports,
    run,
    drives: () => run().ledger.claim.driver === ports.driver && !life.signal.aborted,
    tell: (trigger) => void unattended.run(() => tellNow(trigger)),
  });
  const { tell, settle, begun, idle } = createIntake({
    isResident: capabilities.resident,
    looks,
    boundary,
    checkpointing,
    unattended,
    run,
    isStill,
    tellNow,
    takeUp: recording.takeUp,
    overtake: (end) => recording.write(end, { how: "overtaken" }),
    checked: rounds.answer,
  });
  const sender = createSender({
    host,
    clock,
    ...(store.log.barrier && { barrier: (id: string) => store.log.barrier!(id) }),
    look,
    session: key,
    run,
    whyNotNow,
    drives: () => own.drives(run()),
    unattended,
    tellNow,
    tell,
    idle,
    failed: (id, error) => {
      unattended.show(error);
      carrier.ringAgain(id);
    },
  });
  const perform: { readonly [T in Effect["type"]]: (effect: Effect & { readonly type: T }) => void } = {
    "nudge.send": ({ nudge }) => sender.send(nudge, boundary.answering()),
    "words.deliver": ({ ids, rechecked = false }) => sender.deliver(ids, rechecked, boundary.answering()),
    "round.run": ({ round, checks }) => rounds.run(round, { run: run(), checks }),
    "turn.end": ({ how, says }) => host.endTurn(key, { how, says }),
    "human.notify": ({ reason }) => show({ type: "stopped", reason, run: run() }),
    "notifications.send": () => ports.sendNotifications?.(run().id),
    "human.tell": ({ notice: text, topic }) => show({ type: "text", text, ...(topic && { topic }) }),
  };
  const lookout = createLookout(
    clock,
    () => unattended.run(look),
    () => capabilities.resident && run().status === "live" && !life.signal.aborted,
  );

  return {
    key,
    /** Resolves with the answer; one that waits for checks resolves when they ended. */
    tell,
    /** The agent settled. On a host that holds its boundaries this resolves when the decision is carried out. */
    settle,
    begun,
    run: () => (run().status === "unborn" ? undefined : run()),
    dueNudge,
    mayRenew: asksConversation,
    unrecorded: writes.lost,
    open,
    look,
    dispose,
  };

  function tellNow(trigger: Trigger, seen?: Seen): Reply {
    if (life.signal.aborted) return { type: "ignored", why: "no_run" };
    if (givesBirth(trigger, UNBORN)) look(); // another process may have ended the run
    return recording.tell(trigger, seen);
  }

  function open(trigger: Trigger & { type: "run.open" }): Reply {
    bound.reload();
    return tellNow(trigger);
  }

  /**
   * Whether what happened when the session had that run belongs to the run that it has by now. One that another process began since then
   * knows nothing of it: the next thing that happens here takes that one up.
   */
  function isStill(of: Run): boolean {
    if (of.status === "live" && bound.has(of)) return true;
    if (run().status !== "live") bound.reload();
    if (run().status !== "live" || own.has(run())) return true; // what was told before it may have begun it
    return of.status !== "live" && run().ledger.claim.driver === ports.driver;
  }

  /** Takes in what other processes appended, also that the run was removed or another one bound to this session. */
  function look(): void {
    if (run().status !== "live") return;
    carrier.look();
    const news = bound.news();
    if (news === "appended") recording.write("look");
    if (news !== "another") return;
    bound.reload();
    carry();
  }

  /** What happened since a nudge was decided may keep it back: it leaves only if it would be decided again. */
  function whyNotNow(decided: Run): string | undefined {
    if (run() === decided && !store.log.barrier) return undefined; // nothing was told, and no time passed
    if (run().status !== "live") return "the run is over";
    const decision = decide(run(), limitsHere(ports), clock.now());
    return decision.type === "continue" ? undefined : decisionText(decision).slice(0, 1000);
  }

  /** What a nudge would say now; undefined where none is due. */
  function dueNudge(): string | undefined {
    const limits = limitsHere(ports);
    const decision = run().status === "live" ? decide(run(), limits, clock.now()) : undefined;
    return decision?.type === "continue" ? nudgeText(run(), decision.kind, limits.listInNudge) : undefined;
  }

  function asksConversation(): boolean {
    return run().status === "live" && mayRenew(run(), limitsHere(ports));
  }

  function ring({ of, id }: Rung): boolean {
    if (of === "boundary" && host.recheck && run().ledger.decision?.type === "continue") {
      sender.recheck(id);
      return true;
    }
    const rung: Trigger = of === "turn" ? { type: "turn.check" } : { type: "timer.fired", boundary: id };
    return unattended.run(() => tellNow(rung)) !== undefined;
  }

  function follow({ events, reaction }: Recorded, how: "current" | "overtaken"): void {
    rounds.keepOnly(run().ledger.verifying?.round);
    firsts.keepOn(run(), own.drives(run()) && !life.signal.aborted);
    // Before the effects: what they tell in turn comes later in the log, and listeners see events in its order.
    if (events.length > 0) surely("show what changed", () => onChange(run(), events));
    if (how === "overtaken" || life.signal.aborted) return; // a listener found the host's session gone: the next process follows it up
    if (reaction?.reply.type === "ignored" && reaction.reply.why === "not_owner") bound.reload();
    checkpointing.due(events);
    for (const effect of reaction?.effects ?? [])
      surely("finish the last step", () => (perform[effect.type] as (effect: Effect) => void)(effect));
    carry();
    lookout.keepOn();
  }

  function carry(): void {
    const { verifying, boundary: at } = run().ledger;
    carrier.carry({
      run: run(),
      isDriven: own.drives(run()),
      limits: limitsHere(ports),
      isChecking: rounds.isRunning(verifying?.round),
      isRechecking: sender.isRechecking(at?.id),
    });
  }

  function roundEnded(round: string, found: readonly Receipt[], cut?: string): Reply {
    const told = unattended.run(() => {
      const receipts = withNeighbours(found, beside());
      return tellNow({ type: "round.ended", round, receipts, ...(cut !== undefined && { cut }) });
    });
    return told?.value ?? NOT_RECORDED;
  }

  function beside() {
    return neighbours(store, { run: run().id, cwd: ports.cwd }, clock.now());
  }

  function dispose(): void {
    life.abort();
    own.drop();
    carrier.drop();
    unattended.drop();
    lookout.drop();
    rounds.keepOnly(undefined);
    firsts.drop();
    boundary.release();
  }
}

export type Session = ReturnType<typeof createSession>;

const NOT_RECORDED: Reply = {
  type: "refused",
  refusal: {
    code: "check_failed",
    message: "The checks ran, but their result could not be recorded. Complete it again.",
  },
};
