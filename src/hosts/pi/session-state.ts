import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type Envelope, evolve, isUnread, type Plan, readRow, UNBORN } from "../../core/run/index.ts";

type SessionManager = ExtensionContext["sessionManager"];

/** pi's session holds a copy of every plan event, so that its tree, forks and copies of the file carry the list. */
export const PLAN_ENTRY = "til-done-plan";

/** An event of the log as a session entry: `run` and `seq` are its id there. */
export interface PlanEntry {
  readonly run: string;
  readonly seq: number;
  readonly v: number;
  readonly at: number;
  readonly by: string;
  readonly event: { readonly type: string };
}

export interface BranchPlan {
  readonly plan: Plan;
  /** The run whose events stand last on the branch. */
  readonly run?: string;
  /** What could not be read, in words. */
  readonly damaged: readonly string[];
}

/** The list as the current branch tells it. A damaged entry is left out and named; it never shifts the others. */
export function planOnBranch(session: Pick<SessionManager, "getBranch">): BranchPlan {
  let state = UNBORN;
  let run: string | undefined;
  const damaged: string[] = [];
  for (const entry of session.getBranch()) {
    if (entry.type !== "custom" || entry.customType !== PLAN_ENTRY) continue;
    const read = readEntry(entry.data);
    if (!read) {
      damaged.push(`the entry ${entry.id} of this session cannot be read`);
      continue;
    }
    run = read.run;
    state = read.envelope ? evolve(state, read.envelope) : UNBORN;
  }
  return { plan: state.plan, damaged, run };
}

/** How far the log of a run has been copied into the session, on whatever branch. */
export function mirroredUpTo(session: Pick<SessionManager, "getEntries">, run: string): number {
  return session.getEntries().reduce((most, entry) => {
    const read = entry.type === "custom" && entry.customType === PLAN_ENTRY ? readEntry(entry.data) : undefined;
    return read?.run === run ? Math.max(most, read.seq) : most;
  }, 0);
}

/** What is copied: changes of the plan, and where a run begins (with the list it carries on). */
export function planEntries(run: string, events: readonly Envelope[]): readonly PlanEntry[] {
  const begins = events.some(({ event }) => event.type === "run.began");
  return events
    .filter(({ event: { type } }) => isPlanEvent(type) || (begins && (type === "run.began" || type === "plan.rebased")))
    .map(({ seq, at, by, v, event }) => ({ run, seq, v, at, by, event: event.type === "run.began" ? BEGAN : event }));
}

const BEGAN = { type: "run.began" };

const isPlanEvent = (type: string): boolean => /^(todos?|workflow|phase)\./.test(type);

/** Ids of the nudges and queued words that this session holds, on whatever branch: what it holds was delivered. */
export function heldMessages(session: Pick<SessionManager, "getEntries">, run: string): readonly string[] {
  return session.getEntries().flatMap((entry) => {
    if (entry.type !== "custom_message" || !isRecord(entry.details)) return [];
    const { run: owner, nudge, words } = entry.details;
    if (typeof words === "string") return [words]; // their ids are never used twice, whatever the run
    return owner === run && typeof nudge === "string" ? [nudge] : [];
  });
}

/** Ids of the calls on this branch whose results it does not hold. */
export function unansweredCalls(session: Pick<SessionManager, "getBranch">): readonly string[] {
  const waiting = new Set<string>();
  for (const entry of session.getBranch()) {
    if (entry.type !== "message") continue;
    const { message } = entry;
    if (message.role === "toolResult") waiting.delete(message.toolCallId);
    if (message.role !== "assistant") continue;
    for (const part of message.content) if (part.type === "toolCall") waiting.add(part.id);
  }
  return [...waiting];
}

/** Without an envelope: a run begins here. Undefined: it cannot be read. */
function readEntry(data: unknown): { run: string; seq: number; envelope?: Envelope } | undefined {
  if (!isRecord(data) || !isRecord(data.event)) return undefined;
  const { run, seq, at, by, v, event } = data;
  if (typeof run !== "string" || typeof seq !== "number") return undefined;
  if (event.type === BEGAN.type) return { run, seq };
  const read = readRow({ seq, at: Number(at), by: String(by), v: Number(v), event });
  return isUnread(read) ? undefined : { run, seq, envelope: read };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
