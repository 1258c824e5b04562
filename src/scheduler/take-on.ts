import { arrange, type CallRequest, ERRORS, NO_OUTPUT, type SettledCall } from "../core/call/index.ts";
import type { Clock } from "../engine/index.ts";
import type { Approvals } from "./approvals.ts";
import { examine } from "./intake.ts";
import { cancelled, failed, type OpenCalls } from "./open-calls.ts";
import type { Rulebook } from "./rulebook.ts";
import type { ToolBox } from "./tool.ts";
import type { createObservers } from "./update.ts";
import { shownWording, tooLong, whenWorded } from "./wording.ts";
import { type Batch, bowsToHold, type Stop, type Work } from "./work.ts";

export interface TakeOnPorts {
  readonly clock: Clock;
  readonly tools: ToolBox;
  readonly rulebook: Rulebook;
  readonly calls: OpenCalls;
  readonly observers: ReturnType<typeof createObservers>;
  readonly approvals: Approvals;
  readonly cutOff: ReadonlySet<string>;
  readonly isHeld: () => boolean;
  readonly canAsk: () => boolean;
  readonly redact: (text: string) => string;
  readonly release: (work: Work) => void;
  readonly settle: (work: Work, stop: Stop) => void;
}

/** Takes the calls of a batch on: each is looked at, gets its place in line, and is released, asked about or refused. */
export function createTakeOn(ports: TakeOnPorts) {
  const { clock, tools, rulebook, calls, observers, approvals, cutOff, isHeld, redact, release, settle } = ports;

  function take(batch: Batch, requests: readonly CallRequest[], signal: AbortSignal | undefined): void {
    const admit = (work: Work) => (signal?.aborted ? turnAway(work, cancelled("aborted")) : accept(work));
    if (requests.every(({ needs }) => needs === undefined || needs.length === 0)) {
      for (const [index, request] of requests.entries())
        if (isNew(batch, index, request)) admit(newWork(batch, index, request));
    } else takeInOrder(batch, requests, admit);
  }

  /** Calls that need each other: each is taken on after those it needs. */
  function takeInOrder(batch: Batch, requests: readonly CallRequest[], admit: (work: Work) => void): void {
    const ids = new Set<string>();
    const works: Work[] = [];
    for (const [index, request] of requests.entries()) {
      if (isNew(batch, index, request, ids)) works.push(newWork(batch, index, request));
      ids.add(request.id);
    }
    const { order, refused } = arrange(
      works.map(({ request }) => request),
      (id) => calls.admission.knows(id),
    );
    for (const [position, { code, need }] of refused)
      turnAway(works[position]!, failed(code, `${ERRORS[code]} (${need})`));
    for (const position of order) admit(works[position]!);
  }

  /** An id counts once: a second call under the same one is answered and not taken on. */
  function isNew(batch: Batch, index: number, request: CallRequest, batchIds?: ReadonlySet<string>): boolean {
    const { id } = request;
    const isTaken = calls.admission.knows(id) || batchIds?.has(id);
    const code = isTaken ? "duplicate_id" : cutOff.has(id) ? "cut_off" : undefined;
    if (code !== undefined) calls.refuse(batch, index, unaccepted(request, failed(code), clock.now()));
    return code === undefined;
  }

  function turnAway(work: Work, stop: Stop): void {
    const { id } = work.request;
    calls.add(work);
    calls.admission.add({ id, priority: "medium", needs: [], claims: [], exclusive: false });
    observers.tell({ type: "call.entered", call: work.call });
    settle(work, stop);
  }

  function accept(work: Work) {
    const { request } = work;
    const { id, needs = [], priority = "medium" } = request;
    const examined = examine(request, tools, rulebook.root);
    if (examined.ok) work.plan = examined.plan;
    const { claims = [], tool } = work.plan ?? {};
    calls.add(work);
    const added = calls.admission.add({ id, priority, needs, claims, exclusive: tool?.exclusive === true });
    observers.tell({ type: "call.entered", call: work.call });
    if (work.call.status !== "validating") return; // an observer cancelled it
    if (!examined.ok) settle(work, failed(examined.code, examined.message));
    else if (!added.ok) settle(work, cancelled("need_failed", `(${added.need})`));
    else clear(work);
  }

  /** May it run: yes, no, or a question to the user. */
  function clear(work: Work) {
    const plan = work.plan!;
    if (bowsToHold(work) && isHeld()) return settle(work, cancelled("held"));
    work.judgedBy = rulebook.version;
    const { decision, because, message, offer } = rulebook.judge(plan);
    if (decision === "deny") return settle(work, failed("denied", message ?? `Denied: ${because}.`));
    if (decision === "allow") return release(work);
    if (work.request.by === "human") {
      work.isApproved = true;
      return release(work);
    }
    if (!ports.canAsk()) return settle(work, failed("nobody_to_ask", `${ERRORS.nobody_to_ask} (${because})`));
    whenWorded(plan, (wording) => {
      if (work.call.status !== "validating") return; // it was cancelled while its files were looked at
      const shown = shownWording(wording, redact);
      if (shown === undefined) settle(work, failed("too_long", tooLong(wording)));
      else approvals.ask(work, { wording: shown, because, offer });
    });
  }

  return take;
}

/** The answer to a request that never became a call of this scheduler. */
export function unaccepted(request: CallRequest, stop: Stop, endedAt: number): SettledCall {
  return { ...stop, request, endedAt, effect: "none", output: NO_OUTPUT };
}

function newWork(batch: Batch, index: number, request: CallRequest): Work {
  return {
    request,
    batch,
    index,
    call: { status: "validating", request },
    plan: undefined,
    asked: undefined,
    execution: undefined,
    isApproved: false,
    approved: undefined,
    isIntended: false,
    judgedBy: 0,
  };
}
