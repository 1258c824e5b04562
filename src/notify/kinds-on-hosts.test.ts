import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { aReceiver } from "../../test/builders/loopback-receiver.ts";
import { DEFAULTS } from "../core/continuation/index.ts";
import type { Trigger } from "../core/react/index.ts";
import { NOTIFY_KINDS, type NotifyKind } from "../core/run/index.ts";
import { createEngine, type Engine, readEvents } from "../engine/index.ts";
import { openStore } from "../store/index.ts";
import { createFakeClock, createFakeHost, HOST_KINDS, type HostKind } from "../testing/index.ts";
import { sendWaiting, systemWorld } from "./index.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const todo = (askFirst = false): Trigger => ({
  type: "todos.write",
  write: { mode: "replace", todos: [{ text: "a", askFirst }] },
  by: "model",
});
const ended = (more: object = {}): Trigger =>
  ({ type: "turn.ended", turn: "t1", outcome: "completed", ...more }) as Trigger;
const approval = {
  ...{ call: "c1", tool: "bash", what: "npm publish", digest: "d1", because: "ask", shows: "command" as const },
  ...{ askedAt: 1_000, endsAt: 600_000 },
};

/** What happens in a session, up to the moment at which you want to hear of it. */
const STORIES: Readonly<Record<NotifyKind, readonly Trigger[]>> = {
  approval: [todo(), { type: "calls.journal", events: [{ type: "approval.requested", approval }] } as Trigger],
  question: [todo(), { type: "question.opened", id: "q1", text: "Tabs or spaces?" }],
  release: [todo(true), ended()],
  budget: [todo(), ended({ failure: { kind: "rate_limit", message: "slow down" }, outcome: "failed" })],
  stopped: [todo(), ended({ failure: { kind: "refused", message: "I cannot help with that" }, outcome: "failed" })],
  done: [todo(), { type: "todos.edit", edit: { action: "complete", indices: [0] }, by: "human" } as Trigger, ended()],
};

/** A session of a host of that kind, on a real disk. */
async function aSession(kind: HostKind, news: NotifyKind, url: string) {
  const folder = mkdtempSync(join(tmpdir(), "tildone-kinds-"));
  folders.push(folder);
  const store = await openStore({ path: join(folder, "tildone.db") });
  const clock = createFakeClock(1_000);
  const woken: string[] = [];
  const kinds = Object.keys(NOTIFY_KINDS) as NotifyKind[];
  const notify = { kinds, channels: ["webhook"], commands: "redacted", webhook: { url } } as const;
  const process = (driver: string): Engine =>
    createEngine({
      ...{ store, clock, host: createFakeHost(HOST_KINDS[kind], "fake"), cwd: folder, driver },
      newRunId: () => "run1",
      context: () => ({ limits: DEFAULTS, notify: { kinds: notify.kinds, channels: notify.channels } }),
      birth: () => ({ budget: news === "budget" ? { tokens: 1 } : {}, checks: [], requirements: [] }),
      sendNotifications: (run) => woken.push(run),
    });
  const send = () =>
    sendWaiting({ log: store.log, run: "run1", notify, clock, world: systemWorld({ env: {}, alert: () => "" }) });
  const log = () => [...readEvents(store.log, "run1")].map(({ event }) => event);
  return { store, clock, process, send, log, woken };
}

/** A host without an end of its turns never stops: it has nothing but questions and approvals. */
const HAS: readonly (readonly [HostKind, NotifyKind])[] = (Object.keys(HOST_KINDS) as HostKind[]).flatMap((kind) =>
  (Object.keys(NOTIFY_KINDS) as NotifyKind[])
    .filter((news) => HOST_KINDS[kind].boundary !== "none" || news === "approval" || news === "question")
    .map((news) => [kind, news] as const),
);

describe("you hear of it once", () => {
  test.each(HAS)("on a host of the kind %s: %s", async (kind, news) => {
    await using server = await aReceiver();
    const { store, clock, process, send, log, woken } = await aSession(kind, news, server.url);
    // Where a process lives for one event, each event has one of its own, and the last one comes to two of them.
    const isEach = !HOST_KINDS[kind].resident;
    let engine = process("s1");
    const story = STORIES[news];
    for (const [at, trigger] of story.entries()) {
      if (isEach && at > 0) engine = process("s1");
      await engine.tell("s", trigger);
      if (at === 0) {
        await engine.tell("s", { type: "turn.started", turn: "t1" });
        if (news === "budget") await engine.tell("s", { type: "answer.seen", usage: USAGE });
      }
    }
    await process("s1").tell("s", story.at(-1)!); // told again, as by a hook that the host runs twice
    process("s1").open("s", { goOn: false });
    const queued = log().flatMap((event) => (event.type === "notification.queued" ? [event.kind] : []));
    expect(
      queued,
      log()
        .map(({ type }) => type)
        .join(" "),
    ).toEqual([news]);
    expect(woken.length).toBeGreaterThan(0);
    const both = Promise.all([send(), send()]); // two senders at once
    await expect.poll(() => log().at(-1)?.type).toBe("notification.delivered");
    await clock.advance(20_000); // the one that came second looks whether the first one died
    await both;
    await send();
    expect(server.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([`run.${news}`]);
    expect(log().at(-1)).toMatchObject({ type: "notification.delivered", try: 1 });
    store.close();
  });
});

test("that you accepted it is no news to you", async () => {
  await using server = await aReceiver();
  const { store, process, log } = await aSession("terminal", "done", server.url);
  const engine = process("s1");
  for (const trigger of [todo(), { type: "turn.started", turn: "t1" } as Trigger]) await engine.tell("s", trigger);
  await engine.tell("s", {
    type: "todos.edit",
    edit: { action: "abandon", indices: [0], reason: "no" },
    by: "model",
  } as Trigger);
  await engine.tell("s", ended());
  const told = () => log().flatMap((event) => (event.type === "notification.queued" ? [event.reason] : []));
  expect(told()).toEqual(["done_with_doubt"]);
  await engine.tell("s", { type: "human.accept" });
  expect(log().at(-1)).toMatchObject({ type: "run.ended", reason: "done_accepted" });
  expect(told()).toEqual(["done_with_doubt"]);
  store.close();
});

const USAGE = { input: 10, output: 10, cacheRead: 0, cacheWrite: 0, cost: 0 };
