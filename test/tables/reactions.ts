import { DEFAULTS } from "../../src/core/continuation/index.ts";
import { type Context, type Reaction, react, type Trigger } from "../../src/core/react/index.ts";
import type { Envelope, Run } from "../../src/core/run/index.ts";
import { aBoundary, aFailure, aReceipt, aRun, todos } from "../../src/testing/index.ts";
import { aFirstResult } from "../builders/a-first-result.ts";
import { FOREST } from "../sim/forest.ts";
import { heading, mark, short } from "./print.ts";
import { aTurn, NOW, PACE, SITUATIONS, walking } from "./situations.ts";

/** Ordinary runs, with nothing set but what the name says; and those in which everything is. */
const { waiting: _wait, watched: _watched, ...FULL } = SITUATIONS;
const RUNS: Readonly<Record<string, () => Run>> = {
  ...FULL,
  "at work": () => aRun({ todos: OPEN, turn: { ...PLAIN_TURN, todo: "t3" }, boundary: undefined } as never),
  "at work, after answers": () =>
    aRun({
      todos: OPEN,
      turn: { ...PLAIN_TURN, pace: { ...PLAIN_TURN.pace, answers: 2, growing: PACE.growing! } },
      boundary: undefined,
    } as never),
  settled: () => aRun({ todos: OPEN, boundary: aBoundary({ id: "b1", status: "open", at: NOW - 10 }) }),
  "in a workflow": () =>
    aRun({
      workflow: walking(),
      turn: PLAIN_TURN,
      boundary: undefined,
      workspace: "w1",
      phaseWorkspace: "w1",
      guards: { run: "g1" },
      approvals: [{ call: "c1", tool: "shell", what: "rm a" }],
      checks: [{ run: "npm test", by: "human" }],
    } as never),
  "counting down": () =>
    aRun({
      guards: { run: "g1", t1: "g1", t2: "g1", t3: "g1" },
      todos: OPEN,
      boundary: aBoundary({ status: "countdown", until: NOW + 2000 }),
      decision: {
        type: "continue",
        kind: "todo",
        step: { type: "todo", id: "t2", index: 1 },
        after: 3000,
        rule: "todos are open",
      },
    }),
  "waiting with a message": () =>
    aRun({
      todos: OPEN,
      words: [
        { id: "w1", text: "Use tabs", kind: "steer" },
        { id: "w2", text: "Then rest", kind: "follow-up" },
      ],
      sending: ["w1"],
      unsent: { tries: 8, at: NOW - 10 },
      boundary: aBoundary({ status: "waiting" }),
      decision: { type: "wait", reason: "human", rule: "your message comes first" },
    }),
  "parked with a message": () =>
    aRun({
      todos: OPEN,
      words: [{ id: "w1", text: "Use tabs", kind: "steer" }],
      boundary: aBoundary({ status: "parked" }),
      decision: { type: "wait", reason: "human", rule: "your message comes first" },
    }),
  "sent on": () =>
    aRun({
      todos: OPEN,
      nudge: { id: "b1", boundary: "b1", kind: "todo", status: "delivered" },
      boundary: aBoundary({ status: "nudged" }),
    }),
  "stopped in doubt": () =>
    aRun({
      todos: todos({ status: "completed", checks: [{ run: "lint", by: "model" }] }),
      todoLedgers: {},
      abandoned: ["t7"],
      boundary: aBoundary({ status: "stopped" }),
      decision: { type: "stop", reason: "done_with_doubt", rule: "finished" },
    }),
  interrupted: () =>
    aRun({
      todos: OPEN,
      interrupt: { turn: "turn-0" },
      words: [{ id: "w1", text: "Use tabs", kind: "steer" }],
      boundary: aBoundary({ status: "stopped" }),
      decision: { type: "stop", reason: "interrupted", rule: "stopped by you" },
    }),
  finished: () =>
    aRun({
      todos: todos({ status: "completed", checks: [{ run: "make", by: "human" }] }),
      checks: [{ run: "npm test", by: "human" }],
      rounds: 2,
      boundary: aBoundary({ status: "open" }),
    }),
  verifying: () =>
    aRun({
      todos: todos({ status: "completed", checks: [{ run: "make", by: "human" }] }, "in_progress"),
      checks: [{ run: "npm test", by: "human" }],
      verifying: { round: "r3", purpose: "complete", ids: ["t1", "t2"], by: "model", until: NOW },
      rounds: 3,
      boundary: aBoundary({ status: "waiting", until: NOW }),
      decision: { type: "wait", reason: "verifying", until: NOW, rule: "checks are running" },
    }),
};

const PLAIN_TURN = {
  ...aTurn(),
  cause: "human",
  held: false,
  braked: undefined,
  pace: { ...PACE, phase: "model", answers: 0, same: undefined, growing: undefined, overdrawn: false, unpriced: false },
} as const;

const OPEN = todos(
  "completed",
  { status: "in_progress", text: "b", checks: [{ run: "make", by: "human" }] },
  "not_started",
);

const foreign = (by: Envelope["by"], event: Envelope["event"]): Envelope => ({ seq: 9, at: NOW, by, v: 1, event });

/** Who tells, and where it makes a difference: the process that drives the run, one that lives for one event, one who only says something. */
const TELLERS: Readonly<Record<string, { readonly context: Partial<Context>; readonly in: readonly string[] }>> = {
  driver: { context: {}, in: Object.keys(RUNS) },
  hook: {
    context: { waker: "the next event", delivery: "in the answer", mayCheck: true },
    in: ["nudged", "at work", "settled", "waiting with a message", "parked with a message", "sent on"],
  },
  "silent hook": {
    context: { waker: "the next event", delivery: "not now", mayNudge: false, mayCheck: false },
    in: ["settled", "parked with a message", "finished"],
  },
  bystander: { context: { role: "bystander" }, in: ["working", "stopped in doubt"] },
  listener: {
    context: {
      dropped: [{ file: "config.json", says: "it is not read" }],
      foreign: [
        foreign("human", { type: "words.queued", words: { id: "w1", text: "Use tabs", kind: "steer" } }),
        foreign("human", { type: "human.held", now: false }),
      ],
    },
    in: ["bare", "at work", "interrupted", "working"],
  },
};

const usage = { input: 1500, output: 600, cacheRead: 3, cacheWrite: 4, cost: 0.25 };
const words = { id: "w9", text: "More", kind: "steer" } as const;
const start = {
  workflowKey: "release",
  forest: FOREST,
  fingerprint: "f",
  description: "d",
  taskId: "k",
  whenActive: "refuse",
} as const;
const LONG = "x".repeat(3000);
const approval = { call: "c5", tool: "shell", what: "ls", because: "rule", askedAt: NOW, endsAt: NOW + 5 };

const TRIGGERS: readonly Trigger[] = [
  { type: "todos.write", write: { mode: "append", todos: [{ text: "new", check: "make" }] }, by: "model", guard: "g9" },
  {
    type: "todos.write",
    write: { mode: "replace", todos: [{ text: "b" }, { text: "new" }] },
    by: "subagent",
    batch: "batch-1",
  },
  { type: "todos.write", write: { mode: "replace", todos: [] }, by: "model" },
  {
    type: "todos.write",
    write: { mode: "append", todos: [{ text: "n1" }, { text: "n2" }, { text: "n3" }, { text: "n4" }] },
    standing: ["done", "cancelled", "open", "in_progress"],
    by: "plan",
  },
  { type: "todos.edit", edit: { action: "start", indices: [1] }, by: "model", batch: "batch-1", guard: "g9" },
  { type: "todos.edit", edit: { action: "complete", indices: [1] }, by: "model" },
  { type: "todos.edit", edit: { action: "complete", indices: [1] }, by: "model", batch: "batch-1" },
  { type: "todos.edit", edit: { action: "complete", indices: [1] }, by: "model", batch: "batch-2" },
  { type: "todos.edit", edit: { action: "complete", indices: [0, 1] }, by: "model", guard: "g9" },
  { type: "todos.edit", edit: { action: "abandon", indices: [1], reason: "no" }, by: "subagent" },
  { type: "todos.human_edit", edit: { action: "done", indices: [1] } },
  { type: "todos.human_edit", edit: { action: "unblock", indices: [2] } },
  { type: "todos.human_edit", edit: { action: "release", indices: [4] } },
  { type: "todos.mirror", items: [{ text: "b", status: "completed" }], by: "model" },
  { type: "todos.mirror", items: [{ text: "b", status: "completed" }], by: "subagent" },
  { type: "plan.rebase", plan: { todos: todos("completed") } },
  { type: "workflow.start", start, workspace: "w4", guard: "g9" },
  { type: "workflow.step", action: "next", summary: "so", by: "model", workspace: "w1", guard: "g9" },
  { type: "workflow.step", action: "next", by: "human", workspace: "w9" },
  { type: "workflow.step", action: "loop", summary: "so", by: "model" },
  { type: "workflow.step", action: "cancel", summary: "so", by: "model" },
  { type: "workflow.step", action: "cancel", by: "human" },
  { type: "workflow.step", action: "status", by: "model" },
  { type: "goal.set", goal: "Another", guard: "g9" },

  { type: "human.spoke" },
  { type: "human.hold", now: false, batch: { id: "h1", cwd: "/p" } },
  { type: "human.hold", now: true },
  { type: "human.unhold" },
  { type: "human.resume" },
  {
    type: "human.resume",
    words,
    budget: { tokens: 100_000, cost: 100, minutes: 100 },
    checks: [{ run: "lint", by: "human" }],
  },
  { type: "human.interrupt", how: "key" },
  { type: "human.accept" },
  { type: "human.accept", checks: "run" },
  { type: "human.extend", budget: { tokens: 1000 } },
  { type: "human.extend", budget: { tokens: 0, cost: 1 } },
  { type: "human.clear" },
  { type: "human.answer", outcome: "once", words: "" },
  { type: "human.answer", call: "c1", outcome: "denied", words: "" },
  { type: "human.answer", call: "c2", outcome: "denied", words: "not that" },
  { type: "human.answer", call: "c2", outcome: "always_rule", words: "" },
  { type: "human.answer", call: "c1", outcome: "stopped", words: "why" },
  { type: "human.answer", call: "0123456789ab", outcome: "once", words: "" },
  { type: "human.answer", call: "nobody", outcome: "once", words: "" },
  { type: "continuation.switch", on: true },
  { type: "continuation.switch", on: false },
  { type: "words.queue", words },
  { type: "words.queue", words: { ...words, id: "w1" } },
  { type: "words.edit", id: "w3", text: "Changed" },
  { type: "words.edit", id: "w1", text: "Changed" },
  { type: "words.remove", id: "w3" },
  { type: "words.remove", id: "nobody" },
  { type: "words.delivered", ids: ["w1"] },
  { type: "words.failed", ids: ["w1"], message: LONG },
  { type: "words.send", ids: ["w1"] },

  { type: "turn.started", turn: "turn-9" },
  { type: "turn.started", turn: "turn-9", cause: "human", words: ["w1"] },
  { type: "turn.started", turn: "turn-9", cause: "nudge", nudge: "b4" },
  { type: "turn.started", turn: "turn-9", cause: "nudge", nudge: "b0" },
  { type: "turn.started", turn: "turn-2", cause: "host" },
  { type: "workspace.observed", workspace: "w9" },
  { type: "workspace.observed", workspace: "w1" },
  { type: "turn.ended", outcome: "completed", text: "Done." },
  {
    type: "turn.ended",
    outcome: "completed",
    text: "Which of the two, key=sk-ant-api03-abcdefghijklmnop?",
    usage,
    workspace: "w9",
    end: "end-9",
  },
  { type: "turn.ended", turn: "turn-4", outcome: "completed", text: "Shall I delete the database?" },
  { type: "turn.ended", turn: "turn-9", outcome: "aborted" },
  { type: "turn.ended", turn: "turn-2", outcome: "aborted" },
  { type: "turn.ended", outcome: "aborted" },
  { type: "turn.ended", outcome: "failed" },
  { type: "turn.ended", outcome: "failed", failure: aFailure("rate_limit", { resetAt: NOW + 600_000, message: LONG }) },
  { type: "turn.ended", outcome: "failed", failure: aFailure("rate_limit", { resetAt: NOW }) },
  { type: "turn.ended", outcome: "failed", failure: aFailure("context_full", { resetAt: Number.NaN }) },
  { type: "answer.seen", calls: 1, usage, workspace: "w9" },
  { type: "answer.seen", turn: "turn-9", estimated: true, cut: true, unpriced: true },
  { type: "answer.growing", usage },
  { type: "answer.growing", usage: { ...usage, input: 1416 } },
  { type: "answer.growing", turn: "turn-9", usage },
  { type: "call.seen", digest: "d9", workspace: "w1" },
  { type: "tool.began" },
  { type: "tool.began", turn: "turn-9" },
  { type: "turn.check" },
  { type: "call.seen", digest: "d1", tool: "read" },
  { type: "call.seen", digest: "d2", turn: "turn-4", tool: "read", workspace: "w9" },
  { type: "call.seen", digest: "d2", turn: "turn-9", workspace: "w1" },
  { type: "call.seen", digest: "own", own: true },
  { type: "call.seen", digest: "d3", command: { line: "lint", passed: true, output: LONG }, workspace: "w9" },
  { type: "call.seen", digest: "d3", command: { line: "npm test", passed: false } },
  { type: "usage.seen", usage },
  { type: "usage.seen", usage: { ...usage, input: -1, cost: Number.POSITIVE_INFINITY } },

  { type: "question.opened", id: "q9", text: LONG },
  { type: "question.opened", id: "q1" },
  { type: "question.closed", id: "q1" },
  { type: "recovery.began" },
  { type: "recovery.ended" },
  { type: "compaction.began" },
  { type: "compaction.ended" },
  { type: "background.changed", agents: 1, awaited: 2 },
  { type: "background.changed", agents: 1, awaited: 2, commands: 3 },
  { type: "background.changed", agents: -1, awaited: 1, commands: 1 },
  { type: "mode.changed", readOnly: true },
  { type: "mode.changed", readOnly: false },
  { type: "model.chosen", model: "m", baseUrl: "http://localhost" },
  { type: "model.chosen", model: "m" },
  { type: "model.chosen", model: "n", baseUrl: "http://localhost" },
  { type: "host.failed", where: "a hook", message: LONG },
  { type: "attempt.refused", attempt: "extend", text: LONG, because: "a check (process 9) started it" },
  { type: "human.press", hash: "h1" },
  { type: "human.press", hash: "h0" },
  { type: "human.press", hash: "h9" },
  { type: "notification.send", id: "n1", channel: "desktop", until: NOW + 9, buttons: [] },
  { type: "notification.send", id: "n1", channel: "slack", until: NOW + 9, buttons: [] },
  { type: "notification.send", id: "n1", channel: "webhook", until: NOW + 9, buttons: [] },
  { type: "notification.send", id: "n1", channel: "ntfy", until: NOW + 9, buttons: [] },
  { type: "notification.send", id: "n9", channel: "ntfy", until: NOW + 9, buttons: [] },
  {
    ...{ type: "notification.sent", id: "n1", channel: "ntfy", try: 2 },
    outcome: { status: "delivered", said: "HTTP 200" },
  },
  {
    ...{ type: "notification.sent", id: "n1", channel: "ntfy", try: 2 },
    outcome: { status: "failed", why: "HTTP 500", retryAt: NOW + 9 },
  },
  {
    ...{ type: "notification.sent", id: "n1", channel: "ntfy", try: 1 },
    outcome: { status: "failed", why: "HTTP 500" },
  },
  { type: "host.left" },
  { type: "run.open", driver: "one", goOn: true },
  { type: "run.open", driver: "one", goOn: false, delivered: ["w1"] },
  { type: "run.open", driver: "two", goOn: true, delivered: ["b4", "w1"], unanswered: ["c3"] },
  { type: "run.open", driver: "two", goOn: false },
  { type: "run.bind", host: "pi", session: "s2" },
  { type: "run.bind", host: "test", session: "s" },
  { type: "run.launch", launch: { host: "codex" } },
  { type: "timer.fired", boundary: "b1" },
  { type: "wait.parked", boundary: "b1", waker: "you" },
  { type: "nudge.delivered", nudge: "b4" },
  { type: "nudge.failed", nudge: "b4", message: LONG },
  { type: "nudge.withdraw", nudge: "b4", why: "you hold the run" },
  { type: "host.rechecked", before: { boundary: "b4" }, status: "ready", facts: [] },
  { type: "host.rechecked", before: { words: ["w1"] }, status: "busy" },
  { type: "turn.resume", ended: "turn-3", turn: "turn-9", why: "a call follows" },
  { type: "turn.resume", ended: "turn-3", turn: "turn-2", why: "a call follows" },
  { type: "round.ended", round: "r3", receipts: [aReceipt("t2", "make", { workspace: "w9" })] },
  {
    type: "round.ended",
    round: "r3",
    receipts: [
      aReceipt("t2", "make", { status: "failed", tail: LONG }),
      aReceipt("run", "npm test", { status: "failed" }),
    ],
  },
  { type: "round.ended", round: "r3", receipts: [aReceipt("t1", "make", { status: "failed" })] },
  { type: "round.ended", round: "r3", receipts: [], cut: "could not run" },
  { type: "check.tried", first: aFirstResult({ run: "make", by: "human" }) },
  { type: "check.tried", first: aFirstResult({ run: "make", by: "human" }, { decides: "place" }) },
  {
    type: "calls.journal",
    events: [
      { type: "approval.requested", approval },
      { type: "approval.answered", call: "c1", outcome: "timed_out", words: "" },
    ],
  },
  {
    type: "calls.journal",
    events: [{ type: "approval.answered", call: "c2", outcome: "denied", words: "", digest: "other" }],
  },
  { type: "log.moved" },
];

/** What follows from every request and every fact, in every run: the answer, what is written down, what is done. */
export function reactionTable(): string {
  return `${TRIGGERS.flatMap((trigger) => [heading(short(trigger)), ...outcomes(trigger)]).join("\n")}\n`;
}

function outcomes(trigger: Trigger): readonly string[] {
  const all = Object.entries(TELLERS).flatMap(([teller, { context, in: names }]) =>
    names.map((name) => ({ teller, name, text: outcome(react(RUNS[name]!(), trigger, contextOf(context))) })),
  );
  return [...Map.groupBy(all, ({ text }) => text)].flatMap(([text, where]) => [`  ${placesOf(where)}:`, text]);
}

const contextOf = (given: Partial<Context>): Context => ({
  now: NOW,
  limits: { ...DEFAULTS, perTodo: { tokens: 100_000, minutes: 60 } },
  role: "driver",
  runsChecks: true,
  allowsCheck: (line) => line === "make",
  ...given,
});

const placesOf = (where: readonly { readonly teller: string; readonly name: string }[]): string =>
  [...Map.groupBy(where, ({ teller }) => teller)]
    .map(([teller, of]) => `${teller} (${of.map(({ name }) => name).join(", ")})`)
    .join(" ");

/** In one line: the answer, what is written down (+), what is done (>). */
function outcome({ reply, events, effects }: Reaction): string {
  return [
    `    = ${named(wordless(reply))}`,
    ...events.map(({ by, event }) => `+${by} ${named(event)}`),
    ...effects.map((effect) => `>${named(wordless(effect))}`),
  ].join(" ");
}

function named(value: object): string {
  const { type, ...rest } = value as { readonly type: string };
  return Object.keys(rest).length === 0 ? type : `${type}${mark(rest)}`;
}

/** How it is said is another table's matter. */
const wordless = (value: object): object =>
  JSON.parse(JSON.stringify(value, (name, part: unknown) => (SAID.has(name) && isLong(part) ? undefined : part)));
const isLong = (part: unknown): boolean => typeof part === "string" && part.length > 15;
const SAID: ReadonlySet<string> = new Set(["text", "says", "notice", "message"]);
