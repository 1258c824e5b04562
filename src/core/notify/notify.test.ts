import { describe, expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { aRun } from "../../testing/index.ts";
import type { Approval } from "../call/index.ts";
import { STOP, stopRow } from "../reason/index.ts";
import type { Notification, Run } from "../run/index.ts";
import { dueDeliveries, messageOf, newsIn, retryAt, staleBecause } from "./index.ts";
import { kindOfStop } from "./kind-of.ts";

const stopped = (reason: string, detail?: string) =>
  ({ type: "stop", reason, rule: "r", ...(detail !== undefined && { detail }) }) as never;
const decided = (reason: string) =>
  ({ event: { type: "decision.made", boundary: "b1", decision: stopped(reason) } }) as never;
const anApproval = (given: Partial<Approval> = {}): Approval => ({
  ...{ call: "c1", tool: "bash", what: "npm publish", digest: "d1", because: "ask", askedAt: 0, endsAt: 9_000 },
  shows: "command",
  ...given,
});
const asking = (given: Partial<Approval> = {}, more: object = {}): Run =>
  aRun({ approvals: [anApproval(given)], ...more } as never);
const about = (given: Partial<Notification> = {}): Notification => ({
  ...{ id: "n1", kind: "approval", reason: "approval", about: "c1", digest: "d1", at: 0, deliveries: {}, buttons: [] },
  ...given,
});

describe("what you hear of", () => {
  test.each([
    ["all_done", "done"],
    ["done_unproven", "done"],
    ["done_with_doubt", "done"],
    ["question", "question"],
    ["awaiting_release", "release"],
    ["budget_tokens", "budget"],
    ["budget_minutes", "budget"],
    ["blocked", "stopped"],
    ["no_progress", "stopped"],
    ["provider_error", "stopped"],
    ["a_reason_of_tomorrow", "stopped"],
  ])("%s is told as %s", (reason, kind) => {
    expect(newsIn(aRun({}), [decided(reason)])).toEqual([{ kind, reason }]);
  });

  test("a stop that you said yourself, or that is no work, is not told", () => {
    for (const reason of Object.keys(STOP).filter((one) => stopRow(one).reaches !== "away"))
      expect(newsIn(aRun({}), [decided(reason)])).toEqual([]);
    expect(Object.keys(STOP).map(kindOfStop)).not.toContain(undefined);
  });

  test("an approval is told with what it is about; a question only while the agent works", () => {
    const requested = { event: { type: "approval.requested", approval: anApproval() } } as never;
    expect(newsIn(asking(), [requested])).toEqual([
      { kind: "approval", reason: "approval", about: "c1", digest: "d1" },
    ]);
    const opened = { event: { type: "question.opened", id: "q1" } } as never;
    const turn = { id: "t1" } as never;
    expect(newsIn(aRun({ turn } as never), [opened])).toEqual([{ kind: "question", reason: "question", about: "q1" }]);
    expect(newsIn(aRun({}), [opened])).toEqual([]);
    expect(newsIn(asking({}, { turn }), [opened])).toEqual([]); // the prompt that asks about the call
  });

  test("what was answered meanwhile is no news", () => {
    expect(staleBecause(asking(), about())).toBeUndefined();
    expect(staleBecause(asking({ digest: "d2" }), about())).toContain("answered");
    expect(staleBecause(aRun({}), about())).toContain("answered");
    const run = aRun({ decision: stopped("blocked"), boundary: { status: "stopped" } } as never);
    const stop = about({ kind: "stopped", reason: "blocked" });
    expect(staleBecause(run, stop)).toBeUndefined();
    expect(staleBecause(aRun({ decision: stopped("held") } as never), stop)).toContain("continued");
  });
});

describe("a message", () => {
  test("shows the whole command, and only then offers to approve it", () => {
    expect(messageOf(asking(), about(), "redacted")).toMatchObject({
      title: "bash needs your approval",
      text: "bash needs your approval: npm publish",
      command: "npm publish",
      answers: ["approve", "deny"],
    });
  });

  test.each<[string, Partial<Approval>, "redacted" | "hidden"]>([
    ["a command with a secret taken out", { what: "curl -u me:[redacted] x" }, "redacted"],
    ["a command that is too long", { what: `echo ${"x".repeat(1_500)}; rm -rf ~` }, "redacted"],
    ["a command that grows when it is written out", { what: `echo ${"\u202e".repeat(300)}` }, "redacted"],
    ["a change to a file", { shows: undefined as never, what: "--- a\n+++ a\n@@ @@\n-1\n+2" }, "redacted"],
    ["commands that you hide", {}, "hidden"],
  ])("%s cannot be approved with a button", (_what, given, commands) =>
    expect(messageOf(asking(given), about(), commands).answers).toEqual(["deny"]),
  );

  test("holds no contents of files, and no command where you hide them", () => {
    const what =
      "src/key.ts (new file)\n--- src/key.ts\n+++ src/key.ts\n@@ -0,0 +1,2 @@\n+const KEY = 'open sesame'\n+export {}";
    const { text } = messageOf(asking({ shows: undefined as never, what }), about(), "redacted");
    expect(text).toBe("bash needs your approval: src/key.ts (+2 -0)");
    expect(JSON.stringify(messageOf(asking(), about(), "hidden"))).not.toContain("publish");
  });

  test("a message that offers Approve says exactly one command", () => {
    const odd = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\n", "\t", "\u202e", "⏎", "\\u0020", " ", "\u200b"),
    );
    const commands = fc.array(odd, { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(commands, commands, (one, other) => {
        const [a, b] = [one, other].map((what) => messageOf(asking({ what }), about(), "redacted"));
        if (a!.answers.includes("approve") && b!.answers.includes("approve"))
          expect(a!.text === b!.text).toBe(one === other);
      }),
      { numRuns: 2_000 },
    );
  });

  test("fits into what ntfy takes, whatever stands in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 3_000 }), fc.string({ maxLength: 500 }), (what, goal) => {
        const { title, text } = messageOf({ ...asking({ what }), goal }, about(), "redacted");
        expect(Buffer.byteLength(text)).toBeLessThan(4_096);
        expect(title.length).toBeLessThan(200);
      }),
      { numRuns: 500 },
    );
  });

  test("a stop says what happened and what to do", () => {
    const run = { ...aRun({ decision: stopped("blocked", "[0] needs a key") } as never), goal: "Ship it" };
    expect(messageOf(run, about({ kind: "stopped", reason: "blocked" }), "redacted")).toMatchObject({
      title: "Stopped (blocked): Ship it",
      news: "needs_you",
      text: expect.stringMatching(/^Every open todo is blocked: \[0\] needs a key\. `tildone say/),
      answers: [],
    });
  });
});

test("what failed is tried again a few times, later each time, and then given up", () => {
  const pauses = Array.from({ length: 5 }, (_, tries) => retryAt(tries + 1, 0));
  expect(pauses).toEqual([2_000, 10_000, 30_000, 120_000, undefined]);
});

test("what is left to do is known from the log alone", () => {
  const deliveries: Notification["deliveries"] = {
    command: { status: "delivered", try: 1 },
    ntfy: { status: "retrying", try: 1, retryAt: 50 },
    webhook: { status: "sending", try: 1, until: 20 },
    slack: { status: "queued" },
    desktop: { status: "cut", try: 1 },
  };
  const run = aRun({ notifications: { count: 1, recent: [about({ at: 5, deliveries })] } } as never);
  expect(dueDeliveries(run)).toEqual([
    { id: "n1", channel: "slack", at: 5 },
    { id: "n1", channel: "webhook", at: 20 },
    { id: "n1", channel: "ntfy", at: 50 },
  ]);
});
