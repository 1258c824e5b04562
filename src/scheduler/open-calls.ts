import {
  type Admission,
  CANCELLATIONS,
  type Call,
  type CallEvent,
  createAdmission,
  createLoopWatch,
  digestOf,
  type Effect,
  ERRORS,
  type ErrorCode,
  type Loop,
  mayMove,
  NO_OUTPUT,
  type SettledCall,
} from "../core/call/index.ts";
import type { Clock } from "../engine/index.ts";
import type { SchedulerLimits } from "./limits.ts";
import type { Recorder } from "./recorder.ts";
import type { createObservers } from "./update.ts";
import type { Batch, Stop, Work } from "./work.ts";

/** Where every call stands. The only place that changes a call's state, and the one that ends it. */
export interface OpenCalls {
  readonly admission: Admission;
  /** Calls that are not settled. */
  readonly works: ReadonlyMap<string, Work>;
  readonly batches: ReadonlySet<Batch>;
  begin(batch: Batch): void;
  add(work: Work): void;
  /** False when the call cannot go there any more: late news is normal. */
  enter(work: Work, call: Call): boolean;
  /** Ends a call, once. What needed it ends with it. `kept`: its tool is still at work on its paths. */
  settle(work: Work, settled: SettledCall, claims?: "released" | "kept"): void;
  /** Puts the answer of a call that was never taken on. */
  refuse(batch: Batch, index: number, settled: SettledCall): void;
  pump(): void;
  /** Nothing starts before `change` is complete. */
  atOnce(change: () => void): void;
}

export interface OpenCallsPorts {
  readonly clock: Clock;
  readonly limits: SchedulerLimits;
  readonly recorder: Recorder;
  readonly observers: ReturnType<typeof createObservers>;
  /** The call's turn has come. */
  readonly start: (work: Work) => void;
  /** The call ended while a question about it was open. */
  readonly withdraw: (work: Work) => void;
}

const ROUNDS_OF_A_LOOP = 5;
const MOST_DIGESTS = 1_000;

export function createOpenCalls({ clock, limits, recorder, observers, start, withdraw }: OpenCallsPorts): OpenCalls {
  const admission = createAdmission(limits.slots);
  const works = new Map<string, Work>();
  const batches = new Set<Batch>();
  const loops = createLoopWatch(ROUNDS_OF_A_LOOP);
  let found: Loop | undefined;
  let isIdle = true;
  let isPumping = false;
  let started = 0; // since everything else in the process had a turn

  function settle(work: Work, settled: SettledCall, claims: "released" | "kept" = "released"): void {
    const doomed = settleOne(work, settled, claims);
    if (doomed === undefined) return;
    // One after the other, not one inside the other: a chain of needs may be longer than the stack.
    for (let needs = [{ of: settled.request.id, ids: doomed }]; needs.length > 0; ) {
      const { of: need, ids } = needs.pop()!;
      for (const id of ids) {
        const other = works.get(id);
        const more = other && settleOne(other, stopped(other, needFailed(need), clock.now()), "released");
        if (more !== undefined && more.length > 0) needs.push({ of: id, ids: more });
      }
    }
    if (works.size === 0 && !isIdle) {
      isIdle = true;
      observers.tell({ type: "calls.settled" });
    }
    pump();
  }

  /** Gives the calls that needed it and cannot start any more; undefined if it was settled before. */
  function settleOne(work: Work, call: SettledCall, claims: "released" | "kept"): readonly string[] | undefined {
    if (!mayMove(work.call.status, call.status)) return undefined;
    const { id } = call.request;
    work.call = call;
    works.delete(id);
    work.batch.works[work.index] = undefined;
    if (work.asked !== undefined) withdraw(work);
    const doomed = admission.settle(id, call.status === "success" ? "met" : "failed", claims);
    const digest = remember(work, call);
    if (work.isIntended) recorder.record([outcomeOf(call, digest)]);
    observers.tell({ type: "call.entered", call });
    if (call.status === "success") observers.tell({ type: "call.ended", call });
    else observers.tell({ type: "call.failed", call });
    answered(work.batch, work.index, call);
    return doomed;
  }

  /** What the (tool, arguments, result) is called; "" when nothing was done that could be compared. */
  function remember({ plan, batch }: Work, call: SettledCall): string {
    if (plan === undefined || plan.tool.kind === "own") return "";
    if (call.status === "cancelled" || (call.status === "error" && call.code !== "tool_failed")) return "";
    const digest = digestOf(plan.tool.name, plan.args, call.status === "success" ? call.value : call.message);
    if (batch.digests.size < MOST_DIGESTS) batch.digests.add(digest);
    else if (!batch.digests.has(digest)) batch.omitted++;
    const loop = loops.observe(digest);
    if (loop !== undefined && (loop.rounds !== found?.rounds || loop.period !== found.period))
      observers.tell({ type: "loop.found", loop });
    found = loop;
    return digest;
  }

  function answered(batch: Batch, index: number, call: SettledCall): void {
    batch.results[index] = call;
    batch.counts[call.status]++;
    if (--batch.open === 0) finish(batch);
  }

  /** The batch is answered when its summary is in the log; a journal that does not answer does not hold the batch up for long. */
  function finish(batch: Batch): void {
    batch.forget();
    let isAnswered = false;
    const answer = () => {
      if (isAnswered) return;
      isAnswered = true;
      batches.delete(batch);
      batch.answer.resolve(batch.results as readonly SettledCall[]); // none is open
    };
    const { id, counts, digests, omitted } = batch;
    recorder.record([{ type: "batch.settled", batch: id, counts, digests: [...digests], omitted }], () => {
      timer?.cancel();
      answer();
    });
    let timer: ReturnType<Clock["setTimer"]> | undefined;
    queueMicrotask(() => {
      if (!isAnswered) timer = clock.setTimer(clock.now() + limits.graceMs, answer);
    });
  }

  function pump(): void {
    if (isPumping || started > limits.burst) return;
    isPumping = true;
    while (started <= limits.burst) {
      const id = admission.next();
      if (id === undefined) break;
      started++;
      start(works.get(id)!);
    }
    isPumping = false;
    if (started > limits.burst)
      setImmediate(() => {
        started = 0;
        pump();
      });
  }

  return {
    admission,
    works,
    batches,
    begin: (batch) => batches.add(batch),
    add(work) {
      isIdle = false;
      works.set(work.request.id, work);
      work.batch.works[work.index] = work;
    },
    enter(work, call) {
      if (!mayMove(work.call.status, call.status)) return false;
      work.call = call;
      observers.tell({ type: "call.entered", call });
      return true;
    },
    settle,
    refuse: answered,
    pump,
    atOnce(change) {
      const before = isPumping;
      isPumping = true;
      change();
      isPumping = before;
      pump();
    },
  };
}

/** How a call looks that ended before or during its work, otherwise than by the tool's own result. */
export function stopped(
  { request, execution }: Work,
  stop: Stop,
  endedAt: number,
  effect: Effect = "none",
): SettledCall {
  return { ...stop, request, endedAt, effect, output: execution?.output?.read() ?? NO_OUTPUT };
}

export const cancelled = (code: keyof typeof CANCELLATIONS, words = ""): Stop => ({
  status: "cancelled",
  code,
  message: words === "" ? CANCELLATIONS[code] : `${CANCELLATIONS[code]} ${words}`,
});

export const failed = (code: ErrorCode, message: string = ERRORS[code]): Stop => ({ status: "error", code, message });

const needFailed = (need: string): Stop => cancelled("need_failed", `(${need})`);

function outcomeOf(call: SettledCall, digest: string): CallEvent {
  const { id, tool } = call.request;
  const shared = { type: "call.settled", call: id, tool, status: call.status, digest } as const;
  return call.status === "success"
    ? { ...shared, effect: "done" }
    : { ...shared, code: call.code, effect: call.effect };
}
