import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeOpenCode, openFakeOpenCode } from "../../../test/opencode/fake-opencode.ts";
import type { HumanAnswer } from "../../core/react/index.ts";
import { asksOf } from "../../core/view/index.ts";
import { openRun, type Store, speak } from "../../engine/index.ts";
import { memoryStore } from "../../store/index.ts";

let fake: FakeOpenCode;
let store: Store;
beforeEach(async () => {
  store = memoryStore();
  fake = await openFakeOpenCode({ store });
  await fake.human("go");
  await fake.list("pending");
  await fake.hooks["tool.execute.before"](
    { tool: "bash", sessionID: "root", callID: "c1" },
    { args: { command: "git push -f" } },
  );
});
afterEach(() => fake.close());

const asks = (id = "per_1", sessionID = "root") =>
  fake.event("permission.asked", {
    ...{ id, sessionID, permission: "bash", patterns: ["git push -f"], always: ["git push *"], metadata: {} },
    tool: { messageID: "m1", callID: "c1" },
  });
const replied = (reply: string, requestID = "per_1") =>
  fake.event("permission.replied", { requestID, sessionID: "root", reply });
const run = () => openRun(store.log, store.runs.list()[0]!.run).run;
/** Another process, which knows nothing but the log. */
const answers = async (said: HumanAnswer, call = "per_1") => {
  const { reply } = speak(store.log, run().id, { type: "human.answer", call, ...said }, fake.clock.now());
  await fake.wait(250);
  return reply.type;
};
const logged = () =>
  store.log
    .read(run().id, 0)
    .events.flatMap(({ by, event }) =>
      event.type === "approval.answered"
        ? [`${by} ${event.outcome}`]
        : event.type === "host.failed"
          ? [event.message]
          : [],
    );

test("a permission waits in the log with the whole command, and has no end", async () => {
  await asks();
  expect(asksOf(run())).toMatchObject([
    {
      type: "approval",
      tool: "bash",
      what: "git push -f",
      shows: "command",
      otherwise: "The run waits until you answer.",
    },
  ]);
  expect(asksOf(run())[0]).not.toHaveProperty("endsAt");
  await fake.wait(86_400_000);
  expect([asksOf(run()).length, fake.replies]).toEqual([1, []]);
});

test.each([
  [{ outcome: "once", words: "" }, { reply: "once" }],
  [{ outcome: "always_rule", words: "" }, { reply: "always" }],
  [
    { outcome: "denied", words: "open a pull request" },
    { reply: "reject", message: "open a pull request" },
  ],
  [{ outcome: "denied", words: "" }, { reply: "reject" }],
] as const)("answered elsewhere with %o, OpenCode is told %o, once", async (said, reply) => {
  await asks();
  expect(await answers(said)).toBe("done");
  await replied(reply.reply); // OpenCode says what it was told
  await fake.wait(1_000);
  expect(fake.replies).toEqual([{ requestID: "per_1", ...reply }]);
  expect(logged()).toEqual([`human ${said.outcome}`]);
  expect(asksOf(run())).toEqual([]);
});

test("always this tool is refused: OpenCode has no such answer", async () => {
  await asks();
  expect(await answers({ outcome: "always_tool", words: "" })).toBe("refused");
  expect([fake.replies, asksOf(run()).length]).toEqual([[], 1]);
});

test("answered in OpenCode, nothing waits any more, and a later answer is refused", async () => {
  await asks();
  await replied("once");
  expect([asksOf(run()), logged()]).toEqual([[], ["human once"]]);
  expect(await answers({ outcome: "denied", words: "" })).toBe("refused");
  expect(fake.replies).toEqual([]);
});

test("answered in both places within a moment: the log says which answer did not count", async () => {
  await asks();
  speak(store.log, run().id, { type: "human.answer", outcome: "once", words: "" }, fake.clock.now());
  await replied("reject");
  await fake.wait(250);
  expect(fake.replies).toEqual([]);
  expect(logged()).toEqual(["human once", "OpenCode did not take your answer: it was denied there."]);
});

test("OpenCode does not take an answer: the log says so", async () => {
  await asks();
  fake.replying = "gone";
  await answers({ outcome: "once", words: "" });
  expect(logged()).toEqual(["human once", expect.stringMatching(/^OpenCode did not take your answer: .*NotFound/)]);
});

test("what a session asked is over when it rests, and not before", async () => {
  await asks();
  await asks("per_2", "child-1");
  await fake.status("idle");
  expect(run().ledger.approvals.map(({ call }) => call)).toEqual(["per_2"]);
  await fake.status("idle", "child-1");
  expect([run().ledger.approvals, fake.replies]).toEqual([[], []]);
});

test("before there is a list nothing can be answered from elsewhere, and nothing breaks", async () => {
  await fake.close();
  store = memoryStore();
  fake = await openFakeOpenCode({ store });
  await fake.human("go");
  await asks();
  await replied("once");
  expect([store.runs.list(), fake.said]).toEqual([[], ""]);
});
