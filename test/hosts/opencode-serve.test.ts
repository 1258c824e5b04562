import { expect, test } from "vitest";
import { bash, isMain, stepwise, todowrite, turns } from "./opencode.ts";
import { describeOpenCode, QUICK, useOpenCode } from "./opencode-stage.ts";
import { expectNothingDangling } from "./opencode-transcript.ts";

describeOpenCode("opencode serve", () => {
  const { start, model, sandbox, server, run, transcript, nudges, idles, idled, toast, quiet } =
    useOpenCode("opencode-serve");

  test.each([3, 20])(
    "a model that stops after every item finishes a list of %i, one nudge per boundary",
    async (count) => {
      sandbox().write("home/.config/tildone/config.yaml", QUICK);
      model().play(turns(stepwise(count)));
      const session = await start();
      await server().prompt(session, "do it all");
      await toast("Finished, but");
      const done = await run();
      expect(done!.plan.todos.map(({ status }) => status)).toEqual(Array(count).fill("completed"));
      expect(done!.ledger.spent.continuations).toBe(count);
      expect([nudges(), idles(session)]).toEqual([count, count + 1]);
      expectNothingDangling(transcript(done!), count);
    },
  );

  test("a turn shorter than the gap is delayed, not lost; the countdown is shown", async () => {
    model().play(
      turns([{ calls: [todowrite(2, 0)] }, { text: "a" }, { text: "b" }, { calls: [todowrite(2, 2)] }, { text: "c" }]),
    );
    const session = await start({ env: { TILDONE_COUNTDOWN: "2s" } });
    await server().prompt(session, "go");
    await toast("Finished, but");
    await toast("Continuing in 2 s: 2 open");
    await toast("Continuing in 1 s: 2 open");
    expect(nudges()).toBe(2);
  });

  test("a subagent works in a session of its own: only the root is told to continue", async () => {
    play([
      { calls: [todowrite(1, 0)] },
      { calls: [task({})] },
      { text: "stop" },
      { calls: [bash("echo 1 > work.txt")] },
      { calls: [todowrite(1, 1)] },
      { text: "done" },
    ]);
    const session = await start();
    await server().prompt(session, "go");
    await toast("Finished, but");
    expect(childOf(session)).toBe(true);
    expect(nudges()).toBe(1);
    expect(await sandbox().runs()).toHaveLength(1);
  });

  test("work in the background is waited for, and continues when it has ended", async () => {
    const child = Promise.withResolvers<void>();
    play(
      [
        { calls: [todowrite(1, 0)] },
        { calls: [task({ background: true })] },
        { text: "I wait for it." },
        { text: "It looked around." }, // OpenCode itself hands the result over
        { calls: [bash("echo 1 > work.txt")] },
        { calls: [todowrite(1, 1)] },
        { text: "done" },
      ],
      child.promise,
    );
    const session = await start({ env: { OPENCODE_EXPERIMENTAL_BACKGROUND_SUBAGENTS: "true" } });
    await server().prompt(session, "go");
    await idled(session, 1);
    await quiet();
    expect([nudges(), (await run())!.ledger.decision]).toEqual([
      0,
      expect.objectContaining({ type: "wait", reason: "background" }),
    ]);
    child.resolve();
    await toast("Finished, but");
    expect([nudges(), childOf(session)]).toEqual([1, true]);
  });

  test("a list that OpenCode's own tool calls blocked stops the run with its reason", async () => {
    model().play(
      turns([
        { calls: [todowrite(1, 0)] },
        { calls: [["block_todos", { indices: [0], reason: "the key is missing" }]] },
        { text: "I cannot go on." },
      ]),
    );
    const session = await start();
    await server().prompt(session, "go");
    await toast("the key is missing");
    await quiet();
    expect(nudges()).toBe(0);
  });

  const task = (more: object) =>
    ["task", { description: "look", prompt: "#child look around", subagent_type: "general", ...more }] as const;

  /** The root's steps; its child answers when it may. */
  function play(steps: readonly object[], childMay?: Promise<unknown>): void {
    let at = 0;
    model().play((request) => {
      if (!isMain(request)) return { text: "A title" };
      if (request.messages[0]!.text.includes("#child"))
        return { text: "I looked around.", ...(childMay && { after: childMay }) };
      return steps[at++] ?? { text: "The script is over." };
    });
  }

  const childOf = (session: string): boolean =>
    server().events.some(
      ({ type, properties }) =>
        type === "session.created" && JSON.stringify(properties).includes(`"parentID":"${session}"`),
    );
});
