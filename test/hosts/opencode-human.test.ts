import { describe, expect, test } from "vitest";
import { bash, isMain, todowrite, turns } from "./opencode.ts";
import { describeOpenCode, useOpenCode } from "./opencode-stage.ts";
import { BACKGROUND, wayBack } from "./way-back.ts";

// What the user does at the real OpenCode, and that nothing is sent against it.
describeOpenCode("opencode and its user", () => {
  const { start, command, model, server, run, nudges, mainRequests, idles, idled, toast, quiet } =
    useOpenCode("opencode-human");

  describe("abort: nothing is sent until the user spoke and the work was taken up, and then to the end", () => {
    const abort = (session: string) => server().request("POST", `/session/${session}/abort`);

    /** Words alone are not the work taken up again. */
    async function comesBack(session: string, quietMs?: number): Promise<void> {
      await toast("Stopped by you");
      await quiet(quietMs);
      expect(nudges()).toBe(0);
      const before = idles(session);
      await server().prompt(session, "what was that?");
      await idled(session, before + 1);
      await quiet(quietMs);
      expect(nudges()).toBe(0);
      expect((await run())!.ledger.decision).toMatchObject({ type: "stop", reason: "interrupted" });
      await server().prompt(session, "go on with it");
      await toast("Finished, but");
      expect([nudges(), (await run())!.plan.todos.map(({ status }) => status)]).toEqual([1, ["completed"]]);
    }

    test("while busy", async () => {
      const hold = Promise.withResolvers<void>();
      model().play(wayBack([{ calls: [todowrite(1, 0)] }, { text: "slow", after: hold.promise }]));
      const session = await start();
      await server().prompt(session, "go");
      await model().received(2);
      await abort(session);
      hold.resolve();
      await comesBack(session);
    });

    test("during the countdown", async () => {
      model().play(wayBack([{ calls: [todowrite(1, 0)] }, { text: "stop" }]));
      const session = await start({ env: { TILDONE_COUNTDOWN: "4s" } });
      await server().prompt(session, "go");
      await toast("Continuing in 4 s");
      await abort(session);
      await comesBack(session, 5_000);
    });

    test("while idle, the run waiting for an agent in the background, also when that has ended", async () => {
      const child = Promise.withResolvers<void>();
      const root = wayBack([{ calls: [todowrite(1, 0)] }, { calls: [BACKGROUND] }, { text: "I wait." }]);
      model().play((request) =>
        isMain(request) && request.messages[0]!.text.includes("#child")
          ? { text: "I looked.", after: child.promise }
          : root(request),
      );
      const session = await start({ env: { OPENCODE_EXPERIMENTAL_BACKGROUND_SUBAGENTS: "true" } });
      await server().prompt(session, "go");
      await idled(session, 1);
      await abort(session);
      child.resolve();
      await comesBack(session);
    });

    test("at rest, after the run stopped: what you say next does not set it off", async () => {
      model().play(
        turns([{ calls: [todowrite(1, 0)] }, ...Array.from({ length: 9 }, (_, at) => ({ text: `ok ${at}` }))]),
      );
      const session = await start({ env: { TILDONE_COUNTDOWN: "300ms" } });
      await server().prompt(session, "go");
      const decision = async () => (await run())?.ledger.decision;
      await expect.poll(decision, { timeout: 60_000 }).toMatchObject({ type: "stop", reason: "no_progress" });
      const sent = nudges();
      await abort(session);
      await expect.poll(async () => (await run())?.ledger.interrupt, { timeout: 60_000 }).toBeDefined();
      const before = idles(session);
      await server().prompt(session, "hello");
      await idled(session, before + 1);
      await quiet();
      expect(nudges()).toBe(sent);
      expect(await decision()).toMatchObject({ type: "stop", reason: "interrupted" });
    });
  });

  test("a session that you delete ends its run", async () => {
    model().play(turns([{ calls: [todowrite(1, 0)] }, { text: "stop" }]));
    const session = await start({ env: { TILDONE_COUNTDOWN: "4s" } });
    await server().prompt(session, "go");
    await toast("Continuing in 4 s");
    expect((await server().request("DELETE", `/session/${session}`)).status).toBe(200);
    await expect.poll(async () => (await run())?.ledger.endReason, { timeout: 60_000 }).toBe("cleared");
    await quiet(5_000);
    expect([nudges(), mainRequests()]).toEqual([0, 2]);
    expect((await run())!.status).toBe("ended");
  });

  test("hold: nothing is sent through any number of messages, until unhold", async () => {
    const words = ["one", "two", "three"];
    model().play(
      turns([
        { calls: [todowrite(1, 0)] },
        { text: "stop" },
        ...words.map((text) => ({ text })),
        { calls: [todowrite(1, 1)] },
        { text: "done" },
      ]),
    );
    const session = await start({ env: { TILDONE_COUNTDOWN: "10s" } });
    await server().prompt(session, "go");
    await toast("Continuing in 10 s");
    await command(session, "hold");
    await toast("On hold.");
    for (const [at, each] of words.entries()) {
      await server().prompt(session, each);
      await idled(session, at + 2);
    }
    await quiet(11_000);
    expect([nudges(), mainRequests()]).toEqual([0, 2 + words.length]);
    const transcript = await server().request("GET", `/session/${session}/message`);
    expect(JSON.stringify(transcript.body)).not.toContain("On hold."); // a command leaves nothing in the session
    await command(session, "unhold");
    await toast("Finished, but");
    expect(nudges()).toBe(1);
  });

  test("a pending question: no nudge; dismissed: interrupted", async () => {
    const question = [
      "question",
      { questions: [{ question: "Which?", header: "Which", options: [{ label: "A", description: "a" }] }] },
    ] as const;
    model().play(turns([{ calls: [todowrite(1, 0)] }, { calls: [question] }, { text: "hm" }]));
    const session = await start();
    await server().prompt(session, "go");
    const asked = await server().seen(({ type }) => type === "question.asked");
    await quiet();
    expect(nudges()).toBe(0);
    expect((await run())!.ledger.questions).toHaveLength(1);
    await server().request("POST", `/question/${(asked.properties as { id?: string }).id}/reject`);
    await toast("Stopped by you");
    await quiet();
    expect(nudges()).toBe(0);
  });

  test("a permission that is refused: interrupted", async () => {
    model().play(turns([{ calls: [todowrite(1, 0)] }, { calls: [bash("echo hi")] }, { text: "hm" }]));
    const session = await start({ env: { OPENCODE_PERMISSION: '{"bash":"ask"}' } });
    await server().prompt(session, "go");
    const asked = await server().seen(({ type }) => type === "permission.asked");
    await quiet();
    expect(nudges()).toBe(0);
    const { id } = asked.properties as { id?: string };
    await server().request("POST", `/permission/${id}/reply`, { reply: "reject" });
    await toast("Stopped by you");
    await quiet();
    expect(nudges()).toBe(0);
  });

  test("an agent that plans is never sent on", async () => {
    model().play(turns([{ calls: [todowrite(1, 0)] }, { text: "planned" }]));
    const session = await start();
    await server().prompt(session, "plan it", { agent: "plan" });
    await toast("plan");
    await quiet();
    expect(nudges()).toBe(0);
  });
});
