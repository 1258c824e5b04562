import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OUTCOMES } from "../../../src/core/call/index.ts";
import { speak } from "../../../src/engine/index.ts";
import type { Answered, Board, RunPage, Saying } from "../../../src/serve/index.ts";
import { type AServer, aServer } from "./a-server.ts";
import { changes } from "./changes.ts";
import { aDay, aLife, anApproval, asking, digestFor, keep } from "./runs.ts";

let place: AServer;
beforeAll(async () => {
  place = await aServer();
  aDay(place.store);
});
afterAll(() => place[Symbol.asyncDispose]());

const json = async <T>(response: Response): Promise<T> => (await response.json()) as T;
let clicks = 0;
const click = () => `click-${++clicks}-of-this-test`;
const tell = (run: string, saying: Saying, id = click()) => place.post(`/api/runs/${run}/tell`, { id, saying });
const page = async (run: string) => json<RunPage>(await place.get(`/api/runs/${run}`));
const last = (run: string) => place.store.log.read(run, place.store.log.last(run) - 1).events[0]!;

test("the board holds every run and everything that waits for you", async () => {
  const board = await json<Board>(await place.get("/api/board"));
  expect(board.rows.map(({ run, group }) => `${run} ${group}`).sort()).toEqual([
    "api-deploy needs_you",
    "auth-flaky running",
    "docs-links needs_you",
    "infra-move needs_you",
    "shop-cart stopped",
    "shop-vat1 needs_you",
  ]);
  expect(board.inbox.map(({ type, shows, id }) => [type, shows, id !== undefined])).toEqual(
    expect.arrayContaining([
      ["approval", "command", true],
      ["approval", "diff", true],
      ["question", "text", false],
    ]),
  );
});

test("a run is told whole: list, checks with output, cost over time, what happened", async () => {
  const shop = await page("shop-vat1");
  expect([shop.count.text, shop.todos.length, shop.inbox.length]).toEqual(["2/5 done · 0 proven", 5, 1]);
  expect(shop.spend.at(-1)?.tokens).toBe(shop.spent.tokens);
  expect(shop.timeline.spans.length).toBeGreaterThan(1);
  expect(shop.events.map(({ text }) => text)).toContain("the model answered: 11300 tokens, $0.0310");
  expect((await page("auth-flaky")).checks[0]?.output).toContain("expected 401 to be 200");
});

describe("what you say goes the way of every command", () => {
  const RUN = "told-run";
  beforeAll(() => {
    keep(place.store, aLife({ run: RUN, goal: "Be told" }).writes("one", "two", "three").starts(0).works());
  });
  const texts = async () => (await page(RUN)).todos.map(({ text }) => text);
  const id = async (at: number) => (await page(RUN)).todos[at]!.id;

  test("hold, unhold, say", async () => {
    expect(await json<Answered>(await tell(RUN, { type: "hold", now: false }))).toMatchObject({ status: "done" });
    expect((await page(RUN)).held).toBe(true);
    expect(last(RUN)).toMatchObject({ by: "human", event: { from: { via: "page" } } });
    await tell(RUN, { type: "unhold", text: "" });
    expect((await page(RUN)).held).toBe(false);
    await tell(RUN, { type: "say", text: "use the new parser", later: false });
    expect((await page(RUN)).messages.map(({ text }) => text)).toEqual(["use the new parser"]);
  });

  test("add, change, move, done, drop", async () => {
    await tell(RUN, { type: "add", text: "four", askFirst: false });
    await tell(RUN, { type: "change", todo: await id(1), text: "two again" });
    await tell(RUN, { type: "move", todo: await id(3), to: 1 });
    expect(await texts()).toEqual(["one", "four", "two again", "three"]);
    await tell(RUN, { type: "mark", todo: await id(1), as: "done" });
    expect((await page(RUN)).todos[1]).toMatchObject({ status: "completed", standing: "confirmed" });
    await tell(RUN, { type: "mark", todo: await id(3), as: "drop" });
    expect(await texts()).toEqual(["one", "four", "two again"]);
  });

  test("extend and accept", async () => {
    await tell(RUN, { type: "extend", budget: { tokens: 1000 } });
    expect((await page(RUN)).budgets.find(({ name }) => name === "tokens")?.limit).toBe(401_000);
    expect(await json<Answered>(await tell(RUN, { type: "accept" }))).toEqual({
      status: "done",
      text: "Accepted: what is done so far counts as done. 2 todos still open.",
    });
  });

  test("a click that arrives twice is done once, also after the server was killed in between", async () => {
    const before = (await texts()).length;
    const twice = click();
    await tell(RUN, { type: "add", text: "only once", askFirst: false }, twice);
    const again = await tell(RUN, { type: "add", text: "only once", askFirst: false }, twice);
    expect([again.status, await json<Answered>(again)]).toEqual([200, { status: "done", text: "Done." }]);
    expect((await texts()).length).toBe(before + 1);
  });

  test("a todo that is gone is said, and no other is touched", async () => {
    const answer = await tell(RUN, { type: "mark", todo: "t999", as: "drop" });
    expect([answer.status, (await json<Answered>(answer)).text]).toEqual([
      409,
      "That todo is not on the list any more.",
    ]);
  });

  test("undo without checkpoints says so", async () => {
    const answer = await json<Answered>(await tell(RUN, { type: "undo" }));
    expect(answer).toMatchObject({ status: "refused" });
  });
});

describe("answers to approvals", () => {
  const waits = (run: string) =>
    keep(
      place.store,
      asking(aLife({ run, goal: run }).writes("a").starts(0), anApproval(`call-of-${run}`, "rm -rf build")),
    );
  const answer = (
    run: string,
    outcome: (Saying & { type: "answer" })["outcome"],
    words = "",
    ask = digestFor(`call-of-${run}`),
  ) => tell(run, { type: "answer", ask, outcome, words });

  test.each([
    ["once", "", "once"],
    ["always_rule", "", "always_rule"],
    ["denied", "do not", "denied"],
    ["stopped", "", "stopped"],
  ] as const)("%s is recorded with where it came from", async (outcome, words, recorded) => {
    const run = waits(`answered-${outcome.replace("_", "-")}`);
    expect((await answer(run, outcome, words)).status).toBe(200);
    const found = place.store.log.read(run, 0).events.find(({ event }) => event.type === "approval.answered");
    expect(found).toMatchObject({ by: "human", event: { outcome: recorded, words, from: { via: "page" } } });
    expect((await page(run)).inbox).toEqual([]);
  });

  test("of two answers at once one wins, and the other is told who was first", async () => {
    const run = waits("answered-twice");
    const both = await Promise.all([answer(run, "once"), answer(run, "denied", "no")]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const told = await json<Answered>(both.find(({ status }) => status === 409)!);
    expect(told.status).toBe("taken");
    expect(told.text).toMatch(/^Already answered at .* on the page of tildone serve \(.*\): /);
    expect(told.text).toContain(`: ${OUTCOMES.once}. Your answer changed nothing.`);
    const answers = place.store.log.read(run, 0).events.filter(({ event }) => event.type === "approval.answered");
    expect(answers.length).toBe(1);
  });

  test("an answer to what was shown is none to what asks now", async () => {
    const run = waits("asks-again");
    expect((await answer(run, "once", "", digestFor("call-another"))).status).toBe(409);
    expect((await page(run)).inbox.length).toBe(1);
  });
});

describe("the event stream", () => {
  test("tells of an event that another process appended, and continues after a gap", async () => {
    const { last: before } = await json<Board>(await place.get("/api/board"));
    const stream = changes(place, before);
    speak(
      place.store.log,
      "infra-move",
      { type: "words.queue", words: { id: "w1", text: "hello", kind: "steer" } },
      Date.now(),
    );
    await place.get("/api/board").then(() => tell("shop-vat1", { type: "hold", now: false }));
    const seen: string[] = [];
    for await (const { id, change } of stream) {
      seen.push(change?.type === "run" ? change.row.run : "gone");
      if (seen.includes("shop-vat1")) {
        const missed: string[] = [];
        await tell("shop-vat1", { type: "unhold", text: "" });
        for await (const { change: late } of changes(place, id)) {
          missed.push(late?.type === "run" ? `${late.row.run} ${late.row.held}` : "gone");
          break;
        }
        expect(missed).toEqual(["shop-vat1 false"]);
        break;
      }
    }
  });

  test("a position of another server, or none of ours, means to read everything anew", async () => {
    for (const unknown of ["deadbeef-3", "x", "../../etc/passwd"])
      for await (const { event } of changes(place, unknown)) {
        expect(event).toBe("reset");
        break;
      }
  });

  test("a run that is removed is told, and its page says so", async () => {
    keep(place.store, aLife({ run: "soon-gone", goal: "Vanish" }).writes("a"));
    const { last: before } = await json<Board>(await place.get("/api/board"));
    place.store.runs.remove("soon-gone");
    await tell("shop-cart", { type: "accept" });
    for await (const { change } of changes(place, before)) {
      if (change?.type !== "gone") continue;
      expect(change.run).toBe("soon-gone");
      break;
    }
    const response = await place.get("/api/runs/soon-gone");
    expect([response.status, (await json<{ message: string }>(response)).message]).toEqual([
      404,
      "There is no run soon-gone. It may have been removed.",
    ]);
  });
});

describe("devices", () => {
  test("are listed and revoked; a revoked one sees nothing any more, and its stream ends", async () => {
    const paired = await json<{ token: string; device: { id: string } }>(
      await place.post(
        "/api/pair",
        { code: place.pairing() },
        { "user-agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0" },
      ),
    );
    const other = { authorization: `Bearer ${paired.token}` };
    const { devices } = await json<{ devices: { id: string; name: string }[] }>(await place.get("/api/devices"));
    expect(devices.find(({ id }) => id === paired.device.id)?.name).toBe("Firefox on Linux");
    const stream = await place.get("/api/events", other);
    expect((await place.get("/api/board", other)).status).toBe(200);
    await fetch(`${place.origin}/api/devices/${paired.device.id}`, { method: "DELETE", headers: place.headers });
    expect((await place.get("/api/board", other)).status).toBe(401);
    const reader = stream.body!.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read());
  });

  test("nothing on disk opens the door: hashes only, readable by their owner only", () => {
    for (const folder of ["codes", "devices"]) {
      expect(statSync(join(place.state, "serve", folder)).mode & 0o777).toBe(0o700);
      for (const name of readdirSync(join(place.state, "serve", folder)))
        expect(statSync(join(place.state, "serve", folder, name)).mode & 0o777).toBe(0o600);
    }
  });
});

test("nothing went wrong inside", () => expect(place.failures).toEqual([]));
