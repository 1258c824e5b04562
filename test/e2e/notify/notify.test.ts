import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/compose/index.ts";
import { DEFAULTS } from "../../../src/core/continuation/index.ts";
import { createEngine } from "../../../src/engine/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { createFakeHost, HOST_KINDS } from "../../../src/testing/index.ts";
import { aReceiver } from "../../builders/loopback-receiver.ts";
import { aPerson, LONG, type Person, until } from "../person/person.ts";
import { asksOnce } from "../pi/models.ts";

const touches = asksOnce(1, "touch made.txt");

const notified = async (person: Person) =>
  (await person.log()).map(({ event }) => event).filter(({ type }) => type.startsWith("notification."));

test("a run tells that it waits and that it is done, each once, and records both", LONG, async () => {
  await using server = await aReceiver();
  await using person = await aPerson({
    script: touches,
    config: `notify:\n  webhook: { url: ${server.url}/hook, secret: sixteen-characters }\n  slack: ${server.url}/slack\n`,
  });
  const desk = person.terminal();
  desk.types('clear; tildone run "make a file"; echo "(exit $?)"');
  await desk.shows(/say what to do instead:/);
  await until(() => server.received.length === 2, "both channels heard of the approval");
  desk.types("y");
  await desk.shows(/\(exit \d+\)/);
  expect(existsSync(join(person.project, "made.txt"))).toBe(true);
  await until(() => server.received.length === 4, "both channels heard of the end");
  await until(
    async () => (await notified(person)).filter(({ type }) => type === "notification.delivered").length === 4,
    "it is recorded",
  );
  const hooks = server.received.filter(({ path }) => path === "/hook").map(({ body }) => JSON.parse(body).type);
  expect(hooks).toEqual(["run.approval", "run.done"]);
  expect(JSON.stringify(await person.log())).not.toContain("sixteen-characters");
});

test("a server that hangs delays neither the call nor the end of the run", LONG, async () => {
  await using server = await aReceiver(() => {});
  await using person = await aPerson({ script: touches, config: `notify:\n  ntfy: ${server.url}/topic\n` });
  const desk = person.terminal();
  desk.types('clear; tildone run "make a file"; echo "(exit $?)"');
  await desk.shows(/say what to do instead:/);
  await until(() => server.received.length === 1, "the server has it and does not answer");
  desk.types("y");
  await desk.shows(/\(exit \d+\)/);
  const open = (await notified(person)).filter(({ type }) => type !== "notification.queued");
  expect(open.every(({ type }) => type === "notification.sending")).toBe(true); // no answer yet, and the run is over
});

test(
  "kill -9 of the sender in the middle of a request: it is sent again with the same id, and the run goes on",
  LONG,
  async () => {
    await using server = await aReceiver((response, number) => void (number > 1 && response.writeHead(200).end()));
    await using person = await aPerson({
      script: touches,
      config: `notify:\n  webhook: { url: ${server.url}/hook, secret: sixteen-characters }\n  on: [approval]\n`,
    });
    const desk = person.terminal();
    desk.types('clear; tildone run "make a file"; echo "(exit $?)"');
    await until(() => server.received.length === 1, "the first request is there, and has no answer");
    const [run = ""] = await person.runs();
    const senders = processesWith("tildone-notify.js", run);
    expect(senders).toHaveLength(1);
    process.kill(senders[0]!, "SIGKILL");
    await until(() => server.received.length === 2, "it was sent again by itself");
    const delivered = async () => (await notified(person)).some(({ type }) => type === "notification.delivered");
    await until(delivered, "it is recorded");
    expect((await notified(person)).map(({ type }) => type.split(".")[1])).toEqual([
      ...["queued", "sending", "cut", "sending", "delivered"],
    ]);
    const [first, second] = server.received.map(({ headers }) => headers["webhook-id"]);
    expect(first).toBe(second);
    await desk.shows(/say what to do instead:/);
    desk.types("y");
    await desk.shows(/\(exit \d+\)/);
    expect(existsSync(join(person.project, "made.txt"))).toBe(true);
  },
);

test("what a server refuses for the moment is sent again by the same sender", LONG, async () => {
  await using server = await aReceiver((response, number) => void response.writeHead(number > 1 ? 200 : 503).end());
  await using person = await aPerson({
    script: touches,
    config: `notify:\n  webhook: { url: ${server.url}/hook }\n  on: [approval]\n`,
  });
  person.terminal().types('clear; tildone run "make a file"');
  await until(() => server.received.length === 2, "it was sent again");
  const said = async () => (await notified(person)).map(({ type }) => type.split(".")[1]);
  await until(async () => (await said()).includes("delivered"), "it is recorded");
  expect(await said()).toEqual(["queued", "sending", "failed", "sending", "delivered"]);
});

/** Processes with all of these words on their command line. */
const processesWith = (...words: readonly string[]): readonly number[] =>
  readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, "utf8");
      return words.every((word) => line.includes(word)) ? [Number(name)] : [];
    } catch {
      return []; // it ended meanwhile
    }
  });

test("a project cannot say who is notified, also where you trust it", LONG, async () => {
  await using server = await aReceiver();
  await using person = await aPerson({ script: touches });
  person.file("project/.git/HEAD", "ref: refs/heads/main\n");
  person.file("project/.tildone/config.yaml", `notify:\n  slack: ${server.url}/stolen\n`);
  const desk = person.terminal();
  expect((await desk.runs("tildone trust --yes || tildone trust")).exit).toBe(0);
  const shown = (await desk.runs("tildone config 2>&1 | grep -i -A3 notify")).screen;
  expect(shown.replaceAll(/\s+/g, " ")).toContain("only your own settings say this");
});

test("doctor --notify sends a test and says what came back", LONG, async () => {
  await using server = await aReceiver(
    (response, number) => void response.writeHead(number === 1 ? 200 : 403).end("no"),
  );
  await using person = await aPerson({ script: touches, config: `notify:\n  ntfy: ${server.url}/topic\n` });
  const desk = person.terminal();
  const first = await desk.runs("tildone doctor --notify");
  expect(first.exit).toBe(0);
  expect(first.screen).toContain("Sent a test by ntfy: HTTP 200.");
  const second = await desk.runs("tildone doctor --notify");
  expect(second.exit).toBe(1);
  expect(second.screen.replaceAll(/\s+/g, " ")).toContain("The test by ntfy failed: HTTP 403: no.");
  person.file("tildone/config.yaml", "");
  expect((await desk.runs("tildone doctor --notify")).screen).toContain("Nothing is sent anywhere");
});

/** Runs a program of the package to its end. */
const program = (person: Person, words: readonly string[], input: string, file = process.execPath) =>
  new Promise<number>((done) => {
    const child = spawn(file, words, { env: person.env, cwd: person.project, stdio: ["pipe", "ignore", "ignore"] });
    child.on("exit", (code) => done(code ?? 1));
    child.stdin.end(input);
  });

/** An agent in another host, whose log this is. */
async function anEngine(person: Person, host: string, run: string) {
  const store = await openStore({ path: join(person.env.TILDONE_HOME!, "tildone.db") });
  const engine = createEngine({
    ...{ store, clock: systemClock(), host: createFakeHost(HOST_KINDS.terminal, host), cwd: person.project },
    ...{ driver: "one", newRunId: () => run },
    context: () => ({ limits: DEFAULTS, notify: { kinds: ["question"], channels: ["slack"] } }),
    birth: () => ({ budget: {}, checks: [], requirements: [] }),
  });
  return { engine, store };
}

test("a hook that is gone after its answer leaves a notification that arrives", LONG, async () => {
  await using server = await aReceiver();
  await using person = await aPerson({ script: touches, config: `notify:\n  slack: ${server.url}/x\n` });
  const hook = (event: string, fields: object = {}) =>
    program(
      person,
      [resolve("bin/tildone-hook.js"), "claude-code", event],
      JSON.stringify({
        session_id: "s-1",
        cwd: person.project,
        transcript_path: join(person.root, "t.jsonl"),
        ...fields,
      }),
    );
  const { engine, store } = await anEngine(person, "claude-code", "s-1");
  await engine.tell("s-1", { type: "todos.write", write: { mode: "replace", todos: [{ text: "a" }] }, by: "model" });
  await engine.tell("s-1", { type: "todos.edit", edit: { action: "complete", indices: [0] }, by: "model" } as never);
  engine.dispose();
  store.close();
  await hook("prompt", { prompt: "go on", prompt_id: "p1" });
  await hook("stop", { last_assistant_message: "Done.", stop_hook_active: false, permission_mode: "default" });
  const queued = async () => (await notified(person)).length > 0;
  await until(queued, "the stop is told");
  await until(() => server.received.length === 1, "it arrived");
  expect(JSON.parse(server.received[0]!.body).text).toMatch(/\*Done/);
});

test.each([
  ["node", process.execPath],
  ["bun", resolve("node_modules/.bin/bun")],
])("what waits in a log is sent under %s", LONG, async (_name, file) => {
  await using server = await aReceiver();
  await using person = await aPerson({ script: touches, config: `notify:\n  slack: ${server.url}/x\n` });
  const { engine, store } = await anEngine(person, "fake", "s");
  await engine.tell("s", { type: "todos.write", write: { mode: "replace", todos: [{ text: "a" }] }, by: "model" });
  await engine.tell("s", { type: "turn.started", turn: "t1" });
  await engine.tell("s", { type: "question.opened", id: "q1", text: "Tabs or <spaces>?" });
  expect(await program(person, [resolve("bin/tildone-notify.js"), "s"], "", file)).toBe(0);
  expect(server.received.map(({ body }) => JSON.parse(body).text)).toEqual([
    "*The agent asks you*\nThe agent asks: Tabs or &lt;spaces&gt;?",
  ]);
  expect((await notified(person)).at(-1)).toMatchObject({ type: "notification.delivered", said: "HTTP 200" });
  engine.dispose();
  store.close();
});
