import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { DEFAULTS } from "../../../src/core/continuation/index.ts";
import type { RunEvent } from "../../../src/core/run/index.ts";
import { createEngine, readEvents } from "../../../src/engine/index.ts";
import { systemClock } from "../../../src/machine/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { createFakeHost, HOST_KINDS, type ModelRequest, type Step } from "../../../src/testing/index.ts";
import { aReceiver } from "../../builders/loopback-receiver.ts";
import { aPerson, LONG, type Person, until } from "../person/person.ts";
import { asksOnce, stopsAfterEachItem } from "../pi/models.ts";
import { openSandbox } from "../pi/sandbox.ts";

const kinds = (received: readonly { readonly body: string }[]): readonly string[] =>
  received.map(({ body }) => (JSON.parse(body) as { type: string }).type);

/** Every event about notifications, of every run in a store, in their order. */
async function told(path: string): Promise<readonly RunEvent[]> {
  const store = await openStore({ path });
  try {
    return store.runs
      .list()
      .flatMap(({ run }) => [...readEvents(store.log, run)].map(({ event }) => event))
      .filter(({ type }) => type.startsWith("notification."));
  } finally {
    store.close();
  }
}

const started = (person: Person, words: readonly string[], input = "") =>
  new Promise<number>((done) => {
    const child = spawn(process.execPath, words, {
      ...{ env: person.env, cwd: person.project, stdio: ["pipe", "ignore", "ignore"] },
    });
    child.on("exit", (code) => done(code ?? 1));
    child.stdin.end(input);
  });

async function anAgent(person: Person, host: string, run: string) {
  const store = await openStore({ path: join(person.env.TILDONE_HOME!, "tildone.db") });
  const engine = createEngine({
    ...{ store, clock: systemClock(), host: createFakeHost(HOST_KINDS.terminal, host), cwd: person.project },
    ...{ driver: "one", newRunId: () => run },
    context: () => ({ limits: DEFAULTS, notify: { kinds: ["question"], channels: ["webhook"] } }),
    birth: () => ({ budget: {}, checks: [], requirements: [] }),
  });
  await engine.tell(run, { type: "todos.write", write: { mode: "replace", todos: [{ text: "a" }] }, by: "model" });
  return {
    engine,
    close: () => {
      engine.dispose();
      store.close();
    },
  };
}

test("of four senders that start at once, one sends", LONG, async () => {
  await using server = await aReceiver();
  await using person = await aPerson({
    script: asksOnce(1, "true"),
    config: `notify:\n  webhook: { url: ${server.url}/hook }\n`,
  });
  const { engine, close } = await anAgent(person, "fake", "s");
  await engine.tell("s", { type: "turn.started", turn: "t1" });
  await engine.tell("s", { type: "question.opened", id: "q1", text: "Tabs?" });
  close();
  const sender = () => started(person, [resolve("bin/tildone-notify.js"), "s"]);
  expect(await Promise.all([sender(), sender(), sender(), sender()])).toEqual([0, 0, 0, 0]);
  expect(kinds(server.received)).toEqual(["run.question"]);
  const types = (await told(join(person.env.TILDONE_HOME!, "tildone.db"))).map(({ type }) => type.split(".")[1]);
  expect(types).toEqual(["queued", "sending", "delivered"]);
});

test("two hooks that notice the same end at once tell it once", LONG, async () => {
  await using server = await aReceiver();
  await using person = await aPerson({
    script: asksOnce(1, "true"),
    config: `notify:\n  webhook: { url: ${server.url}/hook }\n`,
  });
  const { engine, close } = await anAgent(person, "claude-code", "s-1");
  await engine.tell("s-1", { type: "todos.edit", edit: { action: "complete", indices: [0] }, by: "model" } as never);
  close();
  const hook = (event: string, fields: object) => {
    const payload = {
      session_id: "s-1",
      cwd: person.project,
      transcript_path: join(person.root, "t.jsonl"),
      ...fields,
    };
    return started(person, [resolve("bin/tildone-hook.js"), "claude-code", event], JSON.stringify(payload));
  };
  await hook("prompt", { prompt: "go on", prompt_id: "p1" });
  const stop = {
    last_assistant_message: "Done.",
    stop_hook_active: false,
    permission_mode: "default",
    prompt_id: "p1",
  };
  await Promise.all([hook("stop", stop), hook("stop", stop), hook("stop", stop)]);
  const database = join(person.env.TILDONE_HOME!, "tildone.db");
  await until(async () => (await told(database)).some(({ type }) => type === "notification.delivered"), "it arrived");
  const types = (await told(database)).map(({ type }) => type.split(".")[1]);
  expect(types).toEqual(["queued", "sending", "delivered"]);
  expect(kinds(server.received)).toEqual(["run.done"]);
});

/** Says the same without end. */
const saying =
  (text: string, todo: object = { text: "item 0" }) =>
  ({ messages }: ModelRequest): Step =>
    messages.some(({ role }) => role === "tool")
      ? { text }
      : { calls: [["write_todos", { mode: "replace", todos: [todo] }]] };

test.each<[kind: string, script: (request: ModelRequest) => Step]>([
  ["run.done", stopsAfterEachItem(2)],
  ["run.stopped", saying("ok")],
  ["run.question", saying("Shall I use tabs or spaces?")],
  ["run.release", saying("ok", { text: "deploy", askFirst: true })],
] as const)(
  "pi with our extension tells %s once, and print ends without waiting for it",
  LONG,
  async (kind, script) => {
    await using server = await aReceiver();
    await using box = await openSandbox({ script });
    mkdirSync(join(box.root, "tildone"), { recursive: true });
    writeFileSync(join(box.root, "tildone/config.yaml"), `notify:\n  webhook: { url: ${server.url}/hook }\n`);
    const { err } = await box.run("-p", "do it");
    const delivered = async () =>
      (await told(box.store)).filter(({ type }) => type === "notification.delivered").length;
    await until(async () => (await delivered()) === 1, `it is recorded: ${err}`);
    expect(kinds(server.received)).toEqual([kind]);
    expect((await told(box.store)).map(({ type }) => type.split(".")[1])).toEqual(["queued", "sending", "delivered"]);
  },
);

test("a server that hangs holds up neither pi nor the end of its run", LONG, async () => {
  await using server = await aReceiver(() => {});
  await using box = await openSandbox({ script: stopsAfterEachItem(1) });
  mkdirSync(join(box.root, "tildone"), { recursive: true });
  writeFileSync(join(box.root, "tildone/config.yaml"), `notify:\n  webhook: { url: ${server.url}/hook }\n`);
  expect((await box.run("-p", "do it")).code).toBe(0);
  expect((await told(box.store)).every(({ type }) => /queued|sending/.test(type))).toBe(true);
});
