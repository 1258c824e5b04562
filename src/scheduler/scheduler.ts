import {
  type Approval,
  type Call,
  type CallRequest,
  type CancelCode,
  ERRORS,
  type Mode,
  type Outcome,
  type Policy,
  type SettledCall,
} from "../core/call/index.ts";
import type { Clock } from "../engine/index.ts";
import { steadyClock } from "../machine/index.ts";
import { createAbortSignals } from "./abort-signals.ts";
import { type Answered, createAnswers, type Grant, type Learned, type Refuse } from "./answers.ts";
import { createApprovals } from "./approvals.ts";
import { createExecutor, type Executor } from "./executor.ts";
import { LIMITS, type SchedulerLimits } from "./limits.ts";
import { cancelled, createOpenCalls, failed, type OpenCalls, stopped } from "./open-calls.ts";
import { createRecorder, type Journal } from "./recorder.ts";
import { createRulebook, type Gate } from "./rulebook.ts";
import { createTakeOn, unaccepted } from "./take-on.ts";
import type { ToolBox } from "./tool.ts";
import { createObservers, type Observer } from "./update.ts";
import { shownWording, tooLong, wordingOfQuestion } from "./wording.ts";
import { type Asked, type Batch, bowsToHold, type Given, type Stop, type Work } from "./work.ts";

/** Tools and policy; the rest has defaults. */
export interface SchedulerPorts {
  readonly tools: ToolBox;
  readonly policy: Policy;
  /** Without one: real time. */
  readonly clock?: Clock;
  /** Without one nothing is written down, and a call that a crash cut off is not known to the next process. */
  readonly journal?: Journal;
  /** Whether there is a person who could answer a question. */
  readonly canAsk: () => boolean;
  /** Whether the user holds the run: then no call begins, our own tools and what the user asks for aside. */
  readonly isHeld?: () => boolean;
  readonly gates?: readonly Gate[];
  /** Takes secrets out of what is written down. */
  readonly redact?: (text: string) => string;
  readonly limits?: Partial<SchedulerLimits>;
  /** Calls that were under way when an earlier process ended: they are not done again under the same id. */
  readonly cutOff?: readonly string[];
  /** Hears of what an observer threw and of what the journal refused. Must not throw. */
  readonly onFault?: (error: unknown) => void;
}

/** Takes calls, asks where it must, gives one result a call. */
export interface Scheduler {
  /** Resolves when every call is settled, in the order of the requests. Never rejects. */
  schedule(requests: readonly CallRequest[], signal?: AbortSignal): Promise<readonly SettledCall[]>;
  approve(call: string, grant?: Grant): Answered;
  deny(call: string, refusal?: Refuse): Answered;
  /** The log holds an answer that another process gave. */
  learn(answer: Learned): void;
  /** Ends one call, or everything accepted so far; gives how many it was. Within the grace all of them are settled. */
  cancel(which: { readonly call: string } | "all", code?: CancelCode & ("cancelled" | "held")): number;
  setMode(mode: Mode): void;
  observe(observer: Observer): () => void;
  snapshot(): Snapshot;
  /** Ends everything and takes nothing more on; resolves when nothing is left. */
  dispose(): Promise<void>;
}

/** The calls of a scheduler at one moment. */
export interface Snapshot {
  /** Of the newest update it includes. */
  readonly seq: number;
  /** Every call of a batch that is not answered yet. */
  readonly calls: readonly Call[];
  readonly approvals: readonly Approval[];
  readonly mode: Mode;
}

const NO_JOURNAL: Journal = { append: () => {} };

/** A scheduler over these tools and this policy. */
export function createScheduler(ports: SchedulerPorts): Scheduler {
  const { clock = steadyClock(), tools, isHeld = () => false, redact = (text) => text, onFault = () => {} } = ports;
  const limits: SchedulerLimits = { ...LIMITS, ...ports.limits };
  const rulebook = createRulebook(ports.policy, ports.gates ?? []);
  let isDisposed = false;

  const signals = createAbortSignals();
  const observers = createObservers(onFault);
  const recorder = createRecorder(ports.journal ?? NO_JOURNAL, clock, limits.journalMs, onFault);
  const approvals = createApprovals({
    clock,
    approvalMs: limits.approvalMs,
    recorder,
    calls: () => calls,
    decided,
    notRecorded(work, asked) {
      if (asked.reply === undefined) settle(work, failed("not_recorded"));
      else resumeTool(work, asked, { granted: false, words: ERRORS.not_recorded });
    },
  });
  const calls: OpenCalls = createOpenCalls({
    clock,
    limits,
    recorder,
    observers,
    start: (work) => executor.start(work),
    withdraw: approvals.withdraw,
  });
  const executor: Executor = createExecutor({
    clock,
    limits,
    recorder,
    observers,
    calls,
    redact,
    isBarred,
    mayRead: ({ plan }, path) => rulebook.judge({ ...plan!, named: [{ path, access: "read" }] }).decision !== "deny",
    withdraw: approvals.withdraw,
    ask(work, { what, because }, reply) {
      if (!ports.canAsk()) return reply({ granted: false, words: ERRORS.nobody_to_ask });
      const asked = wordingOfQuestion(work.plan!, what);
      const wording = shownWording(asked, redact);
      if (wording === undefined) return reply({ granted: false, words: tooLong(asked) });
      executor.pause(work);
      approvals.ask(work, { wording, because, reply });
    },
  });
  const answers = createAnswers({ calls, approvals, tools, rulebook, redact, settle });
  const takeOn = createTakeOn({
    clock,
    tools,
    rulebook,
    calls,
    observers,
    approvals,
    cutOff: new Set(ports.cutOff),
    isHeld,
    canAsk: ports.canAsk,
    redact,
    release,
    settle,
  });

  function release(work: Work): void {
    if (!calls.enter(work, { status: "scheduled", request: work.request })) return;
    calls.admission.clear(work.request.id);
    calls.pump();
  }

  /** Its turn has come; what was allowed when it was accepted need not be allowed any more. */
  function isBarred(work: Work): boolean {
    const stop = lastLook(work);
    if (stop !== undefined) settle(work, stop);
    return stop !== undefined;
  }

  function lastLook(work: Work): Stop | undefined {
    const { plan, judgedBy, isApproved } = work;
    if (bowsToHold(work) && isHeld()) return cancelled("held");
    if (judgedBy === rulebook.version) return undefined;
    const { decision, because } = rulebook.judge(plan!);
    if (decision === "allow" || (decision === "ask" && isApproved)) return undefined;
    return cancelled("mode_changed", `(${because})`);
  }

  function decided(work: Work, asked: Asked, given: Given, recorded: boolean): void {
    const isGranted = GRANTING.has(given.outcome);
    if (asked.reply !== undefined) {
      const words = recorded || !isGranted ? given.words : ERRORS.not_recorded;
      resumeTool(work, asked, { granted: isGranted && recorded, words });
    } else if (!isGranted) {
      settle(work, cancelled(REFUSED[given.outcome] ?? "denied", given.words));
    } else if (!recorded) {
      settle(work, failed("not_recorded"));
    } else {
      go(work, asked, given);
    }
    if (given.outcome === "stopped") stopAll("stopped");
  }

  function go(work: Work, asked: Asked, { outcome, plan, wording }: Given): void {
    if (plan !== undefined) {
      work.plan = plan;
      work.request = { ...work.request, args: plan.args };
      calls.admission.reclaim(work.request.id, plan.claims, plan.tool.exclusive === true);
    }
    work.isApproved = true;
    work.approved = wording?.digest ?? asked.approval.digest;
    const { name: tool, server } = work.plan!.tool;
    const everything = { name: `always: ${tool}`, decision: "allow", tool, ...(server && { server }) } as const;
    if (outcome === "always_tool") rulebook.grant([everything]);
    if (outcome === "always_rule") rulebook.grant(asked.offer ?? []);
    release(work);
    if (outcome === "always_tool" || outcome === "always_rule") reconsider(outcome);
  }

  /** The rules changed: every call that still waits for the user is judged again. */
  function reconsider(outcome: Outcome): void {
    for (const work of approvals.waiting()) {
      const { asked, plan } = work;
      if (asked === undefined || asked.reply !== undefined || asked.answer !== undefined) continue;
      const { decision, because } = rulebook.judge(plan!);
      if (decision === "allow") approvals.answer(work, { outcome, words: "" });
      if (decision === "deny") settle(work, cancelled("mode_changed", `(${because})`));
    }
  }

  function resumeTool(work: Work, asked: Asked, permission: Parameters<NonNullable<Asked["reply"]>>[0]): void {
    const { startedAt } = work.execution!;
    if (work.call.status === "awaiting_approval")
      calls.enter(work, { status: "executing", request: work.request, startedAt });
    executor.resume(work);
    asked.reply?.(permission);
  }

  function settle(work: Work, stop: Stop): void {
    calls.settle(work, stopped(work, stop, clock.now()));
  }

  function stopAll(code: CancelCode): number {
    return stopWorks([...calls.works.values()], code);
  }

  /** Nothing that is to be stopped starts because something else was. */
  function stopWorks(works: readonly (Work | undefined)[], code: CancelCode): number {
    const open = works.filter((work) => work !== undefined);
    calls.atOnce(() => {
      for (const work of open) executor.stop(work, cancelled(code));
    });
    return open.length;
  }

  return {
    schedule(requests, signal) {
      if (isDisposed) {
        const now = clock.now();
        return Promise.resolve(requests.map((request) => unaccepted(request, cancelled("disposed"), now)));
      }
      if (requests.length === 0) return Promise.resolve([]);
      const batch = newBatch(requests);
      calls.begin(batch);
      if (signal !== undefined) batch.forget = signals.on(signal, () => stopWorks(batch.works, "aborted"));
      calls.atOnce(() => takeOn(batch, requests, signal));
      return batch.answer.promise;
    },
    approve: answers.approve,
    deny: answers.deny,
    learn: answers.learn,
    cancel(which, code = "cancelled") {
      if (which === "all") return stopAll(code);
      const work = calls.works.get(which.call);
      if (work === undefined) return 0;
      executor.stop(work, cancelled(code));
      return 1;
    },
    setMode(mode) {
      if (rulebook.mode === mode) return;
      rulebook.setMode(mode);
      observers.tell({ type: "mode.changed", mode });
      reconsider("once");
    },
    observe: observers.add,
    snapshot: () => ({
      seq: observers.seq,
      calls: [...calls.batches].flatMap(callsOf),
      approvals: approvals.waiting().flatMap(({ asked }) => asked?.approval ?? []),
      mode: rulebook.mode,
    }),
    async dispose() {
      isDisposed = true;
      stopAll("disposed");
      await Promise.all([...calls.batches].map(({ answer }) => answer.promise));
      approvals.dispose();
      executor.dispose();
      observers.clear();
    },
  };
}

const GRANTING: ReadonlySet<Outcome> = new Set(["once", "always_tool", "always_rule", "edited"]);

const REFUSED: { readonly [O in Outcome]?: CancelCode } = { timed_out: "approval_timeout", withdrawn: "cancelled" };

function newBatch(requests: readonly CallRequest[]): Batch {
  return {
    id: requests[0]!.id,
    results: requests.map(() => undefined),
    works: requests.map(() => undefined),
    open: requests.length,
    counts: { success: 0, error: 0, cancelled: 0 },
    digests: new Set(),
    omitted: 0,
    answer: Promise.withResolvers(),
    forget: () => {},
  };
}

function callsOf({ results, works }: Batch): readonly Call[] {
  return results.map((settled, index) => settled ?? works[index]?.call).filter((call) => call !== undefined);
}
