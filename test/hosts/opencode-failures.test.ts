import { expect, test } from "vitest";
import type { Step } from "../../src/testing/index.ts";
import { bash, isMain, todowrite, turns } from "./opencode.ts";
import { describeOpenCode, QUICK, useOpenCode } from "./opencode-stage.ts";

// The provider fails at the real OpenCode, which tries again by itself before it says so.
describeOpenCode("opencode and its provider", () => {
  const { start, model, sandbox, server, run, nudges, toast, quiet, logged } = useOpenCode("opencode-failures");
  const AT_ONCE = { "retry-after-ms": "20" };
  const OVERFLOW: Step = { status: 400, message: "prompt is too long: context_length_exceeded" };

  test("a permanent 400 stops the run at once", async () => {
    model().play(turns([{ calls: [todowrite(1, 0)] }, { status: 400, message: "bad request" }]));
    const session = await start();
    await server().prompt(session, "go");
    await toast("The model provider failed");
    await quiet();
    expect([nudges(), (await run())!.ledger.decision]).toEqual([
      0,
      expect.objectContaining({ type: "stop", reason: "provider_error" }),
    ]);
  });

  test.each([
    ["429", "rate_limited", { status: 429, message: "too many requests", headers: AT_ONCE }],
    ["500", "backoff", { status: 500, message: "internal error", headers: AT_ONCE }],
  ] as const)(
    "%s: while OpenCode tries again nothing is sent; after it gave up the run waits (%s) and goes on",
    async (_status, reason, failure) => {
      sandbox().write("home/.config/tildone/config.yaml", QUICK);
      let nudged = false;
      let at = 0;
      const rest: Step[] = [{ calls: [bash("echo 1 > work.txt")] }, { calls: [todowrite(1, 1)] }, { text: "done" }];
      model().play((request) => {
        if (!isMain(request)) return { text: "A title" };
        nudged ||= /^Todos remain/.test(request.messages.at(-1)?.text ?? "");
        if (nudged) return rest.shift() ?? { text: "over" };
        return at++ === 0 ? { calls: [todowrite(1, 0)] } : failure;
      });
      const session = await start();
      await server().prompt(session, "go");
      await server().seen(
        ({ type, properties }) => type === "session.status" && JSON.stringify(properties).includes('"retry"'),
      );
      const waiting = await logged(({ ledger }) => ledger.decision?.type === "wait");
      expect(waiting.ledger.decision).toMatchObject({ type: "wait", reason });
      await toast("Finished, but");
      expect([nudges(), (await run())!.ledger.spent.continuations]).toEqual([1, 1]);
    },
  );

  test("an overflow is compacted by OpenCode and the run continues to the end", async () => {
    model().play(
      turns([{ calls: [todowrite(1, 0)] }, { text: "stop" }, OVERFLOW, { calls: [todowrite(1, 1)] }, { text: "done" }]),
    );
    const session = await start();
    await server().prompt(session, "go");
    await toast("Finished, but");
    expect((await run())!.plan.todos.map(({ status }) => status)).toEqual(["completed"]);
    expect(server().events.filter(({ type }) => type === "session.compacted")).toHaveLength(1);
  });

  test("a context that is nearly full is compacted: OpenCode's own prompt after it is left out, ours follows", async () => {
    model().play(
      turns([
        { calls: [todowrite(1, 0)] },
        { calls: [bash("echo 1 > work.txt")], usage: { input: 99_000, output: 5 } },
        { calls: [todowrite(1, 1)] },
        { text: "done" },
      ]),
    );
    const session = await start();
    await server().prompt(session, "go");
    await toast("Finished, but");
    const asked = model().requests.filter(isMain);
    expect([server().events.filter(({ type }) => type === "session.compacted").length, nudges()]).toEqual([1, 1]);
    expect(asked[2]!.messages.at(-1)!.text).toContain("item number 0"); // the first thing it sees after the summary
    expect(asked).toHaveLength(4);
  });

  test("an overflow that comes again after the compaction stops the run", async () => {
    const first: Step[] = [{ calls: [todowrite(1, 0)] }, { text: "stop" }];
    model().play((request) => {
      if (isMain(request)) return first.shift() ?? OVERFLOW;
      return /summar|compact/i.test(request.system) ? OVERFLOW : { text: "A title" };
    });
    const session = await start();
    await server().prompt(session, "go");
    await toast("context");
    await quiet();
    expect([nudges() <= 2, (await run())!.ledger.decision]).toEqual([
      true,
      expect.objectContaining({ type: "stop", reason: "context_full" }),
    ]);
  });

  test("an answer that was cut at its limit is an end like any other", async () => {
    model().play(
      turns([
        { calls: [todowrite(1, 0)] },
        { text: "and so on and", stop: "length" },
        { calls: [todowrite(1, 1)] },
        { text: "done" },
      ]),
    );
    const session = await start();
    await server().prompt(session, "go");
    await toast("Finished, but");
    expect(nudges()).toBe(1);
  });
});
