import { dirname, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { bash, isMain, type Style, stepwise, todowrite, turns } from "./opencode.ts";
import { describeOpenCode, openCodePath, QUICK, useOpenCode } from "./opencode-stage.ts";
import { expectNothingDangling } from "./opencode-transcript.ts";
import { hanging, NEVER } from "./script.ts";

describeOpenCode("opencode run", () => {
  const { setUp, model, sandbox, run, transcript, mainRequests, logged } = useOpenCode("opencode-run");

  test.each([
    ["openai", 3],
    ["openai", 20],
    ["anthropic", 3],
    ["anthropic", 20],
  ] as const)("%s: a model that stops after every item finishes a list of %i", async (style: Style, count) => {
    sandbox().write("home/.config/tildone/config.yaml", QUICK);
    model().play(turns(stepwise(count)));
    const { code, err, out } = await setUp({ style }).run("do it all");
    expect(code, err + out).toBe(0);
    const done = await run();
    expect(done, err).toBeDefined();
    expect(done!.plan.todos.map(({ status }) => status)).toEqual(Array(count).fill("completed"));
    expect(done!.ledger.decision).toMatchObject({ type: "stop", reason: "done_unproven" });
    expect(done!.ledger.spent.continuations).toBe(count);
    expect(mainRequests()).toBe(2 + 3 * count);
    expectNothingDangling(transcript(done!), count);
  });

  test.each(["openai", "anthropic"] as const)("%s: text before a call is no end", async (style) => {
    model().play(turns(stepwise(3, "Now I do the next thing.")));
    const { code, err } = await setUp({ style }).run("do it all");
    expect(code, err).toBe(0);
    expect((await run())!.plan.todos.map(({ status }) => status)).toEqual(Array(3).fill("completed"));
    expect(mainRequests()).toBe(11);
    expect(nudgesShown()).toBe(3); // no request shows a nudge that was taken back
  });

  test("anthropic: a call that comes long after its text is work of the same turn", async () => {
    sandbox().write("home/.config/tildone/config.yaml", QUICK);
    const looks = 5; // more turns than may be idle
    let boundaries = 0;
    const nudgeLies = () =>
      logged(({ ledger }) => ledger.nudge !== undefined && ledger.boundaries > boundaries).then(({ ledger }) => {
        boundaries = ledger.boundaries;
      });
    const lines = [
      () => ({ calls: [todowrite(1, 0)] }),
      () => ({ text: "The list is written." }),
      ...Array.from({ length: looks }, (_, at) => [
        () => ({ text: "Let me look.", calls: [bash(`echo look ${at}`)], callsAfter: nudgeLies() }),
        () => ({ text: "I looked, and stop here." }),
      ]).flat(),
      () => ({ calls: [todowrite(1, 1)] }),
      () => ({ text: "Done." }),
    ];
    model().play((request) => (isMain(request) ? (lines.shift()?.() ?? { text: "over" }) : { text: "A title" }));
    boundaries = 1; // the end of the first turn is a real one
    const { code, err } = await setUp({ style: "anthropic" }).run("do it all");
    expect(code, err).toBe(0);
    const done = await run();
    expect(done!.plan.todos.map(({ status }) => status)).toEqual(["completed"]);
    expect(done!.ledger.spent.continuations).toBe(looks + 1);
    expect(nudgesShown()).toBe(looks + 1);
  });

  test("a runaway that only talks is let go after three nudges", async () => {
    model().play(
      turns([{ calls: [todowrite(1, 0)] }, ...Array.from({ length: 12 }, (_, at) => ({ text: `ok ${at}` }))]),
    );
    const { code, err } = await setUp().run("do it");
    expect(code, err).toBe(0);
    expect(err).toContain("made no progress");
    expect(mainRequests()).toBe(5);
  });

  test("Ctrl-C: the run is interrupted", async () => {
    const { script, asked } = hanging([{ calls: [todowrite(1, 0)] }, NEVER]);
    model().play(script);
    const { env } = setUp();
    await sandbox().run(openCodePath, ["run", "--format", "json", "do it"], env, (child) => {
      void asked.then(() => child.kill("SIGINT"));
    });
    expect((await run())!.ledger.decision).toMatchObject({ type: "stop", reason: "interrupted" });
  });

  describe("answers without words, for which OpenCode calls no hook", () => {
    const silently = (count: number) => stepwise(count).map((step) => (step.calls ? step : { text: "" }));

    test("the process ends and says so; the same session continues by command", async () => {
      model().play(turns(silently(1)));
      const opencode = setUp();
      const first = await opencode.run("do it all");
      expect([first.code, mainRequests()]).toEqual([0, 2]);
      const { session } = (await run())!.origin;
      expect(first.err).toContain(
        `ends after an answer without text, and todos remain. \`opencode run --session ${session}`,
      );
      const command = ["run", "--session", session, "--command", "unhold"];
      const second = await sandbox().run(openCodePath, command, opencode.env);
      expect([second.code, mainRequests()], second.err).toEqual([0, 5]);
      expect((await run())!.plan.todos.map(({ status }) => status)).toEqual(["completed"]);
    });

    test("`tildone run --host opencode` continues by itself", async () => {
      sandbox().write("home/.config/tildone/config.yaml", QUICK);
      model().play(turns(silently(2)));
      const { env } = setUp();
      const { code, out, err } = await sandbox().run(
        process.execPath,
        [resolve("bin/tildone.js"), "run", "--host", "opencode", "do it all"],
        { ...env, PATH: `${dirname(openCodePath)}:${sandbox().env.PATH}` },
      );
      expect(code, out + err).toBe(0);
      const done = (await run())!;
      expect(done.plan.todos.map(({ status }) => status)).toEqual(["completed", "completed"]);
      expectNothingDangling(transcript(done), 0, 3);
    });
  });

  const nudgesShown = (): number =>
    model()
      .requests.filter(isMain)
      .at(-1)!
      .messages.filter(({ role, text }) => role === "user" && /^Todos remain/.test(text)).length;
});
