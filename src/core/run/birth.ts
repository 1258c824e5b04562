import { NEW_CONVERSATION } from "./conversation.ts";
import { NO_CHECKPOINTS } from "./due-checkpoint.ts";
import type { Ledger, Run, TodoLedger } from "./run.ts";
import { NOTHING_SEEN } from "./seen.ts";

/** A run before its first event: the start of every fold. */
export const UNBORN: Run = {
  id: "",
  status: "unborn",
  origin: { host: "", session: "", cwd: "" },
  plan: { todos: [] },
  ledger: emptyLedger(),
};

function emptyLedger(): Ledger {
  return {
    began: 0,
    claim: { driver: "", epoch: 0 },
    off: false,
    held: false,
    words: [],
    sending: [],
    unsent: { tries: 0, at: 0 },
    questions: [],
    approvals: [],
    calls: [],
    cutCalls: [],
    listKnown: false,
    conversation: NEW_CONVERSATION,
    notes: [],
    list: "ours",
    background: { agents: 0, awaited: 0, until: 0 },
    readOnly: false,
    boundaries: 0,
    rounds: 0,
    endedTurns: [],
    lastNudgeAt: 0,
    since: { nudged: 0, idle: 0, still: 0 },
    asked: 0,
    listAsked: false,
    failures: { tries: 0, windows: 0 },
    budget: {},
    spent: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, activeMs: 0, continuations: 0, estimated: 0 },
    woundDown: false,
    todoLedgers: {},
    nextTodoId: 1,
    firstListEnd: 0,
    addedProgress: 0,
    checks: [],
    requirements: [],
    receipts: {},
    checksPassed: [],
    guards: {},
    checkpoints: NO_CHECKPOINTS,
    declared: [],
    activity: 0,
    seesCalls: false,
    seen: NOTHING_SEEN,
    abandoned: [],
    accepted: false,
    workflowGivenUp: false,
    phaseActivity: 0,
    phasePlanned: false,
    idlePhases: [],
    errors: 0,
  };
}

export const NEW_TODO_LEDGER: TodoLedger = {
  activityBefore: 0,
  added: false,
  completedOnce: false,
  completedByHuman: false,
  failedAttempts: 0,
  setAside: false,
  tokens: 0,
  cost: 0,
  activeMs: 0,
  continuations: 0,
};
