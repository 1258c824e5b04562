import { type Actor, evolve, isUnread, type Run, type RunEvent, readRow, UNBORN } from "../../src/core/run/index.ts";
import { proposeWorkflow } from "../../src/core/workflow/index.ts";
import { aFailure, aReceipt, todos } from "../../src/testing/index.ts";
import { aFirstResult } from "../builders/a-first-result.ts";
import { aWorkflow, startOf } from "../builders/workflow.ts";
import { changesBetween, heading } from "./print.ts";
import { NOW, SITUATIONS, type Situation } from "./situations.ts";

const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: 0.25 };
const [, , , , item] = todos("completed", "completed", "completed", "completed", { text: "new", touches: ["b.ts"] });
const [late] = [{ ...item!, id: "t6", text: "late" }];
const path = [{ workflowKey: "release", phaseIndex: 1 }] as never;
const ended = {
  type: "turn.ended",
  turn: "turn-4",
  boundary: "b5",
  outcome: "completed",
  question: false,
  usage,
  activeMs: 5000,
} as const;
const answer = { type: "answer.seen", turn: "turn-4", usage } as const;
const wait = { type: "wait", reason: "backoff", until: NOW + 9, rule: "r" } as const;
const receipt = (given: Partial<ReturnType<typeof aReceipt>> = {}) =>
  aReceipt("t2", "make", { workspace: "w5", at: NOW, ...given });

const BUTTON = { hash: "h2", answer: "deny", until: NOW + 99 } as const;

/** Every event, who wrote it, and the variants that mean something else. */
type Row = readonly [by: Actor, event: RunEvent];

const aCheckpoint = (id: string) => ({
  ...{ id, tree: `tree:${id}`, facts: `facts-${id}`, changed: { files: 1, added: 2, removed: 3 }, ms: 4 },
});

export const EVENTS: readonly Row[] = [
  ["engine", { type: "run.bound", host: "pi", session: "s2" }],
  ["engine", { type: "run.claimed", driver: "two", epoch: 3 }],
  ["engine", { type: "run.claimed", driver: "old", epoch: 2 }],
  ["engine", { type: "run.launched", launch: { host: "codex" } }],
  ["engine", { type: "run.ended", reason: "all_done" }],
  ["human", { type: "run.reopened", boundary: "b5" }],
  ["host", { type: "plan.rebased", plan: { todos: todos("completed", "not_started") } }],
  [
    "host",
    {
      type: "plan.rebased",
      plan: {
        todos: [
          { ...item!, id: "t20" },
          { ...item!, id: "mine" },
        ],
      },
    },
  ],

  ["human", { type: "continuation.switched", on: true }],
  ["human", { type: "human.spoke" }],
  ["human", { type: "human.held", now: false }],
  ["human", { type: "human.unheld" }],
  ["human", { type: "human.resumed", reasons: [], resets: [] }],
  [
    "human",
    {
      type: "human.resumed",
      reasons: [],
      resets: [],
      boundary: "b5",
      budget: { tokens: 900 },
      checks: [{ run: "lint", by: "human" }],
    },
  ],
  ...(["hold", "interrupt", "switch", "failures", "progress", "questions", "list", "mode", "blocked"] as const).map(
    (reset): Row => ["human", { type: "human.resumed", reasons: [], resets: [reset] }],
  ),
  ["human", { type: "human.resumed", reasons: [], resets: ["of a later version" as never, "mode"] }],
  ["human", { type: "human.interrupted", how: "key" }],
  ["human", { type: "human.accepted" }],
  ["human", { type: "budget.extended", budget: { tokens: 50, continuations: 2 } }],
  ["human", { type: "budget.extended", budget: { minutes: 5 } }],
  ["human", { type: "words.queued", words: { id: "w4", text: "More", kind: "steer" } }],
  ["human", { type: "words.queued", words: { id: "w2", text: "Again", kind: "steer" } }],
  ["human", { type: "words.edited", id: "w3", text: "Changed" }],
  ["human", { type: "words.removed", id: "w1" }],
  ["engine", { type: "words.sent", ids: ["w1", "w3"] }],
  ["engine", { type: "words.delivered", ids: ["w1"] }],
  ["engine", { type: "words.failed", ids: ["w1"], message: "gone" }],

  ["host", { type: "turn.started", turn: "turn-5", cause: "human" }],
  ["host", { type: "turn.started", turn: "turn-5", cause: "nudge", todo: "t2" }],
  ["host", { type: "turn.started", turn: "turn-1", cause: "host" }],
  ["host", ended],
  ["host", { ...ended, turn: "turn-2", end: "end-1", todo: "t2", workspace: "w6" }],
  ["host", { ...ended, question: true, asks: { kind: "question", text: "Which?" } }],
  ["host", { ...ended, question: true, asks: { kind: "act", text: "Delete it?" } }],
  ["host", { ...ended, outcome: "aborted" }],
  ["host", { ...ended, outcome: "failed", failure: aFailure("overload") }],
  ["host", { ...ended, outcome: "failed", failure: aFailure("rate_limit", { resetAt: NOW + 5 }) }],
  ["host", answer],
  ["host", { ...answer, calls: 0, estimated: true, unpriced: true, workspace: "w6", todo: "t2" }],
  ["host", { ...answer, cut: true, todo: "t2" }],
  ["host", { ...answer, turn: "turn-1", todo: "t3" }],
  ["host", { type: "answer.growing", turn: "turn-4", usage }],
  ["host", { type: "answer.growing", turn: "turn-1", usage }],
  ["host", { type: "result.seen", call: "d1" }],
  ["host", { type: "result.seen", turn: "turn-4", call: "d1", tool: "read", state: "w2" }],
  ["host", { type: "result.seen", call: "d1", state: "w3" }],
  ["host", { type: "result.seen", turn: "turn-1", call: "d2" }],
  ["engine", { type: "turn.braked", turn: "turn-4", reason: "no_progress", detail: "why", how: "now" }],
  ["engine", { type: "turn.braked", turn: "turn-1", reason: "no_progress", how: "now" }],
  ["host", { type: "usage.spent", usage }],
  ["host", { type: "usage.spent", usage, todo: "t2" }],
  ["host", { type: "turn.resumed", turn: "turn-5", of: "turn-3" }],
  ["host", { type: "turn.resumed", turn: "turn-5", of: "turn-1" }],
  ["engine", { type: "turn.cut", turn: "turn-4", boundary: "b5" }],
  ["host", { type: "workspace.observed", workspace: "w7" }],
  ["host", { type: "tool.began", turn: "turn-4" }],
  ["host", { type: "tool.began", turn: "turn-1" }],
  ["host", { type: "activity.seen" }],
  ["host", { type: "activity.seen", turn: "turn-4", call: "d5", looked: true }],
  ["host", { type: "activity.seen", turn: "turn-4", state: "w8" }],
  ["host", { type: "activity.seen", turn: "turn-1", call: "d6", state: "w9" }],
  ["engine", { type: "decision.made", boundary: "b4", decision: wait }],
  ["engine", { type: "decision.made", boundary: "b4", decision: { type: "stop", reason: "held", rule: "r" } }],
  [
    "engine",
    {
      type: "decision.made",
      boundary: "b4",
      decision: { type: "continue", kind: "todo", step: { type: "write_list" }, after: 40, rule: "r" },
    },
  ],
  ["engine", { type: "decision.made", boundary: "b1", decision: wait }],
  ["engine", { type: "wait.parked", boundary: "b4", waker: "you" }],
  ["engine", { type: "wait.parked", boundary: "b4", waker: "you", forHuman: true }],
  ["engine", { type: "nudge.intended", nudge: "b4.1", boundary: "b4", kind: "todo" }],
  ["engine", { type: "nudge.delivered", nudge: "b4" }],
  ["engine", { type: "nudge.delivered", nudge: "b1" }],
  ["engine", { type: "nudge.failed", nudge: "b4", message: "refused" }],
  ["engine", { type: "nudge.failed", nudge: "b1", message: "refused" }],
  ["engine", { type: "nudge.withdrawn", nudge: "b4", why: "gone" }],
  ["engine", { type: "nudge.withdrawn", nudge: "b1", why: "gone" }],
  ["engine", { type: "nudge.failed", nudge: "b4", message: "no answer", boundary: "b4" }],
  ["engine", { type: "nudge.withdrawn", nudge: "b4.2", why: "busy", busy: { boundary: "b4", until: NOW + 5 } }],
  ["engine", { type: "nudge.withdrawn", nudge: "b1", why: "busy", busy: { boundary: "b1", until: NOW + 5 } }],

  ["model", { type: "round.began", round: "r4", purpose: "phase", ids: [], until: NOW + 5, leaving: { stay: "1" } }],
  ["engine", { type: "round.began", round: "r4", purpose: "finish", ids: ["t2"], until: NOW + 5 }],
  ["engine", { type: "round.ended", round: "r3", receipts: [receipt()] }],
  ["engine", { type: "round.ended", round: "r3", receipts: [receipt({ suspect: true, doubt: "a test was changed" })] }],
  [
    "engine",
    {
      type: "round.ended",
      round: "r3",
      receipts: [receipt({ suspect: true, doubt: "another one" }), aReceipt("t5", "lint")],
    },
  ],
  ["engine", { type: "round.ended", round: "r3", receipts: [receipt({ status: "failed", tail: "x".repeat(2001) })] }],
  [
    "engine",
    { type: "round.ended", round: "r3", receipts: [receipt({ status: "cut_short" })], cut: "on hold", again: true },
  ],
  ["engine", { type: "round.ended", round: "r3", receipts: [], cut: "could not run" }],
  ["engine", { type: "round.ended", round: "r1", receipts: [receipt()] }],
  ["host", { type: "check.observed", receipt: aReceipt("t5", "lint", { status: "observed", tail: "ok" }) }],
  ["engine", { type: "check.tried", first: aFirstResult({ run: "make", by: "human" }, { tail: "no" }) }],
  ["engine", { type: "guard.taken", guard: "g2", owners: ["t1", "t2"] }],
  ["engine", { type: "checkpoint.taken", moment: "end", ids: ["t1"], checkpoint: aCheckpoint("c1") }],
  ["engine", { type: "checkpoints.unavailable", why: "the disk is full", lasting: false }],
  ["engine", { type: "checkpoints.unavailable", why: "git is not available", lasting: true }],
  [
    "human",
    {
      ...{
        type: "files.undone",
        undo: "u1",
        ids: ["t1"],
        steps: [{ from: "c1", to: "c2" }],
        were: { t1: "completed" },
      },
      ...{ before: aCheckpoint("u1.before"), after: aCheckpoint("u1.after") },
    },
  ],

  ["host", { type: "question.opened", id: "q3" }],
  ["host", { type: "question.opened", id: "q1", text: "Again?" }],
  ["host", { type: "question.closed", id: "q1" }],
  ["host", { type: "recovery.began", until: NOW + 50 }],
  ["host", { type: "recovery.ended" }],
  ["host", { type: "compaction.began", until: NOW + 50 }],
  ["host", { type: "compaction.ended" }],
  ["host", { type: "background.changed", agents: 0, awaited: 1, until: NOW + 50 }],
  ["host", { type: "background.changed", agents: 0, awaited: 1, commands: 4, until: NOW + 50 }],
  ["host", { type: "mode.changed", readOnly: false }],
  ["host", { type: "model.chosen", model: "n" }],
  ["host", { type: "host.failed", where: "a hook", message: "no" }],
  ["engine", { type: "config.dropped", files: [{ file: "b.json", says: "bad" }] }],
  ["engine", { type: "config.dropped", files: [] }],
  [
    "engine",
    { type: "attempt.refused", attempt: "extend", text: "tildone extend", because: "a check (process 9) started it" },
  ],
  [
    "engine",
    {
      ...{ type: "notification.queued", id: "n2", kind: "approval", reason: "approval" },
      ...{ about: "c9", digest: "d9", channels: ["ntfy", "desktop"] },
    },
  ],
  ["engine", { type: "notification.sending", id: "n1", channel: "ntfy", try: 2, until: NOW + 9, buttons: [BUTTON] }],
  ["engine", { type: "notification.delivered", id: "n1", channel: "ntfy", try: 2, said: "HTTP 200" }],
  ["engine", { type: "notification.failed", id: "n1", channel: "ntfy", try: 2, why: "HTTP 500", retryAt: NOW + 9 }],
  ["engine", { type: "notification.failed", id: "n1", channel: "ntfy", try: 5, why: "HTTP 500" }],
  ["engine", { type: "notification.cut", id: "n1", channel: "webhook", try: 1 }],
  ["engine", { type: "notification.skipped", id: "n1", channel: "webhook", why: "it was answered" }],
  ["engine", { type: "notification.delivered", id: "n0", channel: "ntfy", try: 1, said: "HTTP 200" }],
  ["human", { type: "button.pressed", id: "n1", answer: "approve" }],
  ["engine", { type: "conversation.kept", why: "1 of 2 todos ended in this conversation" }],
  ["engine", { type: "conversation.began", why: "`context` is `fresh`, and [0] ended" }],
  ["model", { type: "note.written", ids: ["t1"], text: "The parser is strict." }],
  ["host", { type: "host.left" }],
  ["engine", { type: "clock.moved", by: 500, timebase: { boot: "boot-1", zero: 10_500 } }],
  ["engine", { type: "clock.moved", by: 0, timebase: { boot: "boot-2", zero: 1 } }],

  ["engine", { type: "approval.requested", approval: { call: "c9", what: "ls" } as never }],
  ["engine", { type: "approval.requested", approval: { call: "c2", what: "ls" } as never }],
  ["human", { type: "approval.answered", call: "c2", outcome: "once", words: "" }],
  ["human", { type: "approval.answered", call: "c7", outcome: "once", words: "" }],
  ["engine", { type: "call.intended", call: "c3", tool: "write", what: "again", writes: [], attempt: 1 }],
  ["engine", { type: "call.settled", call: "c1", tool: "write", status: "success", effect: "done", digest: "d1" }],
  ["engine", { type: "call.cut", call: "c3", tool: "write", what: "b", effect: "unknown" }],
  ["engine", { type: "call.late", call: "c3", effect: "done" }],
  ["engine", { type: "batch.settled", batch: "x", digests: ["d1", "d8"] } as never],

  [
    "model",
    { type: "todos.written", mode: "append", items: [late!], order: ["t1", "t2", "t3", "t4", "t5", "t6"], dropped: [] },
  ],
  [
    "model",
    { type: "todos.written", mode: "replace", items: [item!], order: ["t5"], dropped: ["t2", "t3"], batch: "batch-2" },
  ],
  [
    "human",
    { type: "todos.written", mode: "insert", items: [late!], order: ["t6"], dropped: ["t2"], batch: "batch-2" },
  ],
  ["model", { type: "todo.started", ids: ["t2", "t3"] }],
  ["model", { type: "todo.completed", ids: ["t2"] }],
  ["model", { type: "todo.completed", ids: ["t1", "t5"] }],
  ["model", { type: "todo.completed", ids: ["t4"] }],
  ["human", { type: "todo.completed", ids: ["t2"] }],
  ["model", { type: "todo.abandoned", ids: ["t2", "t4"], reason: "no" }],
  ["subagent", { type: "todo.abandoned", ids: ["t2"], reason: "no" }],
  ["human", { type: "todo.abandoned", ids: ["t2"], reason: "no" }],
  ["engine", { type: "todo.blocked", ids: ["t2"], reason: "spent" }],
  ["model", { type: "todo.blocked", ids: ["t2"], reason: "no key" }],
  ["human", { type: "todo.reopened", ids: ["t1", "t3", "t4"], to: "not_started" }],
  ["engine", { type: "todo.reopened", ids: ["t1", "t3"], to: "in_progress" }],
  ["human", { type: "todo.released", ids: ["t5"] }],
  ["human", { type: "todo.changed", id: "t2", text: "other" }],
  ["human", { type: "todo.moved", id: "t2", to: 0 }],
  ["human", { type: "todo.removed", ids: ["t4"] }],

  ...proposeWorkflow(undefined, startOf([aWorkflow("other", ["look"])])).events.flatMap((event): Row[] => [
    ["human", event],
    ["human", { ...event, startedAt: 999, taskId: "another" } as RunEvent],
  ]),
  ["model", { type: "phase.entered", path, summary: "so" }],
  ["human", { type: "phase.entered", path }],
  ["model", { type: "workflow.looped", path }],
  ["model", { type: "workflow.finished", summary: "so" }],
  ["model", { type: "workflow.cancel_requested", turn: "turn-4" }],
  ["model", { type: "workflow.cancel_withdrawn" }],
  ["model", { type: "workflow.cancelled" }],
  ["human", { type: "workflow.cancelled" }],
  ["host", { type: "weather.changed" } as never],
];

const BIRTH: RunEvent = {
  type: "run.began",
  run: "run-9",
  origin: { host: "pi", session: "s", cwd: "/p" },
  goal: "Ship it",
  budget: { tokens: 5 },
  checks: [{ run: "make", by: "human" }],
  requirements: [{ id: "R1", text: "Fast" }],
  seesCalls: true,
  workspace: "w1",
  timebase: { boot: "b", zero: 3 },
};

/** What every event changes, in every situation in which it changes something else. */
export function foldTable(): string {
  const born = changesBetween({ ...UNBORN, ledger: {} } as never, after(UNBORN, "engine", BIRTH));
  const rows = EVENTS.flatMap(([by, event]) => {
    const names = (Object.keys(SITUATIONS) as Situation[]).filter((name) => ONLY[name]?.test(event.type) ?? true);
    const changes = names.map((name) => {
      const run = SITUATIONS[name]();
      return [name, changesBetween(run, after(run, by, event))] as const;
    });
    const alike = Map.groupBy(changes, ([, lines]) => lines.join("\n"));
    return [
      heading(`${by}: ${JSON.stringify(event)}`),
      ...[...alike.values()].flatMap((group) => [
        `  ${group.map(([name]) => name).join(", ")}:${group[0]![1].length === 0 ? " nothing" : ""}`,
        ...group[0]![1].map((line) => `    ${line}`),
      ]),
    ];
  });
  return [heading("a run begins"), ...born.map((line) => `    ${line}`), ...rows, ""].join("\n");
}

/** Where only some events mean something else. */
const ONLY: Partial<Record<Situation, RegExp>> = {
  over: /^run\./,
  waiting: /^(clock|decision|wait)\./,
  watched: /^(answer|result|activity|tool)\./,
};

/** As from a log: what cannot be read changes nothing. */
function after(run: Run, by: Actor, event: RunEvent): Run {
  const read = readRow({ seq: 1, at: NOW, by, v: 1, event });
  return isUnread(read) ? run : evolve(run, read);
}
