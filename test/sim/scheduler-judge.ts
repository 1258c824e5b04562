// What must hold of the scheduler, judged from outside: by its updates, its journal and what the tools themselves saw.
import {
  type Call,
  type CallEvent,
  type CallRequest,
  type CallStatus,
  type Claim,
  conflict,
  isSettled,
  NEXT,
  type SettledCall,
} from "../../src/core/call/index.ts";
import type { Update } from "../../src/scheduler/index.ts";

/** A call as the judge knows it. */
interface Known {
  readonly request: CallRequest;
  readonly rank: number;
  claims: readonly Claim[];
  readonly exclusive: boolean;
  writes: boolean;
  status: CallStatus;
  settled: number;
  /** A denial of the user stands against it. */
  isDenied: boolean;
  /** Its tool asked the user: the time until the question is in the log is not judged. */
  hasAsked: boolean;
  executingSince: number;
  workedMs: number;
}

/** A tool at work, as the tool itself knows. */
interface AtWork {
  readonly id: string;
  readonly claims: readonly Claim[];
  readonly exclusive: boolean;
  /** When its call was ended without it. */
  givenUpAt: number | undefined;
}

export interface Manner {
  readonly claims: (args: unknown) => readonly Claim[];
  readonly exclusive: boolean;
  readonly writes: (args: unknown) => boolean;
  readonly isOwn: boolean;
}

export interface JudgeOptions {
  readonly now: () => number;
  readonly slots: number;
  readonly graceMs: number;
  readonly lateMs: number;
  readonly manner: (tool: string) => Manner | undefined;
}

const RANK = { high: 0, medium: 1, low: 2 } as const;

export function createJudge({ now, slots, graceMs, lateMs, manner }: JudgeOptions) {
  const broken: string[] = [];
  const known = new Map<string, Known>();
  const atWork = new Set<AtWork>();
  const requested = new Set<string>();
  const intended = new Map<string, number>();
  const outcomes = new Map<string, number>();
  const mustEndBy = new Map<string, number>();
  let seq = 0;
  let isHeld = false;

  const say = (what: string) => broken.push(`@${now()} ${what}`);

  function update(update: Update): void {
    if (update.seq !== ++seq) say(`update ${update.seq} came where ${seq} was due`);
    if (update.type === "call.entered") entered(update.call);
    if (update.type === "call.printed" && isSettled(known.get(update.id)?.status ?? "success"))
      say(`${update.id} printed after its end`);
    if (update.type === "calls.settled" && [...known.values()].some(({ status }) => !isSettled(status)))
      say("all settled was told while something was not");
  }

  function entered(call: Call): void {
    const { id } = call.request;
    const before = known.get(id);
    if (before === undefined) {
      if (call.status !== "validating") say(`${id} began as ${call.status}`);
      const how = manner(call.request.tool);
      known.set(id, {
        request: call.request,
        rank: known.size,
        claims: how?.claims(call.request.args) ?? [],
        exclusive: how?.exclusive ?? false,
        writes: how?.writes(call.request.args) ?? false,
        status: call.status,
        settled: 0,
        isDenied: false,
        hasAsked: false,
        executingSince: 0,
        workedMs: 0,
      });
      return;
    }
    const ways: readonly CallStatus[] = NEXT[before.status];
    if (!ways.includes(call.status)) say(`${id} went from ${before.status} to ${call.status}`);
    if (before.status === "executing") before.workedMs += now() - before.executingSince;
    if (call.status === "executing") before.executingSince = now();
    if (call.status === "awaiting_approval" && !requested.has(id)) say(`${id} asks, and the log does not know it`);
    if (before.status === "awaiting_approval" && call.status === "scheduled" && before.isDenied)
      say(`${id} was denied and released`);
    before.status = call.status;
    before.claims = manner(call.request.tool)?.claims(call.request.args) ?? [];
    before.writes = manner(call.request.tool)?.writes(call.request.args) ?? false;
    if (isSettled(call.status)) ended(before, call as SettledCall);
    const working = [...known.values()].filter(({ status }) => status === "executing").length;
    if (working > slots) say(`${working} calls are executing, ${slots} may`);
  }

  function ended(call: Known, settled: SettledCall): void {
    const { id, deadlineMs } = call.request;
    if (++call.settled > 1) say(`${id} was settled twice`);
    const by = mustEndBy.get(id);
    if (by !== undefined && now() > by) say(`${id} was to end by ${by}`);
    if (deadlineMs !== undefined && !call.hasAsked && call.workedMs > deadlineMs + graceMs)
      say(`${id} worked ${call.workedMs} ms of ${deadlineMs}`);
    if (settled.status !== "success" && settled.effect === "unknown")
      for (const work of atWork) if (work.id === id) work.givenUpAt = now();
  }

  /** A tool begins: is it its turn? */
  function began(id: string, attempt: number): AtWork {
    const call = known.get(id)!;
    const mine: AtWork = { id, claims: call.claims, exclusive: call.exclusive, givenUpAt: undefined };
    const how = manner(call.request.tool)!;
    if (call.status !== "executing") say(`the tool of ${id} began while it was ${call.status}`);
    if (call.isDenied) say(`the tool of ${id} began although it was denied`);
    const bows = !how.isOwn && call.request.by !== "human"; // a hold is a word to the agent
    if (isHeld && bows && attempt === 1) say(`the tool of ${id} began under a hold`);
    if (call.writes && intended.get(id) !== attempt) say(`the tool of ${id} began before its intent was in the log`);
    for (const need of call.request.needs ?? [])
      if (known.get(need)?.status !== "success") say(`${id} began before ${need}, which it needs`);
    for (const other of present()) {
      if (other.id === id) continue;
      if (other.exclusive || mine.exclusive) say(`${id} and ${other.id} are at work, and one of them is exclusive`);
      if (overlap(other.claims, mine.claims)) say(`${id} and ${other.id} are at work on the same path`);
    }
    if (!call.writes && attempt === 1) judgeOrder(call);
    atWork.add(mine);
    return mine;
  }

  /** Calls that are written down before they begin are left out: it cannot be seen from outside when their turn came. */
  function judgeOrder(call: Known): void {
    for (const other of known.values()) {
      if (other === call || other.writes || other.status !== "scheduled" || !goesBefore(other, call)) continue;
      if (isReady(other)) say(`${call.request.id} began before ${other.request.id}, which was ready and goes first`);
    }
  }

  function isReady(call: Known): boolean {
    if ((call.request.needs ?? []).some((need) => known.get(need)?.status !== "success")) return false;
    // two tools that are given up in the same moment free their paths one after the other
    for (const other of present(now() - 1)) if (overlap(other.claims, call.claims)) return false;
    for (const other of known.values()) {
      if (other.rank >= call.rank || other === call || isSettled(other.status)) continue;
      if (overlap(other.claims, call.claims)) return false;
    }
    return true;
  }

  function present(at = now()): readonly AtWork[] {
    return [...atWork].filter(({ givenUpAt }) => givenUpAt === undefined || at < givenUpAt + lateMs);
  }

  function journal(events: readonly CallEvent[]): void {
    for (const event of events) {
      if (event.type === "approval.requested") requested.add(event.approval.call);
      if (event.type === "call.intended") intended.set(event.call, event.attempt);
      if (event.type === "call.settled") outcomes.set(event.call, (outcomes.get(event.call) ?? 0) + 1);
    }
  }

  return {
    broken,
    update,
    journal,
    began,
    returned: (work: AtWork) => atWork.delete(work),
    hold: (held: boolean) => {
      isHeld = held;
    },
    asked: (id: string) => {
      known.get(id)!.hasAsked = true;
    },
    denied: (id: string) => {
      const call = known.get(id);
      if (call?.status === "awaiting_approval") call.isDenied = true;
    },
    /** Everything that is not settled now must be within the grace. */
    cancelled: (ids?: readonly string[]) => {
      for (const [id, { status }] of known)
        if (!isSettled(status) && (ids?.includes(id) ?? true))
          mustEndBy.set(id, Math.min(now() + graceMs, mustEndBy.get(id) ?? Infinity));
    },
    results(requests: readonly CallRequest[], results: readonly SettledCall[]): void {
      if (results.length !== requests.length) say(`${requests.length} requests, ${results.length} results`);
      for (const [index, request] of requests.entries())
        if (results[index]?.request.id !== request.id) say(`result ${index} is not that of ${request.id}`);
    },
    /** The end: nothing may be open. `isJournalWhole`: every append was taken. */
    end(isJournalWhole: boolean): void {
      for (const [id, { settled, status }] of known)
        if (settled !== 1) say(`${id} ended as ${status}, settled ${settled} times`);
      if (!isJournalWhole) return;
      for (const id of intended.keys())
        if (outcomes.get(id) !== 1) say(`${id}: an intent with ${outcomes.get(id) ?? 0} outcomes in the log`);
    },
  };
}

const overlap = (a: readonly Claim[], b: readonly Claim[]) => a.some((one) => b.some((other) => conflict(one, other)));

const goesBefore = (a: Known, b: Known): boolean => {
  const [p, q] = [RANK[a.request.priority ?? "medium"], RANK[b.request.priority ?? "medium"]];
  return p === q ? a.rank < b.rank : p < q;
};

export type Judge = ReturnType<typeof createJudge>;
