import { describe, expect, test } from "vitest";
import { aWorkflow, startOf } from "../../../test/builders/workflow.ts";
import {
  aBoundary,
  aFailure,
  aReceipt,
  aRun,
  type History,
  history,
  receiptsOf,
  said,
  todos,
} from "../../testing/index.ts";
import { NEW_TODO_LEDGER } from "../run/birth.ts";
import type { Braked, Run } from "../run/index.ts";
import { evolveWorkflow, proposeWorkflow, type WorkflowState } from "../workflow/index.ts";
import { decide } from "./decide.ts";
import { DEFAULTS, type Limits } from "./limits.ts";
import { RULES, type Rule } from "./rules.ts";

const NOW = 1_000_000;
const SOON = NOW + 60_000;
const open = todos("completed", "not_started");
const finished = todos("completed", "completed");
const check = { run: "npm test", by: "human" } as const;
const requirement = { id: "R1", text: "It works offline" };
const workflow = walking();

type Situation = readonly [situation: string, expected: string, given: Run | History, limits?: Partial<Limits>];

/** The policy by example. Where two rules could both speak, the row says which one wins. */
const SITUATIONS: readonly Situation[] = [
  // who may stop it
  ["one todo is open", "continue todo", aRun({ todos: open })],
  ["the agent stops early", "continue todo", history().writes("a", "b", "c").works().completes(0).ends()],
  ["switched off by config", "stop disabled", aRun({ todos: open }), { enabled: false }],
  ["switched off for this run", "stop disabled", aRun({ todos: open, off: true })],
  ["switched off beats a hold", "stop disabled", aRun({ todos: open, off: true, held: true })],
  ["held with open work", "stop held", aRun({ todos: open, held: true })],
  ["held and finished", "stop held", aRun({ todos: finished, held: true })],
  ["held beats an interrupt", "stop held", aRun({ todos: open, held: true, interrupt: {} })],
  ["a hold survives the human's words", "stop held", history().writes("a").ends().holds().says().works().ends()],
  ["unheld", "continue todo", history().writes("a").ends().holds().unholds()],
  ["interrupted", "stop interrupted", aRun({ todos: open, interrupt: {} })],
  ["an interrupt beats queued words", "stop interrupted", aRun({ todos: open, interrupt: {}, words: [words("w")] })],
  ["abort", "stop interrupted", history().writes("a").works().aborts()],
  [
    "abort, then a question that the agent only answers",
    "stop interrupted",
    history().writes("a").aborts().says().ends({ text: "It is in the file main.ts." }),
  ],
  ["abort, then a correction that it works on", "continue todo", history().writes("a").aborts().says().works().ends()],
  [
    "abort, then a correction that changes the list",
    "continue todo",
    history().writes("a").aborts().says().write("append", "b").ends(),
  ],
  [
    "abort, and a late call of the aborted turn arrives in the next",
    "stop interrupted",
    history()
      .says()
      .writes("a")
      .turn("host")
      .aborts()
      .says()
      .tell({ type: "call.seen", digest: "late", turn: "turn-2" })
      .ends(),
  ],
  ["abort, then unhold", "continue todo", history().writes("a").aborts().unholds()],
  [
    "the countdown was cancelled",
    "stop interrupted",
    history({ limits: { countdownMs: 3000 } })
      .writes("a")
      .ends()
      .interrupts(),
  ],

  // waiting for an answer
  ["words are queued", "wait human", aRun({ todos: open, words: [words("w")] })],
  [
    "words are queued while a question is open",
    "wait human",
    aRun({ todos: open, words: [words("w")], questions: ["q"] }),
  ],
  ["words for the end, and work is open", "continue todo", aRun({ todos: open, words: [words("w", "follow-up")] })],
  ["words for the end, and nothing is open", "wait human", aRun({ todos: finished, words: [words("w", "follow-up")] })],
  [
    "words for the end come before the checks",
    "wait human",
    aRun({ todos: finished, checks: [check], words: [words("w", "follow-up")] }),
  ],
  [
    "plan mode comes before words for the end",
    "stop read_only",
    aRun({ todos: finished, readOnly: true, words: [words("w", "follow-up")] }),
  ],
  ["a question is open", "wait question", aRun({ todos: open, questions: ["q"] })],
  ["a question and an approval", "wait question", aRun({ todos: open, questions: ["q"], approvals: [approval()] })],
  ["an approval is pending", "wait approval", aRun({ todos: open, approvals: [approval()] })],
  [
    "an approval while the host recovers",
    "wait approval",
    aRun({ todos: open, approvals: [approval()], recovering: { until: SOON } }),
  ],
  ["the host recovers", "wait recovering", aRun({ todos: open, recovering: { until: SOON } })],
  ["the host recovers longer than allowed", "continue todo", aRun({ todos: open, recovering: { until: NOW } })],
  [
    "the host recovers and compacts",
    "wait recovering",
    aRun({ todos: open, recovering: { until: SOON }, compacting: { until: SOON } }),
  ],
  ["the host compacts", "wait compacting", aRun({ todos: open, compacting: { until: SOON } })],
  ["the host compacts longer than allowed", "continue todo", aRun({ todos: open, compacting: { until: NOW } })],
  [
    "the host compacts while checks run",
    "wait compacting",
    aRun({ todos: open, compacting: { until: SOON }, verifying: round() }),
  ],
  [
    "the host compacts, and the session was busy",
    "wait compacting",
    aRun({ todos: open, compacting: { until: SOON }, boundary: aBoundary({ busy: { tries: 1, until: SOON } }) }),
  ],
  [
    "the session was busy when the nudge was due",
    "wait busy",
    aRun({ todos: open, boundary: aBoundary({ busy: { tries: 1, until: SOON } }) }),
  ],
  [
    "the session was busy a while ago",
    "continue todo",
    aRun({ todos: open, boundary: aBoundary({ busy: { tries: 1, until: NOW } }) }),
  ],
  [
    "the session was busy while checks run",
    "wait busy",
    aRun({ todos: open, verifying: round(), boundary: aBoundary({ busy: { tries: 1, until: SOON } }) }),
  ],
  ["checks are running", "wait verifying", aRun({ todos: open, verifying: round() })],
  [
    "checks are running while an agent works in the background",
    "wait verifying",
    aRun({ todos: open, verifying: round(), background: { agents: 1, awaited: 0, until: SOON } }),
  ],
  ["a dev server in the background", "continue todo", history().writes("a").tell(background(0, 0)).ends()],
  [
    "an agent in the background",
    "wait background",
    aRun({ todos: open, background: { agents: 1, awaited: 0, until: SOON } }),
  ],
  [
    "an agent in the background of a finished list",
    "wait background",
    aRun({ todos: finished, background: { agents: 1, awaited: 0, until: SOON } }),
  ],
  [
    "an agent in the background of no list at all",
    "wait background",
    aRun({ background: { agents: 1, awaited: 0, until: SOON } }),
  ],
  [
    "a command that all open work waits for",
    "wait background",
    aRun({ todos: todos("blocked", { needs: ["t1"] }), background: awaited(SOON) }),
  ],
  [
    "a command that one todo waits for, while another is free",
    "continue todo",
    aRun({ todos: todos("blocked", "not_started"), background: awaited(SOON) }),
  ],
  ["a command that the one item waits for", "wait background", history().writes("a").tell(background(0, 1)).ends()],
  [
    "a command that one of two items waits for",
    "continue todo",
    history().writes("a", "b").tell(background(0, 1)).ends(),
  ],
  [
    "a command in the background of a finished list",
    "stop done_unproven",
    aRun({ todos: finished, background: awaited(SOON) }),
  ],
  [
    "a command that all open work waits for, past its deadline",
    "stop blocked",
    aRun({ todos: todos("blocked"), background: awaited(NOW) }),
  ],
  [
    "an agent and a command in the background, while a todo is free",
    "wait background",
    aRun({ todos: open, background: { agents: 1, awaited: 1, until: SOON } }),
  ],
  [
    "an agent in the background past its deadline",
    "continue todo",
    aRun({ todos: open, background: { agents: 1, awaited: 0, until: NOW } }),
  ],

  // is there anything to do
  ["no list and never any", "stop no_todos", aRun()],
  ["no list in plan mode", "stop no_todos", aRun({ readOnly: true })],
  ["plan mode with open work", "stop read_only", aRun({ todos: open, readOnly: true })],
  ["plan mode with a finished list", "stop read_only", aRun({ todos: finished, readOnly: true })],
  ["a goal without a list", "continue write_list", history().goal("Ship it").turn("human").ends()],
  ["a goal without a list, asked once", "stop no_todos", history().goal("Ship it").turn("human").ends().goesOn()],
  [
    "a goal without a list, and the turn that was asked for it failed",
    "continue write_list",
    history()
      .goal("Ship it")
      .turn("human")
      .ends()
      .nudged()
      .fails("overload")
      .after(5_000)
      .tell({ type: "timer.fired", boundary: "b2" }),
  ],
  [
    "a goal without a list, and the human spoke while it was asked for",
    "continue write_list",
    history().goal("Ship it").turn("human").ends().nudged().tell({ type: "human.spoke" }).ends(),
  ],
  [
    "a goal whose list came when asked",
    "continue todo",
    history()
      .goal("Ship it")
      .turn("human")
      .ends()
      .goesOn((it) => it.writes("a", "b")),
  ],
  ["a phase without a list", "continue phase", aRun({ workflow })],
  ["a phase with an open todo", "continue todo", aRun({ workflow, todos: open })],
  ["a phase whose todos are finished", "continue phase", aRun({ workflow, todos: finished })],
  ["a requirement that no todo covers", "continue requirement", aRun({ todos: finished, requirements: [requirement] })],
  [
    "a requirement that an abandoned todo covered",
    "continue requirement",
    aRun({ todos: todos({ status: "abandoned", covers: ["R1"] }), requirements: [requirement] }),
  ],
  [
    "a requirement that a finished todo covers",
    "stop done_unproven",
    aRun({ todos: todos({ status: "completed", covers: ["R1"] }), requirements: [requirement] }),
  ],
  [
    "the list is replaced in the middle",
    "continue todo",
    history()
      .writes("a", "b")
      .ends()
      .goesOn((it) => it.works().writes("c")),
  ],
  ["the list is cleared by the agent", "stop done_with_doubt", history().writes("a", "b").works().writes().ends()],

  // is it done, and proven
  ["finished, and a check was never run", "wait verifying", aRun({ todos: finished, checks: [check] })],
  [
    "finished and proven",
    "stop all_done",
    aRun({ todos: finished, checks: [check], receipts: receiptsOf(aReceipt("run", "npm test")) }),
  ],
  [
    "finished, but the files changed since the check",
    "wait verifying",
    aRun({
      todos: finished,
      checks: [check],
      workspace: "after",
      receipts: receiptsOf(aReceipt("run", "npm test", { workspace: "before" })),
    }),
  ],
  [
    "finished, stale, and the round of this boundary is over",
    "stop done_unproven",
    aRun({
      todos: finished,
      checks: [check],
      workspace: "after",
      boundary: aBoundary({ round: "ran" }),
      receipts: receiptsOf(aReceipt("run", "npm test", { workspace: "before" })),
    }),
  ],
  ["finished, and nothing checks it", "stop done_unproven", aRun({ todos: finished })],
  ["done beats a spent budget", "stop done_unproven", aRun({ todos: finished, woundDown: true, ...spentBudget() })],
  [
    "all abandoned by the agent",
    "stop done_with_doubt",
    history().writes("a", "b").works().edits("abandon", 0, 1).ends(),
  ],
  ["completed without any work seen", "stop done_with_doubt", history().writes("a").completes(0).ends()],
  [
    "what is done for another item later is no work for it",
    "stop done_with_doubt",
    history().writes("a", "b").completes(0).works().completes(1).ends(),
  ],
  ["nor is a look around afterwards", "stop done_with_doubt", history().writes("a").says().completes(0).works().ends()],
  [
    "nor is it in a later turn",
    "stop done_with_doubt",
    history()
      .writes("a", "b")
      .says()
      .completes(0)
      .ends()
      .goesOn((it) => it.works().completes(1)),
  ],
  [
    "files that changed in the turn that completed it are",
    "stop done_unproven",
    history().writes("a").says().completes(0).ends({ workspace: "files-1" }),
  ],
  [
    "files that changed in another turn are not",
    "stop done_with_doubt",
    history().writes("a", "b").says().completes(0).ends().nudged().works().completes(1).ends({ workspace: "files-1" }),
  ],
  [
    "taken up again, worked on and completed again",
    "stop done_unproven",
    history()
      .writes("a", "b")
      .says()
      .completes(0)
      .tell({ type: "todos.human_edit", edit: { action: "reopen", indices: [0] } })
      .works()
      .completes(0, 1)
      .ends(),
  ],
  [
    "an unfinished item was dropped",
    "stop done_with_doubt",
    history().writes("a", "b").works().completes(0).writes("a").ends(),
  ],
  [
    "dropped, and accepted by the human",
    "stop done_accepted",
    history().writes("a", "b").works().completes(0).writes("a").ends().tell({ type: "human.accept" }),
  ],

  // budgets and failures
  ["a budget is spent", "continue wind_down", aRun({ todos: open, ...spentBudget() })],
  [
    "a budget is spent and the wind-down was granted",
    "stop budget_tokens",
    aRun({ todos: open, woundDown: true, ...spentBudget() }),
  ],
  [
    "a budget is spent and extended",
    "continue todo",
    history({ birth: { budget: { continuations: 1 } } })
      .writes("a")
      .ends()
      .goesOn()
      .goesOn()
      .tell({ type: "human.extend", budget: { continuations: 5 } }),
  ],
  [
    "what has no budget is extended, after more than that",
    "continue todo",
    history()
      .writes("a")
      .ends()
      .goesOn()
      .goesOn()
      .tell({ type: "human.extend", budget: { continuations: 1 } }),
  ],
  [
    "429 at a spent budget",
    "stop budget_tokens",
    aRun({
      todos: open,
      boundary: aBoundary({ failure: aFailure("rate_limit", { resetAt: SOON }) }),
      ...spentBudget(),
    }),
  ],
  [
    "the provider refused for good, and the human lets it go on",
    "continue todo",
    history().writes("a").fails("other").unholds(),
  ],
  [
    "the provider fails again after the human let it go on",
    "stop provider_error",
    history().writes("a").fails("other").unholds().nudged().fails("other"),
  ],
  ["429 with a reset time", "wait rate_limited", history().writes("a").fails("rate_limit", { resetAt: SOON })],
  ["429 without a reset time", "wait rate_limited", history().writes("a").fails("rate_limit")],
  [
    "429 after every window that is allowed",
    "stop rate_limited",
    aRun({
      todos: open,
      failures: { tries: 4, windows: 4 },
      boundary: aBoundary({ at: NOW, failure: aFailure("rate_limit") }),
    }),
  ],
  [
    "429 and the reset is past",
    "continue todo",
    aRun({ todos: open, boundary: aBoundary({ failure: aFailure("rate_limit", { resetAt: NOW }) }) }),
  ],
  ["the provider is overloaded", "wait backoff", history().writes("a").fails("overload")],
  [
    "the provider was overloaded at a time that lies ahead: the clock was set back",
    "continue todo",
    aRun({
      todos: open,
      failures: { tries: 1, windows: 0 },
      boundary: aBoundary({ at: NOW + 1, failure: aFailure("overload") }),
    }),
  ],
  [
    "the provider is overloaded again and again",
    "stop provider_error",
    aRun({
      todos: open,
      failures: { tries: 9, windows: 0 },
      boundary: aBoundary({ at: NOW, failure: aFailure("overload") }),
    }),
  ],
  ["the host's process died", "wait host_failed", history().writes("a").fails("host")],
  [
    "the host did not take the nudge",
    "wait host_failed",
    history().writes("a").ends().tell({ type: "nudge.failed", nudge: "b1", message: "it is gone" }),
  ],
  [
    "the host's process dies again and again",
    "stop host_failed",
    aRun({
      todos: open,
      failures: { tries: 9, windows: 0 },
      boundary: aBoundary({ at: NOW, failure: aFailure("host") }),
    }),
  ],
  ["the context is full", "stop context_full", history().writes("a").fails("context_full")],
  ["the host's own limit", "stop host_limit", history().writes("a").fails("host_limit")],
  ["the model refused", "stop refused", history().writes("a").fails("refused")],
  ["another failure", "stop provider_error", history().writes("a").fails("other")],
  [
    "the model refused and everything is blocked",
    "stop refused",
    history().writes("a").edits("block", 0).fails("refused"),
  ],

  // can it continue
  ["everything is blocked", "stop blocked", history().writes("a", "b").edits("block", 0, 1).ends()],
  [
    "it needs an abandoned item",
    "stop blocked",
    history()
      .writes("a", { text: "b", needs: [0] })
      .edits("abandon", 0)
      .ends(),
  ],
  ["blocked, and the human speaks", "continue todo", history().writes("a").edits("block", 0).ends().says().ends()],
  [
    "the next item waits for release",
    "stop awaiting_release",
    history().writes({ text: "a", askFirst: true }, "b").ends(),
  ],
  [
    "the next item was released",
    "continue todo",
    history()
      .writes({ text: "a", askFirst: true })
      .ends()
      .tell({ type: "todos.human_edit", edit: { action: "release", indices: [0] } }),
  ],
  [
    "an item in progress comes before one that waits for release",
    "continue todo",
    history().writes({ text: "a", askFirst: true }, "b").starts(1).ends(),
  ],
  ["the agent asks in plain text", "continue question", history().writes("a").asks()],
  ["the agent asks in plain text twice", "stop question", history().writes("a").asks().nudged().asks()],
  [
    "the next item waits for release and the agent asks twice",
    "stop awaiting_release",
    aRun({ todos: todos({ askFirst: true }), asked: 2 }),
  ],
  ["the agent asks twice at a spent budget", "stop question", aRun({ todos: open, asked: 2, ...spentBudget() })],
  ["permission to continue is no question", "continue todo", history().writes("a").asks("Shall I continue?")],
  [
    "permission to continue, twice in another language",
    "continue todo",
    history().writes("a").asks("¿Continúo?").nudged().asks("¿Sigo?"),
  ],
  ["permission for an act", "stop question", history().writes("a").asks("May I force-push to main?")],
  [
    "permission for an act, and to continue",
    "stop question",
    history().writes("a").asks("Shall I delete the production database and continue?"),
  ],
  [
    "permission for an act, and you speak",
    "continue todo",
    history().writes("a").asks("May I force-push to main?").says().ends(),
  ],

  // does it get anywhere
  ["three nudges and no activity", "stop no_progress", aRun({ todos: open, since: { nudged: 3, idle: 3, still: 3 } })],
  [
    "no progress at a spent budget",
    "continue wind_down",
    aRun({ todos: open, since: { nudged: 3, idle: 3, still: 3 }, ...spentBudget() }),
  ],
  [
    "twenty nudges and the files stand still",
    "stop no_progress",
    aRun({ todos: open, since: { nudged: 20, idle: 0, still: 20 } }),
  ],
  [
    "sixty nudges without progress",
    "stop no_progress",
    aRun({ todos: open, since: { nudged: 60, idle: 0, still: 0 } }),
  ],
  ["fast turns that do nothing", "stop no_progress", history().writes("a").ends().goesOn().goesOn().goesOn()],
  [
    "fast turns that work",
    "continue todo",
    times(19, history().writes("a").ends(), (it) => it.goesOn(() => it.works())),
  ],
  [
    "no activity, but the human spoke in between",
    "continue todo",
    history().writes("a").ends().goesOn().goesOn().nudged().tell({ type: "human.spoke" }).ends(),
  ],
  [
    "progress in between",
    "continue todo",
    history()
      .writes("a", "b")
      .ends()
      .goesOn()
      .goesOn()
      .goesOn((it) => it.completes(0)),
  ],

  // what outlives a process
  [
    "a crash before the nudge went out",
    "continue todo",
    history().writes("a").ends().tell({ type: "run.open", driver: "two", goOn: true }),
  ],
  [
    "a crash before the list was asked for",
    "continue write_list",
    history().goal("Ship it").turn("human").ends().tell({ type: "run.open", driver: "two", goOn: true }),
  ],
  [
    "a crash before the wind-down went out",
    "continue wind_down",
    history({ birth: { budget: { continuations: 1 } } })
      .writes("a")
      .ends()
      .goesOn()
      .tell({ type: "run.open", driver: "two", goOn: true }),
  ],
  [
    "another turn overtook the wind-down on its way",
    "stop budget_continuations",
    history({ birth: { budget: { continuations: 1 } } })
      .writes("a")
      .ends()
      .goesOn()
      .turn("host")
      .turn("nudge")
      .ends(),
  ],
  ["a limit ended the turn", "stop no_progress", aRun({ todos: open, boundary: braked("no_progress") })],
  [
    "a limit ended the turn after the last todo was done",
    "stop done_unproven",
    aRun({ todos: finished, boundary: braked("no_progress") }),
  ],
  [
    "a limit ended the turn that was to wind down",
    "stop no_progress",
    aRun({ todos: open, ...spentBudget(), woundDown: true, boundary: braked("no_progress") }),
  ],
  ["a hold ended the turn and is over", "continue todo", aRun({ todos: open, boundary: braked("held") })],
  [
    "a limit ended the turn, and you let it go on",
    "continue todo",
    aRun({ todos: open, boundary: braked("no_progress", { lifted: true }) }),
  ],
  [
    "a crash in the middle of a turn",
    "continue todo",
    history().writes("a").ends().nudged().tell({ type: "run.open", driver: "two", goOn: true }),
  ],
];

describe("the policy by example", () => {
  test.each(SITUATIONS.map(([situation, expected, given, limits]) => ({ situation, expected, given, limits })))(
    "$situation -> $expected",
    ({ expected, given, limits }) => {
      expect(answer(given, limits)).toBe(expected);
      if (isHistory(given)) expect(given.said).toBe(expected);
    },
  );

  test("no situation is told twice", () => {
    const names = SITUATIONS.map(([situation]) => situation);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

/** Neighbours that can never speak about the same run, so that their order means nothing. */
const COMMUTE: Readonly<Record<string, string>> = {
  "the provider's rate limit | the provider failed, retrying may help": "a failure has one kind",
  "the provider failed, retrying may help | the host failed, retrying may help": "a failure has one kind",
  "the host failed, retrying may help | the turn failed and retrying cannot help": "a failure has one kind",
  "every open todo is blocked | asked for a list and got none": "there are open todos, or there is no list",
  "asked for a list and got none | the next todo needs your release": "the next step is the list, or it is a todo",
};

describe("the order of the rules is the policy", () => {
  const pairs = RULES.slice(1).map((rule, index) => [RULES[index]!.name, rule.name, index] as const);

  test.each(pairs)("%s | %s", (upper, lower, index) => {
    const swapped = RULES.with(index, RULES[index + 1]!).with(index + 1, RULES[index]!);
    const changed = SITUATIONS.filter(
      ([, , given, limits]) => answer(given, limits, swapped) !== answer(given, limits),
    );
    const reason = COMMUTE[`${upper} | ${lower}`];
    if (reason) expect(changed).toEqual([]);
    else expect(changed.length, "no situation tells which of the two comes first").toBeGreaterThan(0);
  });

  test("every exception names two rules that stand together", () => {
    expect(
      Object.keys(COMMUTE).filter((key) => !pairs.some(([upper, lower]) => key === `${upper} | ${lower}`)),
    ).toEqual([]);
  });

  test("every rule speaks in some situation", () => {
    const spoken = new Set(SITUATIONS.map(([, , given, limits]) => decision(given, limits).rule));
    expect(RULES.map(({ name }) => name).filter((name) => !spoken.has(name))).toEqual([]);
  });
});

describe("what it says beside the reason", () => {
  const blocked = (count: number, reason = "no key") =>
    todos(...Array.from({ length: count }, () => ({ status: "blocked", reason }) as const));
  const abandoned = (count: number) =>
    aRun({
      todos: todos(...Array.from({ length: count }, () => "abandoned" as const)),
      abandoned: Array.from({ length: count }, (_, at) => `t${at + 1}`),
    });
  const suspects = (count: number, doubt: string) =>
    aRun({
      todos: todos(...Array.from({ length: count }, () => "completed" as const)),
      receipts: receiptsOf(
        ...Array.from({ length: count }, (_, at) => aReceipt(`t${at + 1}`, "make", { suspect: true, doubt })),
      ),
    });
  const failing = (kind: "overload" | "rate_limit" | "other", message: string, tries = 0) =>
    aRun({
      todos: open,
      failures: { tries, windows: tries },
      boundary: aBoundary({ at: NOW, failure: aFailure(kind, { message }) }),
    });
  const detail = (given: Run) => {
    const answer = decision(given);
    return "detail" in answer ? answer.detail : undefined;
  };
  const LONG = "x".repeat(2000);

  test.each<[string, string | undefined, Run]>([
    ["what blocks each todo", "[0] no key; [1] no key", aRun({ todos: blocked(2) })],
    [
      "the first ten of them",
      Array.from({ length: 10 }, (_, at) => `[${at}] no key`).join("; "),
      aRun({ todos: blocked(11) }),
    ],
    ["and no more than fits", `[0] ${LONG}`.slice(0, 1000), aRun({ todos: blocked(1, LONG) })],
    [
      "what is in doubt, ten of it",
      Array.from({ length: 10 }, (_, at) => `[${at}] was abandoned by the agent`).join("; "),
      abandoned(11),
    ],
    ["and no more of that than fits", `[0] is suspect: ${LONG}`.slice(0, 1000), suspects(1, LONG)],
    ["what the provider said", "busy", failing("overload", "busy", 1)],
    ["the beginning of it", "x".repeat(300), failing("overload", LONG, 1)],
    ["what it said in the end", "busy", failing("overload", "busy", 99)],
    ["what the limit was", "slow down", failing("rate_limit", "slow down", 99)],
    ["what failed for good", "no such model", failing("other", "no such model")],
    [
      "all that is suspect",
      "[0] is suspect: a; the run's check is suspect: b",
      aRun({
        todos: todos("completed"),
        receipts: receiptsOf(
          aReceipt("t1", "make", { suspect: true, doubt: "a" }),
          aReceipt("run", "make", { suspect: true, doubt: "b" }),
        ),
      }),
    ],
    [
      "why, where it was not written down",
      "[0] is suspect: what its check relies on was changed",
      aRun({ todos: todos("completed"), receipts: receiptsOf(aReceipt("t1", "make", { suspect: true })) }),
    ],
  ])("%s", (_what, expected, given) => expect(detail(given)).toBe(expected));

  test("which phase is next", () =>
    expect(decision(aRun({ workflow }))).toMatchObject({ kind: "phase", step: { type: "phase", phase: "build" } }));
});

describe("what proves a finished list", () => {
  const mine = (run: string) => ({ run, by: "human" }) as const;
  const proposal = (run: string) => ({ run, by: "model" }) as const;
  const passed = (...of: readonly (readonly [owner: string, command: string])[]) =>
    receiptsOf(...of.map(([owner, command]) => aReceipt(owner, command)));
  const two = todos({ status: "completed", checks: [mine("a")] }, { status: "completed", checks: [mine("b")] });

  test.each<[string, string, Run]>([
    [
      "each todo by a check of its own",
      "stop all_done",
      aRun({ todos: two, receipts: passed(["t1", "a"], ["t2", "b"]) }),
    ],
    ["one of them by none", "wait verifying", aRun({ todos: two, receipts: passed(["t1", "a"]) })],
    [
      "two proposals, one of them seen to pass",
      "stop done_unproven",
      aRun({
        todos: todos({ status: "completed", checks: [proposal("a"), proposal("b")] }),
        receipts: passed(["t1", "a"]),
      }),
    ],
    [
      "two proposals, both seen to pass",
      "stop done_unproven",
      aRun({
        todos: todos({ status: "completed", checks: [proposal("a"), proposal("b")] }),
        receipts: passed(["t1", "a"], ["t1", "b"]),
      }),
    ],
    [
      "by a check of yours, beside a proposal that did not run",
      "stop all_done",
      aRun({
        todos: todos({ status: "completed", checks: [mine("a"), proposal("b")] }),
        receipts: passed(["t1", "a"]),
      }),
    ],
    [
      "beside a todo that you dropped",
      "stop all_done",
      aRun({
        todos: todos({ status: "completed", checks: [mine("a")] }, { status: "abandoned", checks: [mine("b")] }),
        receipts: passed(["t1", "a"]),
      }),
    ],
    [
      "what you completed yourself beside something that nothing speaks for",
      "stop done_unproven",
      aRun({
        todos: todos("completed", "completed"),
        todoLedgers: { t1: { ...NEW_TODO_LEDGER, completedByHuman: true } },
      }),
    ],
    ["a todo that you dropped is no doubt", "stop done_unproven", aRun({ todos: todos("completed", "abandoned") })],
    [
      "what you completed yourself, whatever its check says: your word, and no check",
      "stop done_accepted",
      aRun({
        todos: todos("completed"),
        todoLedgers: { t1: { ...NEW_TODO_LEDGER, completedByHuman: true } },
        receipts: receiptsOf(aReceipt("t1", "a", { suspect: true })),
      }),
    ],
    [
      "what is not finished any more is in no doubt",
      "stop done_unproven",
      aRun({
        todos: todos("completed", "abandoned"),
        receipts: receiptsOf(aReceipt("t2", "a", { suspect: true })),
      }),
    ],
  ])("%s -> %s", (_what, expected, given) => expect(answer(given)).toBe(expected));
});

describe("work that there was", () => {
  test.each<[string, string, Run]>([
    ["nothing ever", "stop no_todos", aRun()],
    [
      "one todo, from a plan that another session wrote",
      "stop done_unproven",
      aRun({ todos: todos("completed"), nextTodoId: 1 }),
    ],
    ["one todo that was taken off the list", "stop done_unproven", aRun({ nextTodoId: 2 })],
  ])("%s -> %s", (_what, expected, given) => expect(answer(given)).toBe(expected));
});

describe("when it continues", () => {
  const after = (limits: Partial<Limits>, lastNudgeAt: number) => {
    const answer = decide(aRun({ todos: open, lastNudgeAt }), { ...DEFAULTS, ...limits }, NOW);
    return answer.type === "continue" ? answer.after : answer;
  };
  test.each([
    ["at once", {}, NOW - 5, 0],
    ["after the countdown", { countdownMs: 3000 }, NOW - 5, 3000],
    ["after the rest of the minimum gap", { minimumGapMs: 1000 }, NOW - 400, 600],
    ["after the longer of the two", { countdownMs: 500, minimumGapMs: 1000 }, NOW - 400, 600],
    ["the first nudge has no gap to keep", { minimumGapMs: 1000 }, 0, 0],
  ] as const)("%s", (_name, limits, lastNudgeAt, expected) => expect(after(limits, lastNudgeAt)).toBe(expected));
});

describe("when a wait ends", () => {
  const until = (given: Run) => {
    const answer = decide(given, DEFAULTS, NOW);
    return answer.type === "wait" ? answer.until : answer;
  };
  const failed = (kind: "rate_limit" | "overload", count: number, resetAt?: number) =>
    aRun({
      todos: open,
      failures: { tries: count, windows: kind === "rate_limit" ? count : 0 },
      boundary: aBoundary({ at: NOW, failure: aFailure(kind, resetAt === undefined ? {} : { resetAt }) }),
    });
  const unsent = (tries: number) => aRun({ todos: open, words: [words("w")], unsent: { tries, at: NOW } });
  test.each([
    ["at the reset that the provider named", failed("rate_limit", 1, SOON), SOON],
    [
      "at that reset, also where the clock was set back since",
      aRun({
        todos: open,
        failures: { tries: 1, windows: 1 },
        boundary: aBoundary({ at: NOW + 1, failure: aFailure("rate_limit", { resetAt: SOON }) }),
      }),
      SOON,
    ],
    ["5 s after the first failure", failed("overload", 1), NOW + 5_000],
    ["twice as long after the second", failed("overload", 2), NOW + 10_000],
    ["never longer than 5 min", failed("overload", 8), NOW + 300_000],
    ["a reset that was past when it was told is not believed", failed("rate_limit", 1, NOW - 1), NOW + 5_000],
    ["a reset at the very moment is none", failed("rate_limit", 1, NOW), NOW + 5_000],
    ["5 s after a message that the host did not take", unsent(1), NOW + 5_000],
    ["20 s after the third time", unsent(3), NOW + 20_000],
    ["5 min at most", unsent(8), NOW + 300_000],
    ["with the next event, after as many tries as are allowed", unsent(9), undefined],
    ["with the words of the human, not at a time", aRun({ todos: open, words: [words("w")] }), undefined],
  ] as const)("%s", (_name, given, expected) => expect(until(given)).toBe(expected));
});

function answer(given: Run | History, limits?: Partial<Limits>, rules?: readonly Rule[]): string {
  return said(decision(given, limits, rules));
}

function decision(given: Run | History, limits: Partial<Limits> = {}, rules?: readonly Rule[]) {
  const [run, now] = isHistory(given) ? [given.run, given.now] : [given, NOW];
  return decide(run, { ...DEFAULTS, ...limits }, now, rules);
}

function isHistory(given: Run | History): given is History {
  return "envelopes" in given;
}

function words(id: string, kind: "steer" | "follow-up" = "steer") {
  return { id, text: "Use the other one", kind } as const;
}

function approval() {
  return { call: "c1" } as Run["ledger"]["approvals"][number];
}

function round() {
  return { round: "r1", purpose: "complete", ids: ["t2"], by: "model", until: SOON } as const;
}

function background(agents: number, awaited: number) {
  return { type: "background.changed", agents, awaited } as const;
}

function braked(reason: Braked["reason"], given: Partial<Braked> = {}) {
  return aBoundary({ braked: { reason, how: "now", at: NOW, ...given } });
}

function awaited(until: number) {
  return { agents: 0, awaited: 1, until };
}

function spentBudget() {
  return { budget: { tokens: 100 }, spent: { ...aRun().ledger.spent, input: 60, output: 30, cacheWrite: 10 } };
}

function walking(): WorkflowState {
  const proposal = proposeWorkflow(undefined, startOf([aWorkflow("release", ["build", "publish"])]));
  return proposal.events.reduce(evolveWorkflow, undefined as WorkflowState | undefined)!;
}

function times(count: number, start: History, each: (history: History) => unknown): History {
  for (let done = 0; done < count; done++) each(start);
  return start;
}
