import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type Envelope, evolve, type Plan, problemOf, UNBORN } from "../../core/run/index.ts";
import type { Stored } from "../../engine/index.ts";

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
    if (!isPlanEntry(entry.data)) {
      damaged.push(`the entry ${entry.id} of this session cannot be read`);
      continue;
    }
    const { seq, at, by, v, event } = entry.data;
    run = entry.data.run;
    if (event.type === "run.began") state = UNBORN;
    else state = evolve(state, { seq, at, by, v, event } as Envelope);
  }
  return { plan: state.plan, damaged, ...(run !== undefined && { run }) };
}

/** How far the log of a run has been copied into the session, on whatever branch. */
export function mirroredUpTo(session: Pick<SessionManager, "getEntries">, run: string): number {
  return session.getEntries().reduce((most, entry) => {
    const data = entry.type === "custom" && entry.customType === PLAN_ENTRY ? entry.data : undefined;
    return isPlanEntry(data) && data.run === run ? Math.max(most, data.seq) : most;
  }, 0);
}

/** What is copied: changes of the plan, and where a run begins (with the list it carries on). */
export function planEntries(run: string, events: readonly Stored[]): readonly PlanEntry[] {
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

function isPlanEntry(data: unknown): data is PlanEntry {
  if (!isRecord(data) || !isRecord(data.event)) return false;
  const { run, seq, event } = data;
  if (typeof run !== "string" || typeof seq !== "number" || typeof event.type !== "string") return false;
  return event.type === BEGAN.type || problemOf({ ...event, type: event.type }) === undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
