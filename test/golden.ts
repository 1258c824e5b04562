// Stories that the real engine lives through, so that their logs can be kept: later versions must still read them.

import type { Trigger } from "../src/core/react/index.ts";
import type { Failure, Run } from "../src/core/run/index.ts";
import type { Todo } from "../src/core/todo/index.ts";
import type { StartCommand, StepAction } from "../src/core/workflow/index.ts";
import { speak, tellRefused } from "../src/engine/index.ts";
import { createFakeWorld, type FakeWorld, said } from "../src/testing/index.ts";
import { aFirstResult } from "./builders/a-first-result.ts";
import { aWorkflow, startOf } from "./builders/workflow.ts";

const MINUTE = 60_000;

/** What a log must still fold to: what a human would tell about the run, and no detail of how it is kept. */
export function summaryOf(run: Run) {
  const { ledger, plan } = run;
  return {
    run: run.id,
    status: run.status,
    goal: run.goal ?? null,
    list: statusesOf(plan.todos),
    workflow: plan.workflow ? `${plan.workflow.status} ${plan.workflow.path.at(-1)?.phaseId ?? ""}`.trim() : null,
    decision: said(ledger.decision),
    endReason: ledger.endReason ?? null,
    held: ledger.held,
    interrupted: ledger.interrupt !== undefined,
    off: ledger.off,
    driver: ledger.claim.driver,
    words: ledger.words.map(({ id }) => id),
    questions: ledger.questions,
    approvals: ledger.approvals.map(({ call }) => call),
    budget: ledger.budget,
    spent: spentOf(ledger.spent),
    boundaries: ledger.boundaries,
    sinceProgress: ledger.since,
    receipts: Object.values(ledger.receipts).map(({ owner, command, status }) => `${owner} ${command} ${status}`),
    abandoned: ledger.abandoned.length,
    errors: ledger.errors,
  };
}

/** What older versions counted, and what was estimated where something was. */
const spentOf = ({ estimated, ...spent }: Run["ledger"]["spent"]) => (estimated > 0 ? { ...spent, estimated } : spent);

export interface Story {
  readonly given?: Parameters<typeof createFakeWorld>[0];
  readonly happens: (world: FakeWorld) => Promise<unknown>;
}

export const STORIES: Readonly<Record<string, Story>> = {
  "stops-early-goes-on-is-proven": {
    given: { kind: "idle", birth: { checks: [{ run: "npm test", by: "human" }], budget: { tokens: 10_000 } } },
    async happens(world) {
      world.checks.guards = "guard-1";
      await spoken(world, "t1");
      await world.tell(
        write(
          { text: "Write the parser", priority: "high", touches: ["src/**"] },
          { text: "Write the docs", needs: [0] },
        ),
      );
      await world.tell(edit("start", 0));
      await worked(world, "c1");
      world.workspace.state = "files-1";
      await ended(world, "t1");
      await nudged(world, "t2");
      await worked(world, "c2");
      await world.tell(edit("complete", 0));
      await ended(world, "t2");
      await nudged(world, "t3");
      const completing = world.tell(edit("complete", 1));
      await world.clock.settle();
      world.checks.pass();
      await completing;
      await ended(world, "t3");
    },
  },
  "aborted-corrected-held": {
    given: { kind: "terminal", limits: { countdownMs: 3_000 } },
    async happens(world) {
      await world.tell(write({ text: "Fix the bug" }, { text: "Ask before this", askFirst: true }));
      await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
      await ended(world, "t1", { outcome: "aborted" });
      await spoken(world, "t2");
      await worked(world, "c1");
      await ended(world, "t2");
      await world.tell({ type: "human.interrupt", how: "key" });
      await world.tell({ type: "human.unhold" });
      await world.clock.advance(1_000);
      speak(world.store.log, "run-1", { type: "human.hold", now: true }, world.clock.now());
      await world.clock.advance(250);
      await world.tell({ type: "continuation.switch", on: false });
      await world.tell({ type: "continuation.switch", on: true });
      await world.tell({ type: "todos.human_edit", edit: { action: "release", indices: [1] } });
      await world.tell({ type: "todos.human_edit", edit: { action: "change", index: 0, text: "Fix the other bug" } });
      await world.tell({ type: "todos.human_edit", edit: { action: "move", index: 1, to: 0 } });
      await world.tell({ type: "todos.human_edit", edit: { action: "done", indices: [0] } });
      await world.tell({ type: "todos.human_edit", edit: { action: "reopen", indices: [0] } });
      await world.tell({ type: "todos.human_edit", edit: { action: "drop", indices: [1] } });
    },
  },
  "stopped-resumed-accepted": {
    given: { kind: "idle" },
    async happens(world) {
      await world.tell(write({ text: "Try the key", check: "make key" }));
      await world.tell({ type: "run.launch", launch: { host: "codex", hostArgs: ["--full-auto"] } });
      await ended(world, undefined, failed("other"));
      const words = { id: "m1", text: "The key is in .env", kind: "steer" } as const;
      await world.tell({ type: "human.resume", words, budget: { tokens: 5_000 } });
      await spoken(world, "t2");
      await worked(world, "c1");
      await world.tell(edit("complete", 0));
      await ended(world, "t2");
      await world.tell({ type: "human.accept", checks: "run" });
      await world.clock.settle();
      world.checks.pass();
      await world.clock.settle();
    },
  },
  "limits-backoff-failed-nudge": {
    given: { kind: "idle" },
    async happens(world) {
      await world.tell(write({ text: "Call the model" }));
      await ended(world, undefined, failed("rate_limit", world.clock.now() + MINUTE));
      await world.clock.advance(2 * MINUTE);
      await nudged(world, "t2");
      await ended(world, "t2", failed("overload"));
      world.host.refuses = "the session is busy";
      await world.clock.advance(10_000);
      await world.clock.advance(MINUTE);
      await nudged(world, "t3");
      await ended(world, "t3", failed("context_full"));
    },
  },
  "settings-left-out-and-a-long-sleep": {
    given: { dropped: [{ file: ".tildone/config.yaml", line: 2, says: "budget must be an object of settings." }] },
    async happens(world) {
      await spoken(world, "t1");
      await world.tell(write({ text: "Go on all the same" }));
      await ended(world, "t1");
      await nudged(world, "t2");
      await world.clock.jump(8 * 60 * MINUTE);
      await ended(world.another({ dropped: [] }), "t2");
    },
  },
  "a-limit-ends-the-turn": {
    given: { kind: "terminal", birth: { budget: { tokens: 1_000 } } },
    async happens(world) {
      await world.tell(write({ text: "Never settle" }));
      await spoken(world, "t1");
      const answer = { type: "answer.seen", turn: "t1", calls: 1, usage: usage(300) } as const;
      await world.tell(answer);
      await world.clock.advance(1_000);
      await world.tell({ type: "call.seen", digest: "c1", turn: "t1" });
      await world.tell(answer);
      await world.tell({ type: "question.opened", id: "q1" });
      await world.clock.advance(MINUTE);
      await world.tell({ type: "question.closed", id: "q1" });
      await world.tell({ type: "call.seen", digest: "c1", turn: "t1", tool: "read" });
      await world.clock.advance(15_000);
      await world.tell({ type: "answer.growing", turn: "t1", usage: usage(250) });
      await world.tell({ type: "tool.began", turn: "t1" });
      await world.tell({ ...answer, usage: usage(450), estimated: true });
      await ended(world, "t1", { outcome: "aborted" });
    },
  },
  "cut-off-and-taken-over": {
    given: { kind: "idle", driver: "old" },
    async happens(world) {
      await world.tell(write({ text: "Survive" }));
      await world.tell({ type: "question.opened", id: "q1" });
      await world.tell({ type: "question.closed", id: "q1" });
      await world.tell({ type: "question.opened", id: "q2" });
      await world.tell({ type: "recovery.began" });
      await world.tell({ type: "compaction.began" });
      await world.tell({ type: "background.changed", agents: 1, awaited: 0 });
      await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
      await world.tell({ type: "host.left" });
      world.engine.dispose();
      const second = world.another({ driver: "second" });
      second.host.nudge = () => new Promise(() => {});
      second.engine.open("s", { goOn: true });
      await second.clock.settle();
      second.engine.dispose();
      const third = world.another({ driver: "third", kind: "terminal" });
      third.engine.open("s", { goOn: false, delivered: [] });
      await third.tell({ type: "host.failed", where: "status", message: "no terminal" });
      speak(world.store.log, "run-1", { type: "run.bind", host: "fake", session: "s" }, world.clock.now());
      const attempt = { attempt: "extend", text: "tildone extend --tokens 9", because: "a check started it" } as const;
      tellRefused(world.store.log, "run-1", attempt, world.clock.now(), { via: "process" });
    },
  },
  "goal-budget-words": {
    given: { kind: "idle", birth: { goal: "Ship the release", budget: { continuations: 2 } } },
    async happens(world) {
      await world.tell({ type: "goal.set" });
      await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
      await ended(world, "t1");
      await nudged(world, "t2");
      await world.tell(write({ text: "Build it" }, { text: "Publish it" }));
      await world.tell({ type: "words.queue", words: { id: "w1", text: "Not on Friday", kind: "steer" } });
      await world.tell({ type: "words.queue", words: { id: "w2", text: "Then tell the others", kind: "follow-up" } });
      await world.tell({ type: "words.edit", id: "w2", text: "Then tell everybody" });
      await world.tell({ type: "words.queue", words: { id: "w3", text: "Never mind", kind: "follow-up" } });
      await world.tell({ type: "words.remove", id: "w3" });
      world.host.refuses = "the host is busy";
      await ended(world, "t2", { usage: { input: 900, output: 100, cacheRead: 5_000, cacheWrite: 50, cost: 0.25 } });
      await world.clock.advance(5_000);
      await spoken(world, "t3");
      await world.tell(edit("block", 0, "the registry is down"));
      await world.tell(edit("abandon", 1, "nobody wants it"));
      await world.tell({ type: "model.chosen", model: "scripted", baseUrl: "http://127.0.0.1:4711/v1" });
      await world.tell({ type: "mode.changed", readOnly: true });
      await ended(world, "t3", { text: "Which registry do you mean?" });
      await world.tell({ type: "mode.changed", readOnly: false });
      await spoken(world, "t4");
      await ended(world, "t4");
      await world.tell({ type: "human.extend", budget: { continuations: 5 } });
      await world.tell({
        type: "usage.seen",
        usage: { input: 10, output: 10, cacheRead: 0, cacheWrite: 0, cost: 0.01 },
      });
      await world.tell({ type: "human.accept" });
    },
  },
  "checks-fail-and-hold": {
    given: { kind: "idle", allowsChecks: true, birth: { checks: [{ run: ["npm", "test"], by: "human" }] } },
    async happens(world) {
      await world.tell(write({ text: "Make it green", check: "npm run lint" }, { text: "Say so" }));
      await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
      await world.tell({ type: "check.tried", first: aFirstResult({ run: ["npm", "test"], by: "human" }) });
      await worked(world, "c1");
      const first = world.tell(edit("complete", 0));
      await world.clock.settle();
      world.checks.fail(["npm run lint"], "2 errors");
      await first;
      const second = world.tell(edit("complete", 0));
      await world.clock.settle();
      world.checks.pass();
      await second;
      await world.tell({ type: "todos.human_edit", edit: { action: "done", indices: [1] } });
      await ended(world, "t1");
      await world.tell({ type: "human.hold", now: false });
      await world.tell({ type: "human.unhold" });
      world.checks.fail(['["npm","test"]'], "1 failed");
      await world.clock.settle();
      await nudged(world, "t2");
    },
  },
  "unproven-where-nobody-runs-checks": {
    given: { kind: "tools", runsChecks: false },
    async happens(world) {
      await world.tell(write({ text: "Prove it yourself", check: "npm test" }));
      await world.tell({ type: "call.seen", digest: "c1", command: { line: "npm test", passed: true, output: "ok" } });
      await world.tell(edit("complete", 0));
      await world.tell({ type: "human.clear" });
    },
  },
  "workflow-with-a-loop": {
    given: { kind: "idle" },
    async happens(world) {
      await begun(world);
      world.workspace.state = "files-1";
      await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
      await step(world, "next", "planned");
      await step(world, "loop", "once more");
      await step(world, "cancel");
      await step(world, "status");
      await step(world, "next");
      await step(world, "next", "built");
      await ended(world, "t1");
    },
  },
  "workflow-given-up": {
    given: { kind: "idle" },
    async happens(world) {
      await begun(world);
      await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
      await step(world, "cancel");
      await step(world, "cancel", "not wanted");
      await ended(world, "t1");
    },
  },
  "undone-and-put-back": {
    given: { kind: "idle" },
    async happens(world) {
      const point = (id: string, files = 0) => ({
        ...{ id, tree: `tree:${id}`, facts: `facts-${id}`, changed: { files, added: files, removed: 0 }, ms: 12 },
      });
      const taken = (id: string, moment: "list" | "start" | "end" | "turn_ended", ids: readonly string[], files = 0) =>
        world.tell({ type: "checkpoint.taken", moment, ids, checkpoint: point(id, files) });
      await spoken(world, "t1");
      await world.tell(write({ text: "Write the parser" }, { text: "Write the docs" }));
      await taken("c1", "list", []);
      await world.tell(edit("start", 0));
      await taken("c2", "start", ["t1"]);
      await worked(world, "c1");
      await world.tell(edit("complete", 0));
      await taken("c3", "end", ["t1"], 2);
      await world.tell({ type: "checkpoints.unavailable", why: "the disk is full", lasting: false });
      await ended(world, "t1");
      const undo = { ids: ["t1"], steps: [{ from: "c2", to: "c3" }] };
      const words = (id: string) => ({ id, text: "I took it back.", kind: "steer" }) as const;
      await world.tell({
        ...{ type: "human.undo", undo: "u1", ...undo, words: words("m1") },
        ...{ before: point("u1.before"), after: point("u1.after", 2) },
      });
      await world.tell({
        ...{ type: "human.undo", undo: "u2", ...undo, redoes: "u1", words: words("m2") },
        ...{ before: point("u2.before"), after: point("u2.after", 2) },
      });
    },
  },
  "begins-anew-after-two-todos": {
    given: { kind: "print", limits: { context: { mode: "fresh", every: 2, can: true } } },
    async happens(world) {
      await world.tell(write({ text: "Write the parser" }, { text: "Write the tests" }, { text: "Write the docs" }));
      await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
      await worked(world, "c1");
      await world.tell({
        ...{ type: "todos.edit", by: "model" },
        edit: { action: "complete", indices: [0], note: "The parser is strict." },
      });
      await world.tell({ type: "conversation.renew" });
      await worked(world, "c2");
      await world.tell(edit("complete", 1));
      await world.tell({ type: "conversation.renew" });
      await ended(world, "t1");
    },
  },
  "told-while-you-look-away": {
    given: { kind: "idle", notify: { kinds: ["approval", "done"], channels: ["ntfy", "slack", "webhook"] } },
    async happens(world) {
      const approval = {
        ...{
          call: "k1",
          tool: "bash",
          what: "npm publish",
          digest: "d1",
          because: "it asks",
          shows: "command" as const,
        },
        ...{ askedAt: 1_000, endsAt: 900_000 },
      } as const;
      await world.tell(write({ text: "Publish" }));
      await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
      await world.tell({ type: "calls.journal", events: [{ type: "approval.requested", approval }] });
      const tell = (trigger: Trigger) => speak(world.store.log, world.run.id, trigger, world.clock.now());
      const send = (channel: "ntfy" | "slack" | "webhook", hash?: string) =>
        tell({
          ...{ type: "notification.send", id: "n1", channel, until: world.clock.now() + 15_000 },
          buttons: hash === undefined ? [] : [{ hash, answer: "approve", until: 800_000 }],
        });
      const sent = { type: "notification.sent", id: "n1", try: 1 } as const;
      send("ntfy", "a1b2");
      tell({ ...sent, channel: "ntfy", outcome: { status: "delivered", said: "HTTP 200" } });
      send("slack");
      tell({ ...sent, channel: "slack", outcome: { status: "failed", why: "HTTP 503", retryAt: 5_000 } });
      send("webhook");
      await world.clock.advance(20_000);
      send("webhook"); // its process died
      tell({ type: "human.press", hash: "a1b2" });
      send("slack"); // answered meanwhile
      await ended(world, "t1");
    },
  },
  "calls-and-approvals": {
    given: { kind: "idle" },
    async happens(world) {
      const approval = {
        call: "k1",
        tool: "bash",
        what: "npm publish",
        because: "it asks",
        askedAt: 1_000,
        endsAt: 9_000,
      };
      await world.tell(write({ text: "Publish" }));
      await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
      await world.tell({
        type: "calls.journal",
        events: [
          { type: "approval.requested", approval },
          { type: "call.intended", call: "k2", tool: "write", what: "src/a.ts", writes: ["src/a.ts"], attempt: 1 },
          { type: "call.settled", call: "k2", tool: "write", status: "success", effect: "done", digest: "d2" },
          { type: "call.late", call: "k0", effect: "done" },
          { type: "call.cut", call: "k3", tool: "bash", what: "npm version minor", effect: "unknown" },
          {
            type: "batch.settled",
            batch: "b1",
            counts: { success: 1, error: 0, cancelled: 0 },
            digests: ["d2"],
            omitted: 0,
          },
        ],
      });
      await world.tell({ type: "human.answer", call: "k1", outcome: "once", words: "" });
      await ended(world, "t1");
    },
  },
  "another-branch-and-a-nudge-taken-back": {
    given: { kind: "loop" },
    async happens(world) {
      await world.tell(write({ text: "One" }, { text: "Two" }));
      const { plan } = world.run;
      await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
      await world.tell(edit("complete", 0));
      await world.tell({ type: "plan.rebase", plan });
      await ended(world, "t1");
      await world.tell({ type: "turn.resume", ended: "t1", turn: "t1.1", why: "a call followed" });
      await world.tell({ type: "recovery.began" });
      await world.tell({ type: "recovery.ended" });
      await world.tell({ type: "compaction.began" });
      await world.tell({ type: "compaction.ended" });
      await ended(world, "t1.1", failed("overload"));
    },
  },
};

type End = Partial<Trigger & { type: "turn.ended" }>;

/** Lives a story through and gives its log as it stands on the disk. */
export async function logOf({ given, happens }: Story) {
  const world = createFakeWorld(given);
  await happens(world);
  await world.clock.settle();
  return world.store.log.read("run-1", 0).events;
}

function write(...todos: readonly object[]): Trigger {
  return { type: "todos.write", write: { mode: "replace", todos }, by: "model" } as Trigger;
}

function edit(action: "start" | "complete" | "abandon" | "block", index: number, reason?: string): Trigger {
  return { type: "todos.edit", edit: { action, indices: [index], ...(reason && { reason }) }, by: "model" };
}

function failed(kind: Failure["kind"], resetAt?: number): End {
  return { outcome: "failed", failure: { kind, message: `it failed: ${kind}`, ...(resetAt && { resetAt }) } };
}

async function spoken(world: FakeWorld, turn: string): Promise<void> {
  await world.tell({ type: "human.spoke" });
  await world.tell({ type: "turn.started", turn, cause: "human" });
}

async function nudged(world: FakeWorld, turn: string): Promise<void> {
  await world.clock.settle();
  await world.tell({ type: "turn.started", turn, cause: "nudge" });
}

async function worked(world: FakeWorld, digest: string): Promise<void> {
  await world.clock.advance(1_000);
  await world.tell({ type: "call.seen", digest });
}

async function ended(world: FakeWorld, turn: string | undefined, end: End = {}): Promise<void> {
  await world.clock.advance(1_000);
  world.settle({ ...(turn !== undefined && { turn }), ...end });
  await world.clock.settle();
}

async function begun(world: FakeWorld): Promise<void> {
  const { type: _type, now: _now, ...start } = startOf([aWorkflow("release", ["plan", "build"])]) as StartCommand;
  await world.tell({ type: "workflow.start", start });
}

async function step(world: FakeWorld, action: StepAction, summary?: string): Promise<void> {
  await world.tell({ type: "workflow.step", action, by: "model", ...(summary && { summary }) });
}

const usage = (input: number) => ({ input, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 });

/** What the log says of each item, whatever screens make of it. */
const statusesOf = (todos: readonly Todo[]): string =>
  todos.length === 0 ? "No todos" : todos.map(({ status, text }, at) => `${SIGNS[status]} [${at}] ${text}`).join("\n");

const SIGNS = { not_started: "–", in_progress: "●", blocked: "⏸", completed: "✓", abandoned: "✗" } as const;
