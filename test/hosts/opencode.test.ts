import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import type { Run } from "../../src/core/run/index.ts";
import { type ScriptedModel, startScriptedModel } from "../../src/testing/index.ts";
import {
  bash,
  isMain,
  type OpenCode,
  type Served,
  type Setting,
  type Style,
  setUpOpenCode,
  stepwise,
  todowrite,
  turns,
} from "./opencode.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

// The real OpenCode, the shipped plugin, and a scripted model on loopback.
const binary = inject("binaries").opencode;

describe.skipIf("skipped" in binary)("opencode", () => {
  const path = "path" in binary ? binary.path : "";
  let sandbox: Sandbox;
  let model: ScriptedModel;

  beforeEach(async () => {
    sandbox = createSandbox("opencode");
    model = await startScriptedModel([{ text: "nothing to say" }]);
  });
  afterEach(async () => {
    await model.close();
    sandbox.remove();
  });

  const setUp = (setting: Partial<Setting> = {}): OpenCode =>
    setUpOpenCode(sandbox, path, { url: model.url, ...setting });
  const mainRequests = () => model.requests.filter(isMain).length;

  describe("run", () => {
    test.each([
      ["openai", 3],
      ["openai", 20],
      ["anthropic", 3],
      ["anthropic", 20],
    ] as const)("%s: a model that stops after every item finishes a list of %i", async (style: Style, count) => {
      model.play(turns(stepwise(count)));
      const { code, err, out } = await setUp({ style }).run("do it all");
      expect(code, err + out).toBe(0);
      const [run] = await sandbox.runs();
      expect(run, err).toBeDefined();
      expect(run!.plan.todos.map(({ status }) => status)).toEqual(Array(count).fill("completed"));
      expect(run!.ledger.decision).toMatchObject({ type: "stop", reason: "done_unproven" });
      expect(run!.ledger.spent.continuations).toBe(count);
      expect(mainRequests()).toBe(2 + 3 * count);
    });
  });

  test.each(["openai", "anthropic"] as const)("run, %s: text before a call is no end", async (style) => {
    model.play(turns(stepwise(3, "Now I do the next thing.")));
    const { code, err } = await setUp({ style }).run("do it all");
    expect(code, err).toBe(0);
    const [run] = await sandbox.runs();
    expect(run!.plan.todos.map(({ status }) => status)).toEqual(Array(3).fill("completed"));
    expect(mainRequests()).toBe(11);
    // No request shows a nudge that was taken back.
    const nudged = model.requests
      .at(-1)!
      .messages.filter(({ role, text }) => role === "user" && /^Todos remain/.test(text));
    expect(nudged).toHaveLength(3);
  });

  test("run: a runaway that only talks is let go after three nudges", async () => {
    model.play(turns([{ calls: [todowrite(1, 0)] }, ...Array.from({ length: 12 }, (_, at) => ({ text: `ok ${at}` }))]));
    const { code, err } = await setUp().run("do it");
    expect(code, err).toBe(0);
    expect(err).toContain("nothing came of it");
    expect(mainRequests()).toBe(5);
  });

  describe("how it is named in opencode.json", () => {
    test.each([
      ["the folder of the package", () => resolve(".")],
      ["a file url", () => pathToFileURL(resolve("dist/hosts/opencode/index.js")).href],
    ])("%s", async (_what, plugin) => {
      model.play(turns(stepwise(1)));
      const { code, err } = await setUp({ plugin: plugin() }).run("do it all", "--print-logs", "--log-level", "WARN");
      expect(code, err).toBe(0);
      expect(
        (await sandbox.runs())[0]?.plan.todos.map(({ status }) => status),
        err,
      ).toEqual(["completed"]);
    });
  });

  describe("serve", () => {
    let served: Served;
    afterEach(() => served?.close());

    const start = async (setting: Partial<Setting> = {}): Promise<string> => {
      served = await setUp(setting).serve();
      return served.createSession();
    };
    const run = async (): Promise<Run | undefined> => (await sandbox.runs())[0];
    const idles = (session: string) =>
      served.events.filter(({ type, properties }) => type === "session.idle" && properties.sessionID === session)
        .length;
    const idled = (session: string, times: number) => served.seen(() => idles(session) >= times);
    /** Resolves when tildone said so; every stop and wait is a toast. */
    const toast = (words: string) =>
      served.seen(({ type, properties }) => type === "tui.toast.show" && JSON.stringify(properties).includes(words));
    const nudges = () =>
      model.requests.filter((request) => isMain(request) && /^Todos remain/.test(request.messages.at(-1)?.text ?? ""))
        .length;
    /** Longer than a countdown, a gap and all that comes before: what would be sent is sent by now. */
    const quiet = () => new Promise((done) => setTimeout(done, 6_000));

    test.each([3, 20])(
      "a model that stops after every item finishes a list of %i, one nudge per boundary",
      async (count) => {
        model.play(turns(stepwise(count)));
        const session = await start({ env: { TILDONE_COUNTDOWN: "300ms" } });
        await served.prompt(session, "do it all");
        await toast("Everything is finished");
        const done = await run();
        expect(done!.plan.todos.map(({ status }) => status)).toEqual(Array(count).fill("completed"));
        expect(done!.ledger.spent.continuations).toBe(count);
        expect([nudges(), idles(session)]).toEqual([count, count + 1]);
      },
    );

    test("a turn shorter than the gap is delayed, not lost; the countdown is shown", async () => {
      model.play(
        turns([
          { calls: [todowrite(2, 0)] },
          { text: "a" },
          { text: "b" },
          { calls: [todowrite(2, 2)] },
          { text: "c" },
        ]),
      );
      const session = await start();
      await served.prompt(session, "go");
      await toast("Everything is finished");
      await toast("Goes on in 2 s: 2 open");
      await toast("Goes on in 1 s: 2 open");
      expect(nudges()).toBe(2);
    });

    test("abort while busy: nothing is sent until the human spoke and the work was taken up", async () => {
      const hold = Promise.withResolvers<void>();
      model.play(turns([{ calls: [todowrite(2, 0)] }, { text: "slow", after: hold.promise }, { text: "just talk" }]));
      const session = await start();
      await served.prompt(session, "go");
      await model.received(2);
      await served.request("POST", `/session/${session}/abort`);
      hold.resolve();
      await toast("interrupted");
      await quiet();
      expect(nudges()).toBe(0);
      const before = idles(session);
      await served.prompt(session, "what was that?"); // words alone are not the work taken up again
      await idled(session, before + 1);
      await quiet();
      expect(nudges()).toBe(0);
      expect((await run())!.ledger.decision).toMatchObject({ type: "stop", reason: "interrupted" });
    });

    test("abort during the countdown: nothing is sent", async () => {
      model.play(turns([{ calls: [todowrite(2, 0)] }, { text: "stop" }]));
      const session = await start({ env: { TILDONE_COUNTDOWN: "4s" } });
      await served.prompt(session, "go");
      await toast("Goes on in 4 s");
      await served.request("POST", `/session/${session}/abort`);
      await toast("interrupted");
      await quiet();
      expect(nudges()).toBe(0);
    });

    test("hold: nothing is sent through any number of messages, until unhold", async () => {
      model.play(
        turns([
          { calls: [todowrite(1, 0)] },
          { text: "stop" },
          { text: "yes" },
          { text: "yes" },
          { calls: [todowrite(1, 1)] },
          { text: "done" },
        ]),
      );
      const session = await start({ env: { TILDONE_COUNTDOWN: "4s" } });
      await served.prompt(session, "go");
      await toast("Goes on in 4 s");
      await served.request("POST", `/session/${session}/command`, { command: "hold", arguments: "" });
      await toast("Held.");
      for (const [at, words] of ["one", "two"].entries()) {
        await served.prompt(session, words);
        await idled(session, at + 2);
      }
      await quiet();
      expect([nudges(), mainRequests()]).toEqual([0, 4]);
      await served.request("POST", `/session/${session}/command`, { command: "unhold", arguments: "" });
      await toast("Everything is finished");
      expect(nudges()).toBe(1);
    });

    test("a pending question: no nudge; dismissed: interrupted", async () => {
      const question = [
        "question",
        { questions: [{ question: "Which?", header: "Which", options: [{ label: "A", description: "a" }] }] },
      ] as const;
      model.play(turns([{ calls: [todowrite(1, 0)] }, { calls: [question] }, { text: "hm" }]));
      const session = await start();
      await served.prompt(session, "go");
      const asked = await served.seen(({ type }) => type === "question.asked");
      await quiet();
      expect(nudges()).toBe(0);
      expect((await run())!.ledger.questions).toHaveLength(1);
      await served.request("POST", `/question/${(asked.properties as { id?: string }).id}/reject`);
      await toast("interrupted");
      await quiet();
      expect(nudges()).toBe(0);
    });

    test("a permission that is refused: interrupted", async () => {
      model.play(turns([{ calls: [todowrite(1, 0)] }, { calls: [bash("echo hi")] }, { text: "hm" }]));
      const session = await start({ env: { OPENCODE_PERMISSION: '{"bash":"ask"}' } });
      await served.prompt(session, "go");
      const asked = await served.seen(({ type }) => type === "permission.asked");
      await quiet();
      expect(nudges()).toBe(0);
      const { id } = asked.properties as { id?: string };
      await served.request("POST", `/permission/${id}/reply`, { reply: "reject" });
      await toast("interrupted");
      await quiet();
      expect(nudges()).toBe(0);
    });

    test("a runaway that only talks is let go after three nudges", async () => {
      model.play(
        turns([{ calls: [todowrite(1, 0)] }, ...Array.from({ length: 12 }, (_, at) => ({ text: `ok ${at}` }))]),
      );
      const session = await start({ env: { TILDONE_COUNTDOWN: "200ms" } });
      await served.prompt(session, "go");
      await toast("nothing came of it");
      await quiet();
      expect(nudges()).toBe(3);
    });

    test("a permanent 400 stops at once, an agent that plans is never sent on", async () => {
      model.play(turns([{ calls: [todowrite(1, 0)] }, { status: 400, message: "bad request" }]));
      const session = await start();
      await served.prompt(session, "go");
      await toast("The provider failed");
      expect(nudges()).toBe(0);
      model.play(turns([{ calls: [todowrite(1, 0)] }, { text: "planned" }]));
      const other = await served.createSession();
      await served.prompt(other, "plan it", { agent: "plan" });
      await toast("plan");
      await quiet();
      expect(nudges()).toBe(0);
    });

    test("everything marked as done without any work ends with doubt", async () => {
      model.play(
        turns([{ calls: [todowrite(2, 0)] }, { text: "a" }, { calls: [todowrite(2, 2)] }, { text: "All done." }]),
      );
      const session = await start();
      await served.prompt(session, "go");
      await toast("done without any work seen");
      expect((await run())!.ledger.decision).toMatchObject({ type: "stop", reason: "done_with_doubt" });
    });

    test("a subagent works in a session of its own: only the root is sent on", async () => {
      const task = ["task", { description: "look", prompt: "#child look around", subagent_type: "general" }] as const;
      const steps = [
        { calls: [todowrite(1, 0)] },
        { calls: [task] },
        { text: "stop" },
        { calls: [bash("echo 1 > work.txt")] },
        { calls: [todowrite(1, 1)] },
        { text: "done" },
      ];
      let at = 0;
      model.play((request) => {
        if (!isMain(request)) return { text: "A title" };
        if (request.messages[0]!.text.includes("#child")) return { text: "I looked around." };
        return steps[at++] ?? { text: "The script is over." };
      });
      const session = await start();
      await served.prompt(session, "go");
      await toast("Everything is finished");
      expect(
        served.events.some(
          ({ type, properties }) =>
            type === "session.created" && JSON.stringify(properties).includes(`"parentID":"${session}"`),
        ),
      ).toBe(true);
      expect(nudges()).toBe(1);
      expect(await sandbox.runs()).toHaveLength(1);
    });

    test("an overflow is compacted by OpenCode and the run goes on to the end", async () => {
      model.play(
        turns([
          { calls: [todowrite(1, 0)] },
          { text: "stop" },
          { status: 400, message: "prompt is too long: context_length_exceeded" },
          { calls: [todowrite(1, 1)] },
          { text: "done" },
        ]),
      );
      const session = await start();
      await served.prompt(session, "go");
      await toast("Everything is finished");
      expect((await run())!.plan.todos.map(({ status }) => status)).toEqual(["completed"]);
    });
  });
});
