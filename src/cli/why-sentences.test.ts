import { expect, test } from "vitest";
import { STOP, WAIT } from "../core/reason/index.ts";
import type { Failure } from "../core/run/index.ts";
import { viewOf } from "../core/view/index.ts";
import { type History, history } from "../testing/index.ts";

const HOUR = 3_600_000;
const NOW = 1_000_000;
const used = (input: number) => ({ input, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 });
const atWork = (given: Parameters<typeof history>[0] = {}) =>
  history(given).writes("fix vat()", "add a test").turn("human");
const fails = (failure: Failure) => atWork().ends({ outcome: "failed", failure });
const overload = (message: string): Failure => ({ kind: "overload", message });
const often = (times: number, act: (it: History) => History, it: History): History =>
  times === 0 ? it : often(times - 1, act, act(it));
const nudged = (it: History) => it.turn("nudge").ends();

/** What `tildone why` says first, for every situation that a person meets. */
const SITUATIONS: readonly (readonly [situation: string, it: History, says: string])[] = [
  ["the agent works", atWork(), "working: the agent is working."],
  [
    "it stopped early and is told to continue",
    atWork().ends(),
    "continuing: The agent stopped with open todos: told it to continue.",
  ],
  ["you hold it", atWork().ends().holds(), "held: the agent gets no new work. `tildone unhold` continues."],
  [
    "you hold it in the middle of a turn",
    atWork().tell({ type: "answer.seen", calls: 1 }).holds(),
    "held: the turn ends after the tool that runs, and no new one begins. `tildone unhold` continues.",
  ],
  [
    "you interrupted it",
    atWork().ends({ outcome: "aborted" }),
    "stopped: by you. Send a message or run `tildone unhold` to continue.",
  ],
  ["your message is on its way", atWork().queues("w1").ends(), "waiting: Delivering your message."],
  [
    "the agent asked you with its tool",
    atWork().tell({ type: "question.opened", id: "q1", question: "Tabs or spaces?" } as never),
    "WAITING FOR YOU: the agent asked you a question",
  ],
  [
    "it asked you in plain words, twice",
    atWork().ends({ text: "Tabs or spaces?" }).turn("nudge").ends({ text: "Should I use tabs or spaces?" }),
    'stopped: The agent asked you a question and needs your answer: "Should I use tabs or spaces?" `tildone say "your answer"` continues.',
  ],
  [
    "the connection is refused",
    fails(overload("connection refused: http://127.0.0.1:8080/v1")),
    "waiting: The model provider failed: connection refused: http://127.0.0.1:8080/v1. Retrying soon.",
  ],
  [
    "the process of the host was killed",
    fails({ kind: "host", message: "Claude Code ended (signal SIGKILL)" }),
    "waiting: The host failed: Claude Code ended (signal SIGKILL). Retrying soon.",
  ],
  [
    "the provider asks to wait an hour",
    fails({ kind: "rate_limit", message: "429 slow down", resetAt: NOW + HOUR }),
    "waiting: The provider asked to wait before the next request. It continues at <time> (in 1 h).",
  ],
  [
    "the key is wrong",
    fails({ kind: "other", message: "401 this key is not valid" }),
    "stopped: The model provider failed: 401 this key is not valid. Fix what it names, then `tildone unhold` tries again.",
  ],
  [
    "the context is full",
    fails({ kind: "context_full", message: "prompt is too long" }),
    "stopped: The context is full and could not be compacted: prompt is too long. Compact the session in the host (`/compact`), then send a message.",
  ],
  [
    "the host has a limit",
    fails({ kind: "host_limit", message: "its limit of turns" }),
    "stopped: A limit of the host ended the turn: its limit of turns. Raise it in the host, then send a message to continue.",
  ],
  [
    "the model refuses",
    fails({ kind: "refused", message: "content policy" }),
    "stopped: The model refused the task: content policy. Send a message that says it differently.",
  ],
  [
    "the tokens are spent in the middle of a turn",
    atWork({ birth: { budget: { tokens: 100 } } }).tell({ type: "answer.seen", calls: 1, usage: used(100) }),
    "ending: tildone ends this turn. The token budget is spent: 100 of 100 tokens used.",
  ],
  [
    "and the turn has ended",
    atWork({ birth: { budget: { tokens: 100 } } })
      .tell({ type: "answer.seen", calls: 1, usage: used(100) })
      .ends({ outcome: "aborted" }),
    "stopped: The token budget is spent: 100 of 100 tokens used. `tildone extend --tokens 100000` raises it; then send a message.",
  ],
  [
    "the same call again and again",
    often(
      9,
      (it) => it.tell({ type: "answer.seen", calls: 1 }).tell({ type: "call.seen", digest: "same", tool: "read" }),
      atWork(),
    ).ends({ outcome: "aborted" }),
    'stopped: The agent made no progress: read was called 8 times in a row with the same result. Give it a hint: `tildone say "try ..."`.',
  ],
  [
    "told to continue and nothing happens",
    often(3, nudged, atWork().ends()),
    'stopped: The agent made no progress: 3 turns in a row without any activity. Give it a hint: `tildone say "try ..."`.',
  ],
  [
    "a todo waits for you",
    atWork()
      .tell({
        type: "todos.edit",
        edit: { action: "block", indices: [0, 1], reason: "needs the API key" },
        by: "model",
      })
      .ends(),
    'stopped: Every open todo is blocked: [0] needs the API key; [1] needs the API key. `tildone say "..."` gives the agent what it needs; `tildone todo unblock <index>` frees a todo.',
  ],
  [
    "finished, nothing checks it",
    atWork().works().completes(0, 1).ends(),
    "over: Finished, but not all of it is proven by a check. `tildone report` shows what is not; `tildone accept` signs it off.",
  ],
  [
    "no list",
    history().tell({ type: "goal.set", goal: "mend it" }).turn("human").ends().turn("nudge").ends(),
    "stopped: The agent never wrote a todo list. Send it a message that says what to do.",
  ],
  [
    "plan mode",
    atWork().tell({ type: "mode.changed", readOnly: true }).ends(),
    "stopped: The host is in plan or read-only mode. Leave that mode and send a message to continue.",
  ],
  ["compacting", atWork().tell({ type: "compaction.began" }).ends(), "waiting: The host is compacting the context."],
  [
    "an agent in the background",
    atWork().tell({ type: "background.changed", agents: 1, awaited: 0 }).ends(),
    "waiting: for a subagent or a command in the background. It continues at <time> (in 13 min) at the latest.",
  ],
  [
    "an unattended run is out of tokens",
    atWork({ birth: { budget: { tokens: 100 } } })
      .tell({ type: "run.launch", launch: {} })
      .tell({ type: "answer.seen", calls: 1, usage: used(100) })
      .ends({ outcome: "aborted" }),
    "stopped: The token budget is spent: 100 of 100 tokens used. Continue with: tildone run --resume run-1 --max-tokens 200",
  ],
  [
    "an unattended run got nowhere",
    often(3, nudged, atWork().tell({ type: "run.launch", launch: {} }).ends()),
    'stopped: The agent made no progress: 3 turns in a row without any activity. Continue with: tildone run --resume run-1 "what to try"',
  ],
  ["the agent works on a todo", atWork().starts(0), "working: the agent is working on [0] fix vat()."],
  [
    "the host is gone",
    atWork().tell({ type: "host.left" }),
    "left: the host exited in the middle of a turn 17 min ago. Resume its session to continue.",
  ],
];

test.each(SITUATIONS)("%s", (_situation, { run }, says) =>
  expect(viewOf(run, { now: NOW, isOurs: true }).state.line.replace(CLOCK, "at <time>")).toBe(says),
);

/** Local time, with the date where that is another one. */
const CLOCK = /at (?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d/;

test.each([
  [
    "its process died",
    true,
    0,
    "cut off: its process ended in the middle of the work. Resume its session to continue.",
  ],
  [
    "it says nothing any more",
    false,
    3 * HOUR,
    "silent: no sign of it for 3 h. Busy, or its host exited without saying so.",
  ],
])("%s", (_situation, isGone, ms, says) =>
  expect(viewOf(atWork().run, { now: NOW, heardAt: NOW - ms, isGone }).state.line).toBe(says),
);

test("every reason to stop or wait is one or two sentences, and names what you can do", () => {
  for (const [reason, { says, next }] of Object.entries(STOP)) {
    expect([reason, /^[A-Z][^.]*\.$/.test(says)]).toEqual([reason, true]);
    expect([reason, next === "" || /`tildone |`\/|[Ss]end /.test(next)]).toEqual([reason, true]);
    expect(`${says} ${next}`).not.toMatch(INTERNAL);
  }
  for (const { says } of Object.values(WAIT)) expect(says).not.toMatch(INTERNAL);
});

/** Words of the code that mean nothing to a user. */
const INTERNAL = /boundary|epoch|driver|claim|settle|\bround\b|human|nudge|ledger/i;
