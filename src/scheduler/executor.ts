import { type Claim, NO_OUTPUT } from "../core/call/index.ts";
import type { Clock } from "../engine/index.ts";
import { messageOf, whatOf } from "./intake.ts";
import type { SchedulerLimits } from "./limits.ts";
import { failed, type OpenCalls, stopped } from "./open-calls.ts";
import type { Recorder } from "./recorder.ts";
import { createTextTail } from "./text-tail.ts";
import { type CallContext, type Permission, type Question, TransientError } from "./tool.ts";
import type { createObservers } from "./update.ts";
import { whenWorded } from "./wording.ts";
import type { Execution, Stop, Work } from "./work.ts";

export interface ExecutorPorts {
  readonly clock: Clock;
  readonly limits: SchedulerLimits;
  readonly recorder: Recorder;
  readonly observers: ReturnType<typeof createObservers>;
  readonly calls: OpenCalls;
  readonly redact: (text: string) => string;
  /** Ends the call instead, if the user holds the run or the rules no longer allow it. */
  readonly isBarred: (work: Work) => boolean;
  readonly mayRead: (work: Work, path: string) => boolean;
  /** A tool asks the user in the middle of its work. */
  readonly ask: (work: Work, question: Question, reply: (permission: Permission | undefined) => void) => void;
  readonly withdraw: (work: Work) => void;
}

export interface Executor {
  /** Runs the call's tool; if it writes, not before its intent is in the log. */
  start(work: Work): void;
  /** Ends a call that is not settled: at once, or within the grace if its tool is at work. */
  stop(work: Work, why: Stop): void;
  /** The deadline stands still while the call waits for a user. */
  pause(work: Work): void;
  resume(work: Work): void;
  /** Lets go of every tool that did not come back. */
  dispose(): void;
}

export function createExecutor(ports: ExecutorPorts): Executor {
  const { clock, limits, recorder, observers, calls } = ports;
  const late = new Set<Execution>();

  function start(work: Work) {
    if (ports.isBarred(work)) return;
    ifAsApproved(work, () => {
      if (!work.plan?.writes) return begin(work);
      work.isIntended = true;
      intend(work, 1, () => {
        if (!ports.isBarred(work)) ifAsApproved(work, () => begin(work)); // writing it down may have taken a while
      });
    });
  }

  /** What was approved is what runs: arguments that are others by now, or a file that is, are another question. */
  function ifAsApproved(work: Work, then: () => void): void {
    const { approved, plan } = work;
    if (approved === undefined) then();
    else
      whenWorded(plan!, ({ digest }) => {
        if (work.call.status !== "scheduled") return; // it ended while its files were looked at
        if (digest === approved) then();
        else calls.settle(work, stopped(work, failed("changed"), clock.now()));
      });
  }

  function intend(work: Work, attempt: number, then: () => void): void {
    const { request, plan } = work;
    const writes = plan!.claims.filter(({ access }) => access === "write").map(({ path }) => path);
    const intent = {
      call: request.id,
      tool: request.tool,
      what: ports.redact(whatOf(plan!)),
      writes,
      attempt,
      digest: work.approved,
    };
    recorder.record([{ type: "call.intended", ...intent }], (recorded) => {
      if (recorded) return then();
      if (attempt === 1) work.isIntended = false;
      const why = failed("not_recorded");
      calls.settle(work, stopped(work, why, clock.now(), attempt === 1 ? "none" : "failed"));
    });
  }

  function begin(work: Work) {
    const startedAt = clock.now();
    const execution: Execution = {
      attempt: 1,
      startedAt,
      output: undefined,
      controller: undefined,
      stopping: undefined,
      timer: undefined,
      leftMs: undefined,
      deadlineAt: undefined,
      printing: undefined,
      questions: 0,
    };
    if (work.call.status !== "scheduled") return; // it was cancelled while its intent was written down
    work.execution = execution;
    if (!calls.enter(work, { status: "executing", request: work.request, startedAt })) return;
    const deadline = work.request.deadlineMs ?? work.plan!.tool.deadlineMs;
    if (deadline !== undefined) arm(work, execution, deadline);
    attempt(work, execution);
  }

  function attempt(work: Work, execution: Execution) {
    const { call } = work;
    if (call.status === "executing") observers.tell({ type: "call.started", call, attempt: execution.attempt });
    if (execution.stopping !== undefined)
      return end(work, execution, execution.stopping, execution.attempt === 1 ? "none" : "failed");
    const { tool, args } = work.plan!;
    try {
      const result = tool.run(args, new Context(work, execution, context));
      if (!isThenable(result)) return returned(work, execution, result);
      Promise.resolve(result).then(
        (value) => returned(work, execution, value),
        (error: unknown) => threw(work, execution, error),
      );
    } catch (error) {
      threw(work, execution, error);
    }
  }

  function returned(work: Work, execution: Execution, value: unknown) {
    if (late.has(execution)) return cameLate(work, execution, "done");
    if (execution.stopping !== undefined) return end(work, execution, execution.stopping, "done");
    quiet(execution);
    const { request } = work;
    const { startedAt, output: tail } = execution;
    const output = tail?.read() ?? NO_OUTPUT;
    calls.settle(work, { status: "success", request, startedAt, endedAt: clock.now(), value, output });
  }

  function threw(work: Work, execution: Execution, error: unknown) {
    if (late.has(execution)) return cameLate(work, execution, "failed");
    if (execution.stopping !== undefined) return end(work, execution, execution.stopping, "failed");
    if (!(error instanceof TransientError) || execution.attempt > 1)
      return end(work, execution, failed("tool_failed", messageOf(error)), "failed");
    execution.attempt = 2;
    const again = () => {
      if (work.execution === execution && calls.works.has(work.request.id)) attempt(work, execution);
    };
    if (work.isIntended) intend(work, 2, again);
    else again();
  }

  function end(work: Work, execution: Execution, why: Stop, effect: "none" | "done" | "failed") {
    quiet(execution);
    calls.settle(work, stopped(work, why, clock.now(), effect));
  }

  function stop(work: Work, why: Stop) {
    const { execution } = work;
    if (execution === undefined) return calls.settle(work, stopped(work, why, clock.now()));
    if (execution.stopping !== undefined || !calls.works.has(work.request.id)) return;
    execution.stopping = why;
    execution.timer?.cancel();
    execution.timer = clock.setTimer(clock.now() + limits.graceMs, () => giveUp(work, execution));
    execution.controller?.abort(new DOMException(why.message, "AbortError"));
    if (work.asked !== undefined) ports.withdraw(work);
  }

  /** The tool did not end in time. Its call ends without it; its paths stay closed for a while, in case it writes. */
  function giveUp(work: Work, execution: Execution): void {
    quiet(execution);
    late.add(execution);
    execution.timer = clock.setTimer(clock.now() + limits.lateMs, () => release(work, execution));
    calls.settle(work, stopped(work, execution.stopping!, clock.now(), "unknown"), "kept");
  }

  function release(work: Work, execution: Execution): void {
    execution.timer?.cancel();
    calls.admission.release(work.request.id);
    calls.pump();
  }

  function cameLate(work: Work, execution: Execution, effect: "done" | "failed"): void {
    late.delete(execution);
    const { id } = work.request;
    if (work.isIntended) recorder.record([{ type: "call.late", call: id, effect }]);
    observers.tell({ type: "call.late", id, effect });
    release(work, execution);
  }

  function arm(work: Work, execution: Execution, ms: number): void {
    execution.deadlineAt = clock.now() + ms;
    execution.timer = clock.setTimer(execution.deadlineAt, () => stop(work, failed("deadline")));
  }

  const context: ContextPorts = {
    mayRead: ports.mayRead,
    print(work, execution, text) {
      if (!calls.works.has(work.request.id) || text === "") return; // late output of a settled call is dropped
      execution.output ??= createTextTail(limits.outputCharacters);
      const { output } = execution;
      output.add(text);
      execution.printing ??= clock.setTimer(clock.now() + limits.printEveryMs, () => {
        execution.printing = undefined;
        observers.tell({ type: "call.printed", id: work.request.id, output: output.read() });
      });
    },
    ask(work, execution, question) {
      const answer = Promise.withResolvers<Permission>();
      const gone = () => answer.reject(new DOMException("The call ended before anyone answered.", "AbortError"));
      if (execution.stopping !== undefined || !calls.works.has(work.request.id)) gone();
      else if (work.asked !== undefined || ++execution.questions > limits.questionsPerCall)
        answer.resolve({ granted: false, words: "This call asks too often; ask one question at a time." });
      else ports.ask(work, question, (permission) => (permission === undefined ? gone() : answer.resolve(permission)));
      return answer.promise;
    },
  };

  return {
    start,
    stop,
    pause({ execution }) {
      if (execution?.deadlineAt === undefined || execution.stopping !== undefined) return;
      execution.leftMs = Math.max(0, execution.deadlineAt - clock.now());
      execution.timer?.cancel();
    },
    resume(work) {
      const { execution } = work;
      if (execution?.leftMs === undefined || execution.stopping !== undefined) return;
      arm(work, execution, execution.leftMs);
      execution.leftMs = undefined;
    },
    dispose() {
      for (const execution of late) execution.timer?.cancel();
      late.clear();
    },
  };
}

interface ContextPorts {
  mayRead(work: Work, path: string): boolean;
  print(work: Work, execution: Execution, text: string): void;
  ask(work: Work, execution: Execution, question: Question): Promise<Permission>;
}

/** A class, because the signal is made only for those who look at it: it costs more than everything else of a call. */
class Context implements CallContext {
  readonly #work: Work;
  readonly #execution: Execution;
  readonly #ports: ContextPorts;
  readonly attempt: number;

  constructor(work: Work, execution: Execution, ports: ContextPorts) {
    this.#work = work;
    this.#execution = execution;
    this.#ports = ports;
    this.attempt = execution.attempt;
  }

  get id(): string {
    return this.#work.request.id;
  }
  get signal(): AbortSignal {
    this.#execution.controller ??= abortedIf(this.#execution.stopping);
    return this.#execution.controller.signal;
  }
  get judged(): readonly Claim[] {
    return this.#work.plan?.named ?? [];
  }
  mayRead(path: string): boolean {
    return this.#ports.mayRead(this.#work, path);
  }
  print(text: string): void {
    this.#ports.print(this.#work, this.#execution, text);
  }
  ask(question: Question): Promise<Permission> {
    return this.#ports.ask(this.#work, this.#execution, question);
  }
}

function abortedIf(stopping: Stop | undefined): AbortController {
  const controller = new AbortController();
  if (stopping !== undefined) controller.abort(new DOMException(stopping.message, "AbortError"));
  return controller;
}

function quiet(execution: Execution): void {
  execution.timer?.cancel();
  execution.printing?.cancel();
  execution.printing = undefined;
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
