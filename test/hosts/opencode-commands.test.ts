import { describe, expect, test } from "vitest";
import { todowrite, turns } from "./opencode.ts";
import { describeOpenCode, openCodePath, useOpenCode } from "./opencode-stage.ts";

// A command is OpenCode's word for a prompt; ours ask the model nothing.
describeOpenCode("commands of a client", () => {
  const { setUp, start, command, model, sandbox, server, run, nudges, mainRequests, idled, toast, quiet, logged } =
    useOpenCode("opencode-commands");
  const messages = async (session: string) => (await server().request("GET", `/session/${session}/message`)).body;
  const isHeld = ({ ledger }: { ledger: { held: boolean } }) => ledger.held;

  test("/hold, /todos and /unhold at rest: no error, no request, and the session is as it was", async () => {
    model().play(
      turns([{ calls: [todowrite(1, 0)] }, { text: "stop" }, { calls: [todowrite(1, 1)] }, { text: "done" }]),
    );
    const session = await start({ env: { TILDONE_COUNTDOWN: "5s" } });
    await server().prompt(session, "go");
    await toast("Continuing in 5 s");
    const before = await messages(session);
    expect((await command(session, "hold")).status).toBe(200);
    await toast("On hold.");
    expect((await command(session, "todos")).status).toBe(200);
    await toast("item number 0");
    await quiet(6_000);
    expect([await messages(session), mainRequests(), (await run())!.ledger.boundaries]).toEqual([before, 2, 1]);
    expect((await command(session, "unhold")).status).toBe(200);
    await toast("Finished, but");
    expect([nudges(), mainRequests()]).toEqual([1, 4]);
  });

  test("/hold while the model answers: its turn ends with it, and a client is told by a refusal", async () => {
    const slow = Promise.withResolvers<void>();
    model().play(turns([{ calls: [todowrite(1, 0)] }, { text: "stop", after: slow.promise }]));
    const session = await start();
    await server().prompt(session, "go");
    await model().received(2);
    const { status, body } = await command(session, "hold");
    expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining("at ")]); // no stack of ours
    await logged(({ ledger }) => ledger.held && ledger.turn === undefined);
    slow.resolve();
    await quiet();
    expect([nudges(), mainRequests()]).toEqual([0, 2]);
  });

  test("/unhold after an abort continues at once", async () => {
    const slow = Promise.withResolvers<void>();
    model().play(
      turns([
        { calls: [todowrite(1, 0)] },
        { text: "slow", after: slow.promise },
        { calls: [todowrite(1, 1)] },
        { text: "done" },
      ]),
    );
    const session = await start();
    await server().prompt(session, "go");
    await model().received(2);
    await server().request("POST", `/session/${session}/abort`);
    slow.resolve();
    await toast("Stopped by you");
    expect((await command(session, "unhold")).status).toBe(200);
    await toast("Finished, but");
    expect([mainRequests(), (await run())!.plan.todos.map(({ status }) => status)]).toEqual([4, ["completed"]]);
  });

  test("where OpenCode would ask the model a command is refused, with nothing asked", async () => {
    const session = await start();
    const { status, body } = await command(session, "hold");
    expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining("at ")]); // no stack of ours
    await toast("There is no run");
    await quiet();
    expect([mainRequests(), await messages(session)]).toEqual([0, []]);
  });

  describe("opencode run --command", () => {
    const give = (session: string, ...words: readonly string[]) =>
      sandbox().run(
        openCodePath,
        ["run", "--format", "json", "--session", session, "--command", ...words],
        setUp().env,
      );

    test("holds and lets go without an error; what it lets go is finished", async () => {
      model().play(
        turns([{ calls: [todowrite(1, 0)] }, { text: "stop" }, { calls: [todowrite(1, 1)] }, { text: "done" }]),
      );
      const session = await start({ env: { TILDONE_COUNTDOWN: "60s" } });
      await server().prompt(session, "go");
      await idled(session, 1);
      await server().close();
      const held = await give(session, "hold");
      expect([held.code, mainRequests(), isHeld((await run())!)], held.err).toEqual([0, 2, true]);
      const freed = await give(session, "unhold");
      expect([freed.code, mainRequests(), isHeld((await run())!)], freed.err).toEqual([0, 4, false]);
      expect((await run())!.plan.todos.map(({ status }) => status)).toEqual(["completed"]);
    });
  });
});
