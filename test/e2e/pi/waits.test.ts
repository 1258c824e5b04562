import { expect, test } from "vitest";
import { openRun } from "../../../src/engine/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { createFakeClock, type ModelRequest, type Step } from "../../../src/testing/index.ts";
import { calls, fails, openInProcess, says, until } from "./in-process.ts";
import { nudges, stopsAfterEachItem, workOn, writeList } from "./models.ts";
import { count, isType, openRpc } from "./rpc.ts";
import { openSandbox } from "./sandbox.ts";

const LIMITED = "429 rate limit reached, try again in 60 seconds";
/** A little after the reset, so that not everybody comes back at the same moment. */
const AT_MOST = 80_000;

test("print sleeps visibly inside the boundary until the limit is over, and continues in the same run", async () => {
  const clock = createFakeClock(1_000_000);
  await using pi = await openInProcess({ mode: "print", clock });
  pi.faux.setResponses([calls(writeList(1)), fails(LIMITED), calls(...workOn(0)), says("Done.")]);
  const prompt = pi.session.prompt("go");
  await until(() => pi.notices().length > 0, "the notice");
  expect(pi.notices()).toEqual([
    expect.stringMatching(
      /^The provider asked to wait before the next request\. \(until 00:17:[45]\d UTC\) \[0\/1 done\]$/,
    ),
  ]);
  await clock.advance(59_000);
  expect([pi.faux.state.callCount, pi.session.isStreaming]).toEqual([2, true]);
  await clock.advance(AT_MOST - 59_000);
  await prompt;
  expect([pi.faux.state.callCount, pi.nudges().length]).toEqual([4, 1]);
  expect(pi.events.filter((type) => type === "agent_settled").length).toBe(1);
});

/** Fails once with a limit that is over soon, then works. */
function limitedOnce() {
  let failed = false;
  return (request: ModelRequest): Step => {
    if (request.system === "") return { status: 400, message: "there is no system prompt" };
    if (request.messages.at(-1)?.role !== "tool" || failed) return stopsAfterEachItem(1)(request);
    failed = true;
    return { status: 429, message: "rate limit reached, try again in 500 ms" };
  };
}

test("real pi: print waits and continues in the same call, rpc settles and starts a turn of its own", async () => {
  await using box = await openSandbox({ script: limitedOnce() });
  const { code, out, err } = await box.run("-p", "do it");
  expect([code, out]).toEqual([0, "That is done, I stop here.\n"]);
  expect(err).toMatch(
    /^tildone: The provider asked to wait before the next request\. \(until .* UTC\) \[0\/1 done\]\ntildone: Finished, but/,
  );
  box.model.play(limitedOnce());
  const rpc = openRpc(box);
  rpc.send({ type: "prompt", message: "do it" });
  await rpc.next(isType("agent_settled"));
  const from = rpc.events.findIndex(isType("agent_settled")) + 1;
  await rpc.next(isType("agent_settled"), from);
  expect([await rpc.close(), count(rpc.events, "agent_settled"), count(rpc.events, "extension_error")]).toEqual([
    0, 2, 0,
  ]);
  expect(nudges(box.model.requests).length).toBe(2);
});

test.each(["tui", "rpc"] as const)("%s settles, and starts a turn when the wait is over", async (mode) => {
  const clock = createFakeClock(1_000_000);
  await using pi = await openInProcess({ mode, clock, env: { TILDONE_COUNTDOWN: "0" } });
  pi.faux.setResponses([calls(writeList(1)), fails(LIMITED), calls(...workOn(0)), says("Done.")]);
  await pi.session.prompt("go");
  expect([pi.session.isStreaming, pi.terminal.statuses.get("til-done")]).toEqual([
    false,
    "📋 0/1 done · waits: rate limit",
  ]);
  await clock.advance(AT_MOST);
  await until(() => pi.terminal.statuses.get("til-done")?.startsWith("☑") === true, "the end");
  expect([pi.faux.state.callCount, pi.nudges().length, pi.errors]).toEqual([4, 1, []]);
});

test("words during a wait start their own turn, and the wait's turn never comes beside it", async () => {
  const clock = createFakeClock(1_000_000);
  await using pi = await openInProcess({ mode: "rpc", clock });
  pi.faux.setResponses([calls(writeList(1)), fails(LIMITED)]);
  await pi.session.prompt("go");
  pi.faux.setResponses([calls(...workOn(0)), says("Done.")]);
  await pi.session.prompt("now it works again");
  await clock.advance(600_000);
  expect([pi.faux.state.callCount, pi.nudges(), clock.pending]).toEqual([4, [], 0]);
});

test("an abort in the middle of a turn is an interrupt, in rpc too", async () => {
  let stop = () => {};
  const script = (request: ModelRequest): Step => {
    if (request.messages.at(-1)?.role !== "tool") return { calls: [writeList(2)] };
    return {
      text: "never heard",
      after: new Promise<void>((done) => {
        stop = done;
      }),
    };
  };
  await using box = await openSandbox({ script });
  const rpc = openRpc(box);
  rpc.send({ type: "prompt", message: "do it" });
  await box.model.received(2);
  rpc.send({ type: "abort" });
  await rpc.next(isType("agent_settled"));
  stop();
  expect(rpc.events).toContainEqual(
    expect.objectContaining({ method: "notify", message: expect.stringContaining("Stopped by you") }),
  );
  box.model.play([{ text: "I wrote a list." }]);
  rpc.send({ type: "prompt", message: "what did you do?" });
  const from = rpc.events.length;
  await rpc.next(isType("agent_settled"), from);
  expect(nudges(box.model.requests)).toEqual([]);
  expect([await rpc.close(), count(rpc.events, "extension_error")]).toEqual([0, 0]);
});

test("a session that ends during a wait leaves no timer behind", async () => {
  const clock = createFakeClock(1_000_000);
  await using pi = await openInProcess({ mode: "tui", clock });
  pi.faux.setResponses([calls(writeList(1)), fails(LIMITED), says("never")]);
  await pi.session.prompt("go");
  expect(clock.pending).toBeGreaterThan(0);
  await pi.session.extensionRunner.emit({ type: "session_shutdown", reason: "reload" });
  await pi.session.extensionRunner.emit({ type: "session_shutdown", reason: "reload" });
  expect([clock.pending, pi.terminal.statuses.size, pi.errors]).toEqual([0, 0, []]);
  await clock.advance(600_000);
  expect([pi.faux.state.callCount, pi.nudges()]).toEqual([2, []]);
});

test("a new session during a wait leaves nothing of the old one: no timer, no nudge, no stale error", async () => {
  const script = (request: ModelRequest): Step => {
    const last = request.messages.at(-1);
    if (last?.role === "tool") return { status: 429, message: "rate limit reached, try again in 1 second" };
    return last?.text === "hello" ? { text: "Hello." } : { calls: [writeList(2)] };
  };
  await using box = await openSandbox({ script, keepsSession: true });
  const rpc = openRpc(box);
  rpc.send({ type: "prompt", message: "do it" });
  await rpc.next(isType("agent_settled"));
  const waited = box.model.requests.length;
  rpc.send({ id: "new", type: "new_session" });
  await rpc.next(({ id }) => id === "new");
  const from = rpc.events.length;
  rpc.send({ type: "prompt", message: "hello" });
  await rpc.next(isType("agent_settled"), from);
  rpc.send({ id: "list", type: "prompt", message: "/todos" });
  await rpc.next(({ id }) => id === "list");
  expect(rpc.events.at(-2)).toMatchObject({ method: "notify", message: "No todos" });
  expect(box.model.requests.length).toBe(waited + 1);
  expect([await rpc.close(), count(rpc.events, "extension_error")]).toEqual([0, 0]);
});

test("a fork is a run of its own with the list of its place", async () => {
  await using box = await openSandbox({ script: stopsAfterEachItem(2), keepsSession: true });
  const rpc = openRpc(box);
  rpc.send({ type: "prompt", message: "do it" });
  await rpc.next(isType("agent_settled"));
  box.model.play([{ text: "Hello." }]);
  let from = rpc.events.length;
  rpc.send({ type: "prompt", message: "hello" });
  await rpc.next(isType("agent_settled"), from);
  rpc.send({ id: "places", type: "get_fork_messages" });
  const places = (await rpc.next(({ id }) => id === "places")) as unknown as {
    data: { messages: { entryId: string; text: string }[] };
  };
  const hello = places.data.messages.find(({ text }) => text === "hello");
  rpc.send({ id: "fork", type: "fork", entryId: hello!.entryId });
  expect(await rpc.next(({ id }) => id === "fork")).toMatchObject({ success: true });
  from = rpc.events.length;
  rpc.send({ id: "list", type: "prompt", message: "/todos" });
  await rpc.next(({ id }) => id === "list");
  expect(rpc.events.slice(from)).toContainEqual(
    expect.objectContaining({ method: "notify", message: "◇ [0] item 0\n◇ [1] item 1" }),
  );
  expect([await rpc.close(), count(rpc.events, "extension_error")]).toEqual([0, 0]);
  const store = await openStore({ path: box.store });
  const runs = store.runs.list().map(({ run }) => openRun(store.log, run).run);
  store.close();
  expect(
    runs.map(
      ({ id, origin }) =>
        origin.parent === undefined || runs.some((other) => other.id === origin.parent && other.id !== id),
    ),
  ).toEqual([true, true]);
  expect(runs.filter(({ origin }) => origin.parent !== undefined).length).toBe(1);
});

/** Fails once in this way, then works. */
const onceThenWorks = (step: Step) => {
  let failed = false;
  return (request: ModelRequest): Step => {
    if (request.system === "") return { status: 400, message: "there is no system prompt" };
    if (request.messages.at(-1)?.role !== "tool" || failed) return stopsAfterEachItem(1)(request);
    failed = true;
    return step;
  };
};

test("real pi: a retry-after that stands in the headers alone is waited for", async () => {
  await using box = await openSandbox({
    script: onceThenWorks({ status: 429, message: "rate limited", headers: { "retry-after": "2" } }),
  });
  const began = Date.now();
  const { code, err } = await box.run("-p", "do it");
  expect([code, err]).toEqual([
    0,
    expect.stringMatching(/The provider asked to wait before the next request\. \(until /),
  ]);
  expect(Date.now() - began).toBeGreaterThan(2000);
});
