import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { aReceiver, ok } from "../../test/builders/loopback-receiver.ts";
import type { NotifySettings } from "../config/index.ts";
import type { Approval } from "../core/call/index.ts";
import { DEFAULTS } from "../core/continuation/index.ts";
import { NOTIFY_KINDS, type NotifyKind } from "../core/run/index.ts";
import { createEngine, openRun, readEvents, type Store } from "../engine/index.ts";
import { openStore } from "../store/index.ts";
import { createFakeClock, createFakeHost, type FakeClock, HOST_KINDS } from "../testing/index.ts";
import { answerButton, sendWaiting, systemWorld } from "./index.ts";
import { hashOf } from "./tokens.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const ADDRESS = "https://phone.example";
const settings = (given: Partial<NotifySettings>): NotifySettings => {
  const { ntfy, webhook, slack, command, desktop } = given;
  const channels = Object.entries({ command, ntfy, webhook, slack, desktop }).filter(([, one]) => one !== undefined);
  return {
    ...{ kinds: Object.keys(NOTIFY_KINDS) as NotifyKind[], commands: "redacted" },
    channels: channels.map(([name]) => name as never),
    ...given,
  };
};

/** A run on a real disk with an agent in it, that asks for approval when it is told to. */
async function aRunThatAsks(notify: NotifySettings) {
  const folder = mkdtempSync(join(tmpdir(), "tildone-notify-"));
  folders.push(folder);
  const store = await openStore({ path: join(folder, "tildone.db") });
  const clock = createFakeClock(1_000);
  const woken: string[] = [];
  let processes = 0;
  const another = () =>
    createEngine({
      ...{ store, clock, host: createFakeHost(HOST_KINDS.terminal, "fake"), cwd: folder, driver: `p${processes++}` },
      newRunId: () => "run1",
      context: () => ({ limits: DEFAULTS, notify: { kinds: notify.kinds, channels: notify.channels } }),
      birth: () => ({ budget: {}, checks: [], requirements: [] }),
      sendNotifications: (run) => woken.push(run),
    });
  const engine = another();
  await engine.tell("s", { type: "todos.write", write: { mode: "replace", todos: [{ text: "a" }] }, by: "model" });
  await engine.tell("s", { type: "turn.started", turn: "t1" });
  const ask = (given: Partial<Approval> = {}) =>
    engine.tell("s", { type: "calls.journal", events: [{ type: "approval.requested", approval: asked(given) }] });
  const asked = (given: Partial<Approval>): Approval => ({
    ...{ call: "c1", tool: "bash", what: "npm publish", digest: "d1", because: "ask", shows: "command" },
    ...{ askedAt: clock.now(), endsAt: clock.now() + 600_000 },
    ...given,
  });
  return { store, clock, engine, another, ask, woken, send: () => sendAll(store, clock, notify) };
}

const sendAll = (store: Store, clock: FakeClock, notify: NotifySettings) =>
  sendWaiting({
    log: store.log,
    run: "run1",
    notify,
    clock,
    world: systemWorld({ env: process.env, alert: () => "" }),
  });

const log = (store: Store) =>
  [...readEvents(store.log, "run1")]
    .map(({ event }) => event)
    .filter(({ type }) => /^(notification|button)/.test(type));
const types = (store: Store) => log(store).map(({ type }) => type.split(".")[1]);

test("sends an approval to every channel once, and records that it arrived", async () => {
  await using server = await aReceiver();
  const notify = settings({
    ntfy: { url: `${server.url}/team/topic-1`, token: "tk_secret_token_1" },
    webhook: { url: `${server.url}/hook`, secret: "a secret of sixteen" },
    slack: { url: `${server.url}/slack` },
    command: ["sh", "-c", '[ "$TILDONE_TEXT" = "bash needs your approval: npm publish" ]'],
  });
  const { store, clock, ask, woken, send } = await aRunThatAsks(notify);
  await ask();
  expect(woken).toEqual(["run1"]);
  const both = Promise.all([send(), send()]); // two processes that were woken
  await expect.poll(() => types(store).filter((type) => type === "delivered").length).toBe(4);
  await clock.advance(20_000); // the one that came second looks whether the first one died
  await both;
  await send();
  expect(types(store).sort()).toEqual([...Array(4).fill("delivered"), "queued", ...Array(4).fill("sending")]);
  const at = (path: string) => server.received.filter((one) => one.path === path);
  expect(server.received).toHaveLength(3);
  const [ntfy] = at("/team/");
  expect(ntfy!.headers.authorization).toBe("Bearer tk_secret_token_1");
  expect(JSON.parse(ntfy!.body)).toEqual({
    ...{ topic: "topic-1", title: "bash needs your approval", message: "bash needs your approval: npm publish" },
    ...{ tags: ["raised_hand"], priority: 4 },
  });
  const [hook] = at("/hook");
  const { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": signature } = hook!.headers;
  const mac = createHmac("sha256", "a secret of sixteen").update(`${id}.${seconds}.${hook!.body}`).digest("base64");
  expect(signature).toBe(`v1,${mac}`);
  expect(JSON.parse(hook!.body)).toMatchObject({ type: "run.approval", data: { run: "run1", command: "npm publish" } });
  expect(JSON.parse(at("/slack")[0]!.body).text).toContain("npm publish");
  expect(JSON.stringify(log(store))).not.toContain("tk_secret");
  store.close();
});

test("a server that fails is asked again, later each time, and then given up", async () => {
  await using server = await aReceiver((response) => void response.writeHead(503).end("overloaded"));
  const { store, clock, ask, send } = await aRunThatAsks(settings({ webhook: { url: server.url } }));
  await ask({ endsAt: Number.MAX_SAFE_INTEGER });
  const sending = send();
  for (const [tries, pause] of [2_000, 10_000, 30_000, 120_000].entries()) {
    await expect.poll(() => types(store).filter((type) => type === "failed").length).toBe(tries + 1);
    await clock.advance(pause);
  }
  await sending;
  expect(types(store)).toEqual(["queued", ...Array(5).fill(["sending", "failed"]).flat()]);
  expect(log(store).at(-1)).toMatchObject({ try: 5, why: "HTTP 503: overloaded" });
  expect(log(store).at(-1)).not.toHaveProperty("retryAt");
  expect(new Set(server.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set(["run1/n1"]));
  store.close();
});

test.each<[string, number, string, number]>([
  ["a wrong address", 404, "HTTP 404", 1],
  ["a redirect, which is not followed", 302, "points elsewhere", 1],
  ["too many requests", 429, "HTTP 429", 2],
])("%s: %i", async (_what, status, why, tries) => {
  await using server = await aReceiver((response, number) =>
    number === 1 ? void response.writeHead(status, { location: "http://127.0.0.1:1/" }).end() : ok(response),
  );
  const { store, clock, ask, send } = await aRunThatAsks(settings({ slack: { url: server.url } }));
  await ask();
  const sending = send();
  await expect.poll(() => types(store)).toContain("failed");
  expect(log(store).find(({ type }) => type === "notification.failed")).toMatchObject({
    why: expect.stringContaining(why),
  });
  await clock.advance(2_000);
  await sending;
  expect(server.received).toHaveLength(tries);
  store.close();
});

test("a server that never answers is given up after its time, and the run did not wait for it", async () => {
  await using server = await aReceiver(() => {});
  const notify = settings({ ntfy: { url: `${server.url}/t` } });
  const { store, clock, engine, ask } = await aRunThatAsks(notify);
  const system = systemWorld({ env: {}, alert: () => "" });
  const world = {
    ...system,
    fetch: (url: string, request: object) => system.fetch(url, { ...request, ms: 1_000 } as never),
  };
  await ask();
  const sending = sendWaiting({ log: store.log, run: "run1", notify, clock, world });
  await expect.poll(() => server.received.length, { timeout: 10_000 }).toBe(1);
  await engine.tell("s", { type: "human.answer", call: "c1", outcome: "once", words: "" });
  expect(engine.run("s")!.ledger.approvals).toEqual([]); // answered while the server hangs
  await expect.poll(() => types(store), { timeout: 10_000 }).toContain("failed");
  await clock.advance(2_000);
  await sending;
  expect(
    log(store)
      .map(({ type }) => type)
      .slice(1),
  ).toEqual([
    "notification.sending",
    "notification.failed",
    "notification.skipped", // it was answered meanwhile: no news any more
  ]);
  store.close();
});

test("what a killed sender left is found cut off and sent again, and what it never began is sent", async () => {
  await using server = await aReceiver();
  const notify = settings({ webhook: { url: server.url }, slack: { url: server.url } });
  const { store, clock, ask, send } = await aRunThatAsks(notify);
  await ask();
  // As the log stands when a sender is killed between its note and its request.
  const hang = { ...systemWorld({ env: {}, alert: () => "" }), fetch: () => new Promise<never>(() => {}) };
  void sendWaiting({ log: store.log, run: "run1", notify: { ...notify, channels: ["webhook"] }, clock, world: hang });
  await expect.poll(() => types(store).filter((type) => type === "sending").length).toBeGreaterThan(0);
  const open = openRun(store.log, "run1").run.ledger.notifications!.recent[0]!.deliveries;
  expect(open.webhook).toMatchObject({ status: "sending" });
  const next = send();
  await clock.advance(20_000);
  await next;
  const after = openRun(store.log, "run1").run.ledger.notifications!.recent[0]!.deliveries;
  expect(after).toMatchObject({ webhook: { status: "delivered", try: 2 }, slack: { status: "delivered" } });
  expect(types(store)).toContain("cut");
  expect(server.received).toHaveLength(2);
  store.close();
});

test("a desktop message goes to the notify-send that is on the PATH, as text and not as markup", async () => {
  const notify = settings({ desktop: true });
  const { store, clock, ask } = await aRunThatAsks(notify);
  const folder = folders.at(-1)!;
  const said = join(folder, "said.txt");
  const program = (code: number) =>
    writeFileSync(join(folder, "notify-send"), `#!/bin/sh\nprintf '%s|' "$@" >> '${said}'\nexit ${code}\n`, {
      mode: 0o755,
    });
  const send = () =>
    sendWaiting({
      ...{ log: store.log, run: "run1", notify, clock },
      world: systemWorld({ env: { PATH: `${folder}:/usr/bin:/bin` }, alert: () => "" }),
    });
  program(0);
  await ask({ what: "echo <b>hi</b> && ls" });
  await send();
  expect(readFileSync(said, "utf8")).toBe(
    "--app-name=tildone|--|bash needs your approval|bash needs your approval: echo &lt;b&gt;hi&lt;/b&gt; &amp;&amp; ls|",
  );
  expect(log(store).at(-1)).toMatchObject({ type: "notification.delivered", said: "notify-send" });
  program(1);
  await ask({ call: "c2", digest: "d2" });
  await send();
  expect(log(store).at(-1)).toMatchObject({
    type: "notification.failed",
    why: "notify-send failed, and the run has no terminal",
  });
  store.close();
});

test("a run that another process takes over has what is left over sent", async () => {
  await using server = await aReceiver();
  const notify = settings({ slack: { url: server.url } });
  const { engine, woken, another, send, store } = await aRunThatAsks(notify);
  const failure = { kind: "refused", message: "I cannot help with that" } as const;
  await engine.tell("s", { type: "turn.ended", turn: "t1", outcome: "failed", failure });
  expect(log(store)).toMatchObject([{ type: "notification.queued", kind: "stopped", reason: "refused" }]);
  // The process it woke was killed before it began.
  engine.open("s", { goOn: false });
  expect(woken).toEqual(["run1"]); // not a second time by the same process
  another().open("s", { goOn: false });
  expect(woken).toEqual(["run1", "run1"]);
  await send();
  expect(server.received).toHaveLength(1);
  another().open("s", { goOn: false });
  expect(woken).toHaveLength(2); // nothing is left
  store.close();
});

function buttonsIn(body: string) {
  const { actions } = JSON.parse(body) as {
    readonly actions: readonly {
      readonly label: string;
      readonly url: string;
      readonly headers?: Record<string, string>;
    }[];
  };
  const token = (label: string) => actions.find((one) => one.label === label)?.headers?.Authorization;
  return { labels: actions.map(({ label }) => label), approve: token("Approve"), deny: token("Deny"), actions };
}

async function pressed(given: Partial<Approval> = {}, more: Partial<NotifySettings> = {}) {
  const server = await aReceiver();
  const world = await aRunThatAsks(settings({ ntfy: { url: `${server.url}/t` }, address: ADDRESS, ...more }));
  await world.ask(given);
  await world.send();
  const buttons = buttonsIn(server.received[0]!.body);
  const press = (authorization: string | undefined, method = "POST") =>
    answerButton(world.store, world.clock.now(), { method, authorization });
  const answers = () =>
    [...readEvents(world.store.log, "run1")].flatMap(({ event, by }) =>
      event.type === "approval.answered" ? [[by, event.call, event.outcome, event.digest, event.from?.via]] : [],
    );
  return { ...world, server, buttons, press, answers };
}

test("a button approves this call once, and no other button works after it", async () => {
  const { server, buttons, press, answers, store, ask } = await pressed();
  await using _ = server;
  expect(buttons.labels).toEqual(["Approve", "Deny", "Open"]);
  expect(buttons.actions.every(({ url }) => url.startsWith(`${ADDRESS}/`))).toBe(true);
  expect(JSON.stringify(log(store))).not.toContain(buttons.approve!.slice(-43)); // only its hash is kept
  expect(JSON.stringify(log(store))).toContain(hashOf(buttons.approve!.slice("Bearer ".length)));
  expect(press(buttons.approve)).toMatchObject({ status: 200, body: "Approved." });
  expect(answers()).toEqual([["human", "c1", "once", "d1", "button"]]);
  expect(press(buttons.approve)).toMatchObject({ status: 409 });
  expect(press(buttons.deny)).toMatchObject({ status: 409 });
  await ask({ call: "c2" }); // the same command, asked again
  await ask(); // the very same call, asked again
  expect(press(buttons.approve)).toMatchObject({ status: 409 });
  expect(answers()).toHaveLength(1);
  store.close();
});

test("Deny denies, and stops the run as a denial without words does", async () => {
  const { server, buttons, press, answers, store } = await pressed();
  await using _ = server;
  expect(press(buttons.deny)).toMatchObject({ status: 200, body: "Denied." });
  expect(answers()).toEqual([["human", "c1", "denied", "d1", "button"]]);
  store.close();
});

test("a button expires with its call, and after an hour at most", async () => {
  for (const [endsAt, later] of [
    [61_000, 60_000],
    [9e9, 60 * 60_000],
  ] as const) {
    const { server, buttons, press, answers, clock, store } = await pressed({ endsAt });
    await using _ = server;
    await clock.advance(later);
    expect(press(buttons.approve)).toMatchObject({ status: 409, body: "This button has expired." });
    expect(answers()).toEqual([]);
    store.close();
  }
});

test("a button answers the call it was made for, as it was asked about", async () => {
  const { server, buttons, press, answers, ask, store } = await pressed();
  await using _ = server;
  await ask({ what: "npm publish --tag evil", digest: "d2" }); // the same call asks another question
  expect(press(buttons.approve)).toMatchObject({ status: 409 });
  expect(answers()).toEqual([]);
  store.close();
});

test.each<[string, Partial<Approval>, Partial<NotifySettings>, readonly string[]]>([
  ["a command that was redacted", { what: "curl -u me:[redacted] x" }, {}, ["Deny", "Open"]],
  ["a command that is cut", { what: "x".repeat(2_000) }, {}, ["Deny", "Open"]],
  ["a change to a file", { shows: undefined as never }, {}, ["Deny", "Open"]],
  ["hidden commands", {}, { commands: "hidden" }, ["Deny", "Open"]],
])("%s has no Approve", async (_what, given, more, labels) => {
  const { server, buttons, store } = await pressed(given, more);
  await using _ = server;
  expect(buttons.labels).toEqual(labels);
  store.close();
});

test("a token that is guessed, cut, of another run or sent by GET answers nothing", async () => {
  const { server, buttons, press, answers, store } = await pressed();
  await using _ = server;
  const token = buttons.approve!;
  for (const wrong of [
    undefined,
    "",
    token.slice(7),
    `${token}x`,
    token.slice(0, -1),
    token.replace("run1", "run2"),
    token.replace("run1", "../run1"),
    `Bearer run1.${"A".repeat(43)}`,
    `Bearer ${"A".repeat(5_000)}`,
  ])
    expect(press(wrong).status).toBeGreaterThanOrEqual(401);
  expect(press(token, "GET").status).toBe(405);
  expect(answers()).toEqual([]);
  expect(press(token).status).toBe(200);
  store.close();
});
