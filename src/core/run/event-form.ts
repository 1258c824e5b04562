import { OUTCOMES } from "../call/index.ts";
import { STOP, WAIT } from "../reason/index.ts";
import { ATTEMPTS } from "../speaker/index.ts";
import type { RunEvent } from "./event.ts";

/**
 * What an event of the log has to look like before it is believed: a row may come from a later version, from a hand, or
 * from a disk that failed. The table names every field of every event, so that a new one cannot be forgotten.
 */
export function problemOf(event: { readonly type: string }): string | undefined {
  const form = Object.hasOwn(FORMS, event.type) ? FORMS[event.type as RunEvent["type"]] : undefined;
  if (form === undefined) return `"${event.type.slice(0, 100)}" is not an event that this version knows`;
  const wrong = misfit(form, event) ?? misfit(SAID, event);
  return wrong === undefined ? undefined : `"${event.type}" has no readable '${wrong}'`;
}

type Kind = (value: unknown) => boolean;
type Form = readonly (readonly [field: string, kind: Kind])[];
type Fields<E> = { readonly [K in Exclude<keyof E, "type">]-?: Kind };

function misfit(form: Form, value: object): string | undefined {
  for (const [field, fits] of form) if (!fits((value as Record<string, unknown>)[field])) return field;
  return undefined;
}

const text: Kind = (value) => typeof value === "string";
const number: Kind = (value) => Number.isFinite(value);
const amount: Kind = (value) => Number.isFinite(value) && (value as number) >= 0;
const flag: Kind = (value) => typeof value === "boolean";
const maybe =
  (kind: Kind): Kind =>
  (value) =>
    value === undefined || kind(value);
const either =
  (...kinds: readonly Kind[]): Kind =>
  (value) =>
    kinds.some((kind) => kind(value));
const oneOf =
  (...values: readonly string[]): Kind =>
  (value) =>
    values.includes(value as string);
const list =
  (kind: Kind): Kind =>
  (value) =>
    Array.isArray(value) && value.every(kind);
const object = (fields: Readonly<Record<string, Kind>>): Kind => {
  const form = Object.entries(fields);
  return (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && misfit(form, value) === undefined;
};
const record =
  (kind: Kind): Kind =>
  (value) =>
    typeof value === "object" && value !== null && Object.values(value).every(kind);

const texts = list(text);
const timebase = object({ boot: text, zero: number });
const check = object({
  run: either(text, texts),
  cwd: maybe(text),
  timeoutMs: maybe(number),
  by: oneOf("human", "plan", "model"),
  allowed: maybe(flag),
});
const todo = object({
  id: text,
  text,
  status: oneOf("not_started", "in_progress", "blocked", "completed", "abandoned"),
  priority: oneOf("high", "medium", "low"),
  needs: texts,
  checks: list(check),
  covers: texts,
  touches: texts,
  askFirst: flag,
  by: oneOf("human", "plan", "model"),
  reason: maybe(text),
});
const path = list(object({ workflowKey: text, phaseIndex: amount, phaseId: text }));
const phase = object({
  id: text,
  name: text,
  emoji: text,
  instructions: text,
  tools: object({ rule: oneOf("all", "except", "only"), tools: maybe(texts) }),
  availableProfiles: texts,
  checks: list(check),
  todos: list(object({ text, priority: text, checks: list(check), askFirst: flag })),
});
const forest = list(object({ key: text, name: text, phases: list(either(object({ subworkflow: text }), phase)) }));
const workflow = object({
  status: oneOf("active", "finished", "cancelled"),
  workflowKey: text,
  forest,
  description: text,
  taskId: text,
  path,
  moves: amount,
  summaries: list(object({ phaseName: text, text })),
  visited: texts,
});
const budget = record(amount);
const requirement = object({ id: text, text });
const failure = object({
  kind: oneOf("rate_limit", "overload", "context_full", "host_limit", "refused", "other"),
  message: text,
  resetAt: maybe(number),
  resumeAt: maybe(number),
});
const usage = object({ input: amount, output: amount, cacheRead: amount, cacheWrite: amount, cost: amount });
const nudgeKind = oneOf("todo", "phase", "requirement", "write_list", "question", "wind_down");
/** A name of a table; golden logs show that none is ever taken out of it. */
const named =
  (table: () => object): Kind =>
  (value) =>
    typeof value === "string" && Object.hasOwn(table(), value);
const stopReason = named(() => STOP);
const decision = either(
  object({
    type: oneOf("continue"),
    kind: nudgeKind,
    step: object({ type: oneOf("todo", "phase", "requirement", "write_list") }),
    after: number,
    rule: text,
  }),
  object({ type: oneOf("wait"), reason: named(() => WAIT), until: maybe(number), detail: maybe(text), rule: text }),
  object({ type: oneOf("stop"), reason: stopReason, detail: maybe(text), rule: text }),
);
const receipt = object({
  key: text,
  owner: text,
  command: text,
  status: oneOf("passed", "failed", "timed_out", "cut_short", "not_runnable", "observed"),
  exit: maybe(number),
  durationMs: number,
  workspace: maybe(text),
  tail: text,
  suspect: flag,
  doubt: maybe(text),
  beside: maybe(texts),
});
const approval = object({
  call: text,
  tool: text,
  what: text,
  digest: maybe(text),
  because: text,
  askedAt: number,
  endsAt: number,
});

const SAID: Form = Object.entries({
  from: maybe(object({ via: text, host: maybe(text), tty: maybe(text), unclear: maybe(text), marks: maybe(texts) })),
});

const FIELDS: { readonly [T in RunEvent["type"]]: Fields<Extract<RunEvent, { readonly type: T }>> } = {
  "run.began": {
    run: text,
    origin: object({ host: text, session: text, cwd: text }),
    goal: maybe(text),
    budget,
    checks: list(check),
    requirements: list(requirement),
    seesCalls: flag,
    workspace: maybe(text),
    timebase: maybe(timebase),
  },
  "run.bound": { host: text, session: text },
  "run.claimed": { driver: text, epoch: amount },
  "run.launched": {
    launch: object({
      host: maybe(text),
      agent: maybe(text),
      hostArgs: maybe(texts),
    }),
  },
  "run.ended": { reason: text },
  "run.reopened": { boundary: text },
  "plan.rebased": { plan: object({ todos: list(todo), workflow: maybe(workflow) }) },
  "continuation.switched": { on: flag },
  "human.spoke": {},
  "human.held": { now: flag, batch: maybe(object({ id: text, cwd: text })) },
  "human.unheld": {},
  "human.resumed": {
    reasons: texts,
    resets: texts,
    boundary: maybe(text),
    budget: maybe(budget),
    checks: maybe(list(check)),
  },
  "human.interrupted": { how: text },
  "human.accepted": {},
  "budget.extended": { budget },
  "words.queued": { words: object({ id: text, text, kind: oneOf("steer", "follow-up") }) },
  "words.edited": { id: text, text },
  "words.removed": { id: text },
  "words.sent": { ids: texts },
  "words.delivered": { ids: texts },
  "words.failed": { ids: texts, message: text, lost: maybe(flag) },
  "turn.started": { turn: text, cause: oneOf("human", "nudge", "host"), todo: maybe(text) },
  "turn.ended": {
    turn: text,
    end: maybe(text),
    boundary: text,
    outcome: oneOf("completed", "aborted", "failed"),
    failure: maybe(failure),
    question: flag,
    asks: maybe(object({ kind: oneOf("continue", "question", "act"), text })),
    usage,
    activeMs: amount,
    workspace: maybe(text),
    todo: maybe(text),
  },
  "turn.braked": { turn: text, reason: stopReason, detail: maybe(text), how: oneOf("after_tool", "now") },
  "answer.seen": {
    turn: text,
    usage,
    estimated: maybe(flag),
    cut: maybe(flag),
    calls: maybe(amount),
    workspace: maybe(text),
    unpriced: maybe(flag),
    todo: maybe(text),
  },
  "answer.growing": { turn: text, usage },
  "result.seen": { turn: maybe(text), call: text, tool: maybe(text), state: maybe(text) },
  "usage.spent": { usage, todo: maybe(text) },
  "turn.resumed": { turn: text, of: text },
  "turn.cut": { turn: text, boundary: text },
  "workspace.observed": { workspace: text },
  "tool.began": { turn: text },
  "activity.seen": { turn: maybe(text), call: maybe(text), state: maybe(text), looked: maybe(flag) },
  "question.opened": { id: text, text: maybe(text) },
  "question.closed": { id: text },
  "recovery.began": { until: number },
  "recovery.ended": {},
  "compaction.began": { until: number },
  "compaction.ended": {},
  "background.changed": { agents: amount, awaited: amount, commands: maybe(amount), until: number },
  "model.chosen": { model: maybe(text), baseUrl: maybe(text) },
  "mode.changed": { readOnly: flag },
  "decision.made": { boundary: text, decision },
  "wait.parked": { boundary: text, waker: text, forHuman: maybe(flag) },
  "nudge.intended": { nudge: text, boundary: text, kind: nudgeKind },
  "nudge.delivered": { nudge: text },
  "nudge.failed": { nudge: text, message: text },
  "nudge.withdrawn": { nudge: text, why: text },
  "round.began": {
    round: text,
    purpose: oneOf("complete", "finish", "phase"),
    ids: texts,
    until: number,
    leaving: maybe(object({ stay: text, summary: maybe(text) })),
  },
  "round.ended": { round: text, receipts: list(receipt), cut: maybe(text), again: maybe(flag) },
  "check.observed": { receipt },
  "guard.taken": { guard: text, owners: texts },
  "host.failed": { where: text, message: text },
  "clock.moved": { by: number, timebase },
  "config.dropped": { files: list(object({ file: text, line: maybe(number), says: text })) },
  "attempt.refused": { attempt: named(() => ATTEMPTS), text, because: text, isLast: maybe(flag) },
  "host.left": {},
  "todos.written": {
    mode: oneOf("replace", "append", "insert"),
    items: list(todo),
    order: texts,
    dropped: texts,
    batch: maybe(text),
  },
  "todo.started": { ids: texts },
  "todo.completed": { ids: texts },
  "todo.abandoned": { ids: texts, reason: text },
  "todo.blocked": { ids: texts, reason: text },
  "todo.reopened": { ids: texts, to: oneOf("not_started", "in_progress") },
  "todo.released": { ids: texts },
  "todo.changed": { id: text, text: maybe(text), priority: maybe(oneOf("high", "medium", "low")) },
  "todo.moved": { id: text, to: amount },
  "todo.removed": { ids: texts },
  "workflow.started": {
    workflowKey: text,
    forest,
    fingerprint: text,
    description: text,
    taskId: text,
    startedAt: number,
    path,
  },
  "phase.entered": { path, summary: maybe(text) },
  "workflow.looped": { path, summary: maybe(text) },
  "workflow.finished": { summary: maybe(text) },
  "workflow.cancel_requested": { turn: text },
  "workflow.cancel_withdrawn": {},
  "workflow.cancelled": { summary: maybe(text) },
  "approval.requested": { approval },
  "approval.answered": {
    call: text,
    outcome: named(() => OUTCOMES),
    words: text,
    digest: maybe(text),
    what: maybe(text),
  },
  "call.intended": { call: text, tool: text, what: text, writes: texts, attempt: amount, digest: maybe(text) },
  "call.settled": { call: text, tool: text, status: text, code: maybe(text), effect: text, digest: text },
  "call.cut": { call: text, tool: text, what: text, effect: text },
  "call.late": { call: text, effect: text },
  "batch.settled": { batch: text, counts: record(amount), digests: texts, omitted: amount },
};

const FORMS = Object.fromEntries(
  Object.entries(FIELDS).map(([type, fields]) => [type, Object.entries(fields)]),
) as unknown as Readonly<Record<RunEvent["type"], Form>>;
