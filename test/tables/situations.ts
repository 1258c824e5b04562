import type { Approval } from "../../src/core/call/index.ts";
import type { Boundary, Ledger, Pace, Run, Turn } from "../../src/core/run/index.ts";
import { evolveWorkflow, proposeWorkflow, type WorkflowState } from "../../src/core/workflow/index.ts";
import { aBoundary, aFailure, aReceipt, aRun, receiptsOf, todos } from "../../src/testing/index.ts";
import { aPhase, aWorkflow, startOf } from "../builders/workflow.ts";

/** When everything in the tables happens. */
export const NOW = 1_000_000;
const BEFORE = NOW - 60_000;

/** Runs in which everything that can be set is set: whatever an event or a request changes shows. */
export const SITUATIONS = {
  /** The agent works, in a turn that was nudged. */
  working: () => aRun({ ...everything(), turn: aTurn(), boundary: undefined } as never),
  /** It settled; a nudge is on its way. */
  nudged: () =>
    aRun({
      ...everything(),
      boundary: settled("nudged"),
      woundDown: false,
      listKnown: false,
      verifying: { round: "r3", purpose: "complete", ids: ["t1", "t2"], by: "model", until: NOW + 7 },
      nudge: { id: "b4", boundary: "b4", kind: "wind_down", status: "intended" },
      decision: {
        type: "continue",
        kind: "todo",
        step: { type: "todo", id: "t2", index: 1 },
        after: 0,
        rule: "todos are open",
      },
    }),
  /** It settled and the run stopped, after failures. */
  stopped: () =>
    aRun({
      ...everything(),
      interrupt: { turn: "turn-3" },
      boundary: {
        ...settled("stopped"),
        failure: aFailure("overload"),
        braked: braked(),
        forHuman: true,
        undecided: true,
      },
      decision: { type: "stop", reason: "provider_error", rule: "the provider failed, retrying may help" },
    }),
  /** It settled, and a wait runs. */
  waiting: () =>
    aRun({
      ...everything(),
      boundary: settled("waiting"),
      decision: {
        type: "wait",
        reason: "backoff",
        until: NOW + 30_000,
        rule: "the provider failed, retrying may help",
      },
    }),
  /** The agent works where its answers are not shown. */
  watched: () =>
    aRun({
      todos: LIST,
      turn: { ...aTurn(), pace: { ...PACE, answers: 0, phase: "model" } },
      boundary: undefined,
    } as never),
  /** Nothing was ever set. */
  bare: () => aRun({ boundary: undefined } as never),
  over: () =>
    aRun({ ...everything(), todos: [], status: "ended", endReason: "done_unproven", boundary: settled("stopped") }),
} as const satisfies Record<string, () => Run>;
export type Situation = keyof typeof SITUATIONS;

export const PACE: Pace = {
  heardAt: BEFORE,
  phase: "tools",
  phaseSince: BEFORE - 5,
  answers: 3,
  calls: 2,
  idle: 3,
  still: 4,
  looked: true,
  same: { call: "d1", tool: "read", times: 2, answer: 3, state: "w2" },
  growing: { input: 7, output: 8, cacheRead: 9, cacheWrite: 1, cost: 0.5 },
  told: { input: 10, output: 20, cacheRead: 30, cacheWrite: 40, cost: 1 },
  countedUntil: BEFORE,
  countedMs: 4000,
  overdrawn: true,
  unpriced: true,
};

const braked = () => ({ reason: "budget_tokens", how: "after_tool", at: BEFORE, detail: "all of it" }) as const;

export const aTurn = (): Turn => ({
  id: "turn-4",
  cause: "nudge",
  answers: "write_list",
  startedAt: BEFORE - 10_000,
  todo: "t2",
  acted: false,
  moved: false,
  progressed: false,
  pace: PACE,
  held: true,
  braked: braked(),
});

const settled = (status: Boundary["status"]): Boundary =>
  aBoundary({
    id: "b4",
    at: BEFORE,
    status,
    question: true,
    until: BEFORE + 30_000,
    round: "ran",
    ended: { turn: { ...aTurn(), id: "turn-3" }, since: { nudged: 2, idle: 1, still: 2 }, asked: 1 },
  });

const LIST = todos(
  { status: "completed", covers: ["R1"] },
  { status: "in_progress", touches: ["*.test.ts"], checks: [{ run: "make", by: "human" }] },
  { status: "blocked", reason: "no key" },
  { status: "abandoned", reason: "no time" },
  { status: "not_started", askFirst: true, checks: [{ run: "lint", by: "model" }] },
);

/** Every counter counted, every list filled, every word of yours said. */
function everything(): Partial<Ledger> & {
  readonly todos: Run["plan"]["todos"];
  readonly workflow: WorkflowState;
  readonly goal: string;
} {
  const item = { ...ITEM };
  return {
    goal: "Ship it",
    todos: LIST,
    workflow: walking(),
    claim: { driver: "one", epoch: 2 },
    off: true,
    held: true,
    interrupt: { turn: "turn-4" },
    words: [
      { id: "w1", text: "Use tabs", kind: "steer" },
      { id: "w2", text: "And then rest", kind: "follow-up" },
      { id: "w3", text: "And lint", kind: "steer" },
    ],
    sending: ["w1", "w2"],
    unsent: { tries: 2, at: BEFORE },
    questions: ["q1", "q2"],
    questionTexts: { q1: "Which?", q2: "When?" },
    notifications: {
      count: 1,
      recent: [
        {
          ...{ id: "n1", kind: "approval", reason: "approval", about: "c1", digest: "0123456789abcdef", at: BEFORE },
          deliveries: {
            ntfy: { status: "sending", try: 2, until: NOW + 5 },
            webhook: { status: "sending", try: 1, until: BEFORE + 5 },
            slack: { status: "retrying", try: 1, retryAt: BEFORE },
            desktop: { status: "queued" },
          },
          buttons: [
            { hash: "h1", answer: "approve", until: NOW + 99 },
            { hash: "h0", answer: "deny", until: BEFORE },
          ],
        },
      ],
    },
    approvals: [
      { call: "c1", tool: "shell", what: "rm a", digest: "0123456789abcdef" },
      { call: "c2", tool: "shell", what: "rm b", digest: "fedcba9876543210", always: "rm b" },
    ] as unknown as readonly Approval[],
    calls: [
      { call: "c1", tool: "write", what: "a", effect: "unknown", status: "intended" },
      { call: "c3", tool: "write", what: "b", effect: "done", status: "settled" },
    ],
    cutCalls: [{ call: "c0", tool: "write", what: "z", effect: "unknown" }],
    listKnown: true,
    recovering: { until: NOW + 5 },
    compacting: { until: NOW + 6 },
    verifying: {
      round: "r3",
      purpose: "complete",
      ids: ["t2", "t5"],
      by: "model",
      until: NOW + 7,
      leaving: { stay: "1", summary: "so" },
    },
    background: { agents: 1, awaited: 2, commands: 3, until: NOW + 8 },
    readOnly: true,
    model: { model: "m", baseUrl: "http://localhost" },
    boundaries: 4,
    rounds: 3,
    endedTurns: ["turn-1", "turn-2"],
    lastNudgeAt: BEFORE,
    since: { nudged: 3, idle: 2, still: 3 },
    asked: 2,
    listAsked: true,
    failures: { tries: 2, windows: 1 },
    budget: { tokens: 100, cost: 5, minutes: 30 },
    spent: {
      input: 10,
      output: 20,
      cacheRead: 30,
      cacheWrite: 40,
      cost: 2,
      activeMs: 60_000,
      continuations: 3,
      estimated: 9,
    },
    woundDown: true,
    todoLedgers: {
      t1: { ...item, completedOnce: true, completedByHuman: true },
      t2: item,
      t3: { ...item, setAside: true },
      t4: item,
      t5: { ...item, added: true, unseenIn: "turn-1" },
    },
    nextTodoId: 6,
    firstListEnd: 4,
    addedProgress: 2,
    movedIn: { batch: "batch-1", mode: "replace", before: ["t1", "t5"] },
    checks: [{ run: "npm test", by: "human" }],
    requirements: [
      { id: "R1", text: "It is fast" },
      { id: "R2", text: "It is small" },
    ],
    receipts: receiptsOf(
      aReceipt("run", "npm test", { status: "failed", tail: "no", workspace: "w1" }),
      aReceipt("t2", "make", { suspect: true, doubt: "a test was changed" }),
    ),
    checksPassed: ["t2 make"],
    guards: { run: "g1", t1: "g1" },
    guard: "g1",
    declared: ["a.ts"],
    phaseWorkspace: "w1",
    workspace: "w1",
    activity: 5,
    seesCalls: true,
    abandoned: ["t4", "t9"],
    accepted: true,
    workflowGivenUp: true,
    phaseActivity: 5,
    phasePlanned: false,
    idlePhases: ["Plan"],
    errors: 1,
    timebase: { boot: "boot-1", zero: 10_000 },
    dropped: { files: [{ file: "config.json", says: "no" }], told: false },
  };
}

const ITEM = {
  added: false,
  activityBefore: 5,
  unseenIn: "turn-4",
  completedOnce: false,
  completedByHuman: false,
  failedAttempts: 1,
  setAside: false,
  tokens: 11,
  cost: 1,
  activeMs: 1200,
  continuations: 2,
} as const;

export function walking(): WorkflowState {
  const forest = [
    aWorkflow("release", [
      "build",
      aPhase("publish", {
        todos: [{ text: "Publish it", priority: "high", askFirst: true, checks: [{ run: "make", by: "plan" }] }],
      }),
    ]),
  ];
  const { events } = proposeWorkflow(undefined, startOf(forest));
  return events.reduce(evolveWorkflow, undefined as WorkflowState | undefined)!;
}
