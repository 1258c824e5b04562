import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, expect, test } from "vitest";

// The real server in a process of its own, with the official client.
const MAIN = resolve("src/cli/index.ts");
const START = ["--input-type=module", "-e", `import { main } from ${JSON.stringify(MAIN)}; await main(["mcp"]);`];

let home: string;
let project: string;
const clients: Client[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tildone-mcp-"));
  project = join(home, "project");
  mkdirSync(project);
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  rmSync(home, { recursive: true, force: true });
});

const env = () => ({ PATH: process.env.PATH ?? "", HOME: home, TILDONE_HOME: home });

async function connect(extra: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: "node", args: START, env: { ...env(), ...extra }, cwd: project }),
  );
  clients.push(client);
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  return { text: (content as { text: string }[])[0]!.text, isError: isError === true };
}

const write = (...texts: string[]) => ({ mode: "replace", todos: texts.map((text) => ({ text })) });

test("a client without hooks is told what is open and what is next, until nothing is", async () => {
  const client = await connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["write_todos", "list_todos", "edit_todos", "workflow_step"]);
  expect((await call(client, "list_todos")).text).toBe("No todos");
  const written = await call(client, "write_todos", write("read", "write"));
  expect(written.text).toBe("Wrote 2 todos. 0/2 done, 2 remaining.\n\nNext action: edit_todos start [0]");
  await call(client, "edit_todos", { action: "start", indices: [0] });
  const first = await call(client, "edit_todos", { action: "complete", indices: [0], start: [1] });
  expect(first.text).toBe(
    "Completed [0], started [1]. 1/2 done, 1 remaining.\n● [1] write\n\nNext action: edit_todos complete [1]",
  );
  const last = await call(client, "edit_todos", { action: "complete", indices: [1] });
  expect(last.text).toContain("Nothing is open. Finished, but not all of it is proven by a check.");
});

test("bad arguments are an error that says what to do, and change nothing", async () => {
  const client = await connect();
  await call(client, "write_todos", write("only"));
  const before = (await call(client, "list_todos")).text;
  for (const [name, args] of [
    ["edit_todos", { action: "complete", indices: [7] }],
    ["edit_todos", { action: "finish", indices: [0] }],
    ["write_todos", { mode: "replace", todos: "all" }],
    ["write_todos", { mode: "append", todos: [{ text: "" }] }],
    ["workflow_step", { action: "jump" }],
    ["workflow_step", { action: "next" }],
    ["no_such_tool", {}],
  ] as const) {
    const answer = await call(client, name, args as Record<string, unknown>);
    expect(answer.isError, `${name} ${JSON.stringify(args)}`).toBe(true);
    expect(answer.text.length).toBeGreaterThan(10);
  }
  expect((await call(client, "list_todos")).text).toBe(before);
});

test("two clients in one folder never mix their lists", async () => {
  const [one, two] = await Promise.all([connect(), connect()]);
  await call(one, "write_todos", write("of the first"));
  await call(two, "write_todos", write("of the second"));
  expect((await call(one, "list_todos")).text).toContain("of the first");
  expect((await call(one, "list_todos")).text).not.toContain("of the second");
});

test("a session of Claude Code keeps its list over two servers", async () => {
  const session = { CLAUDE_CODE_SESSION_ID: "5b1c" };
  await call(await connect(session), "write_todos", write("kept"));
  expect((await call(await connect(session), "list_todos")).text).toContain("– [0] kept");
});

test("words and a hold of the user from a terminal stand in the next result", async () => {
  const client = await connect();
  await call(client, "write_todos", write("one", "two"));
  await tildone("say", "use tabs");
  const told = await call(client, "edit_todos", { action: "start", indices: [0] });
  expect(told.text).toContain('The user says: "use tabs"');
  expect((await call(client, "list_todos")).text).not.toContain("use tabs");
  await tildone("hold");
  expect((await call(client, "list_todos")).text).toContain("On hold by the user.");
});

test("list and status are resources", async () => {
  const client = await connect();
  await call(client, "write_todos", write("one"));
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(["tildone://list", "tildone://status"]);
  const status = await client.readResource({ uri: "tildone://status" });
  expect(JSON.parse((status.contents[0] as { text: string }).text)).toMatchObject({ status: "live", total: 1 });
  const passwords = client.readResource({ uri: "file:///etc/passwd" });
  await expect(passwords).rejects.toThrow("There is no resource");
  await expect(passwords).rejects.toMatchObject({ code: -32602 }); // what was asked is wrong, not the server
  expect(await client.listResourceTemplates()).toMatchObject({ resourceTemplates: [] });
});

test("a check that fails keeps the item open; once it passes the list is done, and proven", async () => {
  writeFileSync(join(home, "config.yaml"), 'checks: { allow: ["test -f *"] }\n');
  const client = await connect();
  const trivial = await call(client, "write_todos", { mode: "replace", todos: [{ text: "a", check: "exit 0" }] });
  expect(trivial.isError).toBe(true);
  await call(client, "write_todos", { mode: "replace", todos: [{ text: "a", check: "test -f done.txt" }] });
  const failed = await call(client, "edit_todos", { action: "complete", indices: [0] });
  expect(failed.isError).toBe(true);
  expect(failed.text).toContain('its check "test -f done.txt" ended "failed"');
  writeFileSync(join(project, "done.txt"), "");
  const passed = await call(client, "edit_todos", { action: "complete", indices: [0] });
  expect(passed.text).toContain("Nothing is open. Done and proven: every required check passed.");
});

test("malformed requests are answered or ignored, and the server lives on", async () => {
  const server = spawn("node", START, { env: env(), cwd: project });
  const replies = linesOf(server);
  const random = generator(7);
  server.stdin.write(
    `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "fuzz", version: "1" } } })}\n`,
  );
  await replies.until((message) => message.id === 1);
  server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  for (let at = 0; at < 300; at++) server.stdin.write(`${malformed(random)}\n`);
  server.stdin.write(
    `${JSON.stringify({ jsonrpc: "2.0", id: "last", method: "tools/call", params: { name: "list_todos", arguments: {} } })}\n`,
  );
  const last = await replies.until((message) => message.id === "last");
  expect(JSON.stringify(last)).toContain("No todos");
  const closed = new Promise((done) => server.once("close", done));
  server.stdin.end();
  expect(await closed).toBe(0);
});

function malformed(random: () => number): string {
  const pick = <T>(...items: T[]): T => items[Math.floor(random() * items.length)]!;
  const junk = () => pick<unknown>(null, -1, "x".repeat(1000), [], {}, [[]], { a: { b: [1] } }, "\u0000", -0.5, true);
  const whole = JSON.stringify({
    jsonrpc: pick<unknown>("2.0", "1.0", 2),
    id: pick<unknown>(null, 5, "a", {}, undefined),
    method: pick<unknown>("tools/call", "tools/list", "resources/read", "nothing", 3, undefined),
    params: pick<unknown>(
      junk(),
      { name: junk(), arguments: junk() },
      { name: "write_todos", arguments: junk() },
      {
        name: "edit_todos",
        arguments: { action: junk(), indices: junk() },
      },
    ),
  });
  return pick(whole, whole.slice(0, Math.floor(random() * whole.length)), "", "{", "[]", "null", '"', "\u0007\u0000");
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

function linesOf(server: ChildProcessWithoutNullStreams) {
  let text = "";
  const seen: { id?: unknown }[] = [];
  let wake = () => {};
  server.stdout.on("data", (chunk) => {
    text += chunk;
    const lines = text.split("\n");
    text = lines.pop()!;
    seen.push(...lines.filter((line) => line !== "").map((line) => JSON.parse(line) as { id?: unknown }));
    wake();
  });
  server.once("close", () => wake());
  return {
    until: async (fits: (message: { id?: unknown }) => boolean) => {
      for (;;) {
        const found = seen.find(fits);
        if (found) return found;
        if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

function tildone(...args: string[]): Promise<void> {
  const script = `import { main } from ${JSON.stringify(MAIN)}; await main(${JSON.stringify(args)});`;
  const child = spawn("node", ["--input-type=module", "-e", script], { env: env(), cwd: project, stdio: "ignore" });
  return new Promise((done, fail) =>
    child.once("close", (code) => (code === 0 ? done() : fail(new Error(`exit ${code}`)))),
  );
}
