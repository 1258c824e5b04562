import { isAway, type RunFiles } from "../files/index.ts";
import type { Claimed, Ledger, Papers, Released } from "../ports.ts";
import type { Child } from "./child.ts";
import type { Conversation } from "./conversation.ts";
import { createHearing } from "./hearing.ts";
import { insist, type Patience } from "./insist.ts";
import type { Ending, FromRunner } from "./job.ts";
import type { LocalLog } from "./local-log.ts";
import type { Lost } from "./lost-spend.ts";
import { createProtocol } from "./protocol.ts";
import { createSafeFiles } from "./safe-files.ts";
import { tellWaiting } from "./waiting.ts";
import { type ChildEnd, whyBroken, whyParked } from "./why.ts";

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
  const { goal } = claimed.run;
  const over = new AbortController();
  const isOver = (): boolean => over.signal.aborted;
  const say = (text: string): void => tell({ type: "said", text });
  const patience: Patience = { wait, isOver, onAway: (error) => say(`waiting: ${messageOf(error)}`) };
  const waiting = tellWaiting(ledger, lease, overtaken, { wait, isOver });
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
    keep: () => safe.keep(),
  });
  const safe = createSafeFiles({
    ...{ ledger, lease, files, local, conversation, say, forRepository, fence },
    forDatabase: patience,
    hasGivenUp: () => hasGivenUp,
  });
  const hearing = createHearing({
    ...{ ledger, claimed, lost: parts.lost, local, now, overtaken, isOver },
    applies: protocol.applies,
  });
  const ended = Promise.withResolvers<Ending>();
  let agent: Pick<Child, "ended" | "kill"> | undefined;
  let handsBack = false;
  let isRepositoryAway = false;
  /** What is pushed now comes too late: nothing more is. */
  let hasGivenUp = false;
  /** Whether the run is let go of right now: its answer tells whether it still was ours. */
  let isLeaving = false;
  let seen = -1;
  let lookedAt = now();

  drain.addEventListener("abort", leaveUnsaved, { once: true });
  return { work, atBarrier, hear: hearing.hear, look, repository: forRepository };

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
        if (!isRepositoryAway || isLeaving || isOver()) return;
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
      hearing.begin();
      hearing.tellOpen();
      if ((await protocol.append()) === "fenced") return fence();
      if (drain.aborted) return handBack();
      hearing.startOver();
      const before = hearing.run();
      const end: ChildEnd =
        before?.status === "ended"
          ? { code: 0, said: "" }
          : await oneAgent(before === undefined ? "begin" : "continue");
      if (isOver()) return { type: "fenced" };
      hearing.begin();
      hearing.tellOpen();
      if (handsBack) return handBack();
      const broke = whyBroken(hearing.run(), end);
      if (broke !== undefined) return { type: "died", why: broke };
      hearing.tellLast();
      const run = hearing.run();
      if ((await makeSafe()) === "fenced") return fence();
      if (run?.status !== "ended" && !hearing.hasLooked()) continue;
      const outcome = run?.status === "ended" ? (run.ledger.endReason ?? "ended") : undefined;
      const released = await (outcome === undefined ? park(whyParked(run, end.said)) : finish(outcome));
      if (released.status === "fenced") return fence();
      if (released.status === "written") return released.ending;
      hearing.stillOpen(released.words);
    }
  }

  function oneAgent(how: "begin" | "continue"): Promise<ChildEnd> {
    agent = parts.startAgent(how);
    return agent.ended;
  }

  /** Asked by the agent's processes before anything leaves. Gives why it may not. */
  async function atBarrier(): Promise<string | undefined> {
    const began = now();
    if (isOver()) return FENCED;
    hearing.begin();
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
    if (status === "written") safe.kept();
    return status;
  }

  async function leave<T>(act: () => Promise<T>): Promise<T> {
    isLeaving = true;
    const answer = await act();
    isLeaving = false;
    return answer;
  }

  async function park(why: string): Promise<LetGo> {
    const unsaid = local.last() === 0 ? hearing.unsaid() : [];
    const released = await leave(() => insist(() => ledger.park(lease, why, unsaid), patience));
    return released.status === "written" ? letGo({ type: "parked", why }) : released;
  }

  async function finish(outcome: string): Promise<LetGo> {
    const resultCommit = await safe.result(messageFor(goal));
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

  /** Many times a second: what is new in the local log is told. After a leap of the clock it is asked whether the run is still ours. */
  function look(): void {
    const leapt = now() - lookedAt > parts.leaseMs / 2;
    lookedAt = now();
    if (leapt) void hearing.hear();
    const writes = local.writes();
    if (writes === seen || isOver()) return;
    seen = writes;
    hearing.begin();
    hearing.tellOpen(); // said before the call that it answers
    protocol.append().then(
      (status) => {
        if (status === "fenced") overtaken();
      },
      (error: unknown) => {
        if (!isOver()) ended.reject(error);
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
