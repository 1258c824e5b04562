import type { Run } from "../../core/run/index.ts";
import { openRun } from "../../engine/index.ts";
import type { RunFiles } from "../files/index.ts";
import { FilesError, isAway } from "../files/index.ts";
import { FleetError } from "../ledger/index.ts";
import type { AppliedWord, Claimed, Ledger, Papers, Released, Word } from "../ports.ts";
import type { Child } from "./child.ts";
import type { Conversation } from "./conversation.ts";
import { insist, type Patience } from "./insist.ts";
import type { Ending, FromRunner } from "./job.ts";
import type { LocalLog } from "./local-log.ts";
import { countLost, type Lost } from "./lost-spend.ts";
import { createProtocol } from "./protocol.ts";
import { tellWaiting } from "./waiting.ts";
import { type ChildEnd, whyBroken, whyParked } from "./why.ts";
import { createWords } from "./words.ts";

export interface DriverParts {
  readonly ledger: Pick<
    Ledger,
    "append" | "barrier" | "get" | "holds" | "waits" | "words" | "park" | "finish" | "handBack"
  >;
  readonly claimed: Claimed;
  readonly lost: Lost | undefined;
  /** Laid out where the claim starts. */
  readonly files: Pick<RunFiles, "takeOver" | "checkpoint" | "result" | "stop" | "discard">;
  readonly local: LocalLog;
  readonly conversation: Conversation;
  /** Starts the agent: `atBarrier` is asked before anything leaves it. */
  readonly startAgent: (how: "begin" | "continue") => Pick<Child, "ended" | "kill">;
  /** What is written about a run that has ended. */
  readonly papers: (resultCommit: string) => Promise<Papers>;
  readonly tell: (message: FromRunner) => void;
  /** Aborted: the turn is finished, everything is made safe, and the run goes back to the queue. */
  readonly drain: AbortSignal;
  readonly leaseMs: number;
  readonly now: () => number;
  readonly wait: NonNullable<Patience["wait"]>;
}

/**
 * Works on a run that was claimed and laid out here, until it is let go of or another worker has it:
 *
 *     working <--> at a barrier --> ending: finished, parked, handed back
 *        +-- another worker has it by now: fenced, from everywhere; nothing is written, pushed or sent any more
 */
export function createDriver(parts: DriverParts) {
  const { ledger, claimed, files, local, conversation, tell, drain, now, wait } = parts;
  const { lease } = claimed;
  const { run: id, goal } = claimed.run;
  const words = createWords(local.store, id, now, claimed.words);
  const over = new AbortController();
  const withheld = new Set<string>();
  const patience: Patience = {
    wait,
    isOver: () => over.signal.aborted,
    onAway: (error) => tell({ type: "said", text: `waiting: ${messageOf(error)}` }),
  };
  const waiting = tellWaiting(ledger, lease, overtaken, { wait, isOver: () => over.signal.aborted });
  const forRepository = {
    ...patience,
    isPassing: isAway,
    onBack: () => {
      isRepositoryAway = false;
      waiting.onBack();
    },
    onAway: (error: unknown) => {
      isRepositoryAway = true;
      patience.onAway?.(error);
      waiting.onAway(error);
      if (drain.aborted) leaveUnsaved();
    },
  };
  const protocol = createProtocol({
    ledger,
    lease,
    from: claimed.run.seq,
    local,
    insist: (act) => insist(act, patience),
    forgotten: () => conversation.forget(),
    keep,
  });
  const ended = Promise.withResolvers<Ending>();
  let saidLast: ReturnType<Conversation["news"]> | undefined;
  let pending: readonly Word[] = claimed.words;
  let agent: Pick<Child, "ended" | "kill"> | undefined;
  let handsBack = false;
  let isRepositoryAway = false;
  /** What is pushed now comes too late: nothing more is. */
  let hasGivenUp = false;
  /** Whether the run is let go of right now: its answer tells whether it still was ours. */
  let isLeaving = false;
  /** Where the log ended when something you said was applied while the agent worked; 0: nothing was. */
  let heardAt = 0;
  let seen = -1;
  let isBorn = false;
  let lookedAt = now();

  drain.addEventListener("abort", leaveUnsaved, { once: true });
  return { work, atBarrier, hear, look, repository: forRepository };

  /** Everything, to the end. */
  async function work(): Promise<Ending> {
    try {
      // Where it was fenced, that is how it ended: what breaks because of it comes later.
      return await Promise.race([ended.promise, untilOver()]);
    } finally {
      drain.removeEventListener("abort", leaveUnsaved);
      over.abort();
      agent?.kill();
    }
  }

  /** A worker that ends waits for no repository that is away: what stands after the checkpoint is done again elsewhere. */
  function leaveUnsaved(): void {
    if (!isRepositoryAway) return;
    wait(AWAY_MS)
      .then(async () => {
        if (!isRepositoryAway || isLeaving || over.signal.aborted) return;
        handsBack = true;
        agent?.kill();
        hasGivenUp = true;
        ended.resolve(await handBack());
      })
      .catch(ended.reject);
  }

  /** Works, and again when something was said at the last moment. */
  async function untilOver(): Promise<Ending> {
    for (;;) {
      begin();
      take(pending);
      if ((await protocol.append()) === "fenced") return fence();
      if (drain.aborted) return handBack();
      heardAt = 0;
      const before = runNow();
      const end: ChildEnd =
        before?.status === "ended"
          ? { code: 0, said: "" }
          : await oneAgent(before === undefined ? "begin" : "continue");
      if (over.signal.aborted) return { type: "fenced" };
      begin();
      take(pending);
      if (handsBack) return handBack();
      const broke = whyBroken(runNow(), end);
      if (broke !== undefined) return { type: "died", why: broke };
      applied(words.applyAll(pending));
      const run = runNow();
      if ((await makeSafe()) === "fenced") return fence();
      if (run?.status !== "ended" && !hasLooked()) continue;
      const outcome = run?.status === "ended" ? (run.ledger.endReason ?? "ended") : undefined;
      const released = await (outcome === undefined ? park(whyParked(run, end.said)) : finish(outcome));
      if (released.status === "fenced") return fence();
      if (released.status === "written") return released.ending;
      pending = released.words;
    }
  }

  function runNow(): Run | undefined {
    return local.last() === 0 ? undefined : openRun(local.store.log, id).run;
  }

  /** Whether the agent decided once more after the last thing you said. */
  function hasLooked(): boolean {
    if (heardAt === 0) return true;
    return local.store.log.read(id, heardAt).events.some(({ event }) => event.type === "decision.made");
  }

  function oneAgent(how: "begin" | "continue"): Promise<ChildEnd> {
    agent = parts.startAgent(how);
    return agent.ended;
  }

  /** Asked by the agent's processes before anything leaves. Gives why it may not. */
  async function atBarrier(): Promise<string | undefined> {
    const began = now();
    if (over.signal.aborted) return FENCED;
    begin();
    if ((await makeSafe()) === "fenced") {
      fence();
      return FENCED;
    }
    tell({ type: "barrier", ms: now() - began });
    if (!drain.aborted) return undefined;
    handsBack = true;
    agent?.kill();
    return "the worker is shutting down, and another one continues";
  }

  async function makeSafe(): Promise<"written" | "fenced"> {
    const status = await protocol.barrier();
    if (status === "written" && saidLast) conversation.said(saidLast);
    return status;
  }

  async function keep() {
    const kept = await whileOurs(() => files.checkpoint(lease.epoch));
    for (const path of kept.withheld)
      if (!withheld.has(path)) {
        withheld.add(path);
        tell({ type: "said", text: `not kept with the run, because it looks like a secret: ${path}` });
      }
    saidLast = conversation.news(local.card()?.session);
    return { commit: kept.commit, ...saidLast };
  }

  /** The remote may refuse a push of ours: an older claim pushed before it knew, or the answer to our last one was lost. */
  async function whileOurs<T>(push: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await untilThere(push);
      } catch (error) {
        if (!(error instanceof FilesError) || error.code !== "fenced") throw error;
        const isOurs =
          (await insist(() => ledger.holds(lease), patience)) && (await untilThere(() => files.takeOver(lease.epoch)));
        if (isOurs) continue;
        fence();
        throw error;
      }
    }
  }

  function untilThere<T>(act: () => Promise<T>): Promise<T> {
    return insist(() => (hasGivenUp ? new Promise<never>(() => {}) : act()), forRepository);
  }

  async function leave<T>(act: () => Promise<T>): Promise<T> {
    isLeaving = true;
    const answer = await act();
    isLeaving = false;
    return answer;
  }

  async function park(why: string): Promise<LetGo> {
    const unsaid = local.last() === 0 ? pending.map(({ id }) => id) : [];
    const released = await leave(() => insist(() => ledger.park(lease, why, unsaid), patience));
    return released.status === "written" ? letGo({ type: "parked", why }) : released;
  }

  async function finish(outcome: string): Promise<LetGo> {
    const resultCommit = await whileOurs(() => files.result(lease.epoch, messageFor(goal)));
    const papers = await parts.papers(resultCommit);
    const released = await leave(() =>
      insist(() => ledger.finish(lease, { outcome, resultCommit, ...papers }), patience),
    );
    return released.status === "written" ? letGo({ type: "finished", outcome }) : released;
  }

  /** Everything stands elsewhere by now. */
  function letGo(ending: Ending): LetGo {
    files.discard();
    conversation.discard();
    return { status: "written", ending };
  }

  async function handBack(): Promise<Ending> {
    const { status } = await leave(() => insist(() => ledger.handBack(lease), patience));
    return { type: status === "fenced" ? "fenced" : "handed_back" };
  }

  function fence(): Ending {
    over.abort();
    files.stop();
    agent?.kill();
    ended.resolve({ type: "fenced" });
    return { type: "fenced" };
  }

  function overtaken(): void {
    if (!isLeaving) fence();
  }

  /** Something was said to the run, or it is another one's by now. */
  async function hear(): Promise<void> {
    try {
      if (!(await ledger.holds(lease))) return overtaken();
      const all = await ledger.words(id);
      take(all.filter(({ appliedSeq, refused }) => appliedSeq === undefined && refused === undefined));
    } catch (error) {
      if (!over.signal.aborted && !(error instanceof FleetError)) throw error; // the next look tries again
    }
  }

  /** As soon as there is a log: what was said before, and what lost turns used, stands in it before anything leaves. */
  function begin(): void {
    if (isBorn || local.last() === 0) return;
    isBorn = true;
    if (parts.lost) countLost(local, id, claimed.rows, parts.lost, now());
    take(pending);
  }

  function take(said: readonly Word[]): void {
    pending = said;
    applied(words.apply(said));
  }

  function applied(done: readonly AppliedWord[]): void {
    for (const word of done) {
      protocol.applies(word);
      if (word.refused === undefined) heardAt = local.last();
    }
  }

  /** Many times a second: what is new in the local log is told. After a leap of the clock it is asked whether the run is still ours. */
  function look(): void {
    const leapt = now() - lookedAt > parts.leaseMs / 2;
    lookedAt = now();
    if (leapt) void hear();
    const writes = local.writes();
    if (writes === seen || over.signal.aborted) return;
    seen = writes;
    begin();
    take(pending); // said before the call that it answers
    protocol.append().then(
      (status) => {
        if (status === "fenced") overtaken();
      },
      (error: unknown) => {
        if (!over.signal.aborted) ended.reject(error);
      },
    );
  }
}

type LetGo = Exclude<Released, { status: "written" }> | { readonly status: "written"; readonly ending: Ending };

const messageFor = (goal: string): string => {
  const [first = "", ...rest] = goal.trim().split("\n");
  return first.length <= 72 && rest.length === 0 ? first : `${first.slice(0, 69)}...\n\n${goal.trim()}`;
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A worker that is told to end gives a repository so long to come back. */
const AWAY_MS = 5_000;
const FENCED = "another worker has this run by now";
