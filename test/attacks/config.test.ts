import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { run } from "../../src/cli/index.ts";
import { startScriptedModel } from "../../src/testing/index.ts";
import { fakeIo } from "../builders/fake-io.ts";
import { hookSession } from "../builders/hook-session.ts";
import { aPlace } from "../e2e/agent/tildone.ts";

const isRoot = process.getuid?.() === 0;

/** Every way in which a file of settings can be broken, put at this path. */
const BROKEN: Readonly<Record<string, (path: string) => void>> = {
  "no YAML": (path) => writeFileSync(path, "continuation: {\n  enabled: [\n"),
  "a tab": (path) => writeFileSync(path, "budget:\n\ttokens: 3\n"),
  "a wrong type": (path) => writeFileSync(path, "budget:\n  tokens: many\n"),
  "a list": (path) => writeFileSync(path, "- a\n- b\n"),
  "a text": (path) => writeFileSync(path, "just words"),
  "an unknown key": (path) => writeFileSync(path, "continuation: { enabled: true }\ncolour: red\n"),
  "a key twice": (path) => writeFileSync(path, "budget: {}\nbudget: {}\n"),
  "a rule whose example is wrong": (path) =>
    writeFileSync(
      path,
      "approval:\n  rules:\n    - { name: a, tool: bash, decision: deny, match: [{ tool: read }] }\n",
    ),
  "a prototype": (path) => writeFileSync(path, "__proto__: { enabled: true }\n"),
  "more than it may": (path) => writeFileSync(path, `# ${"x".repeat(200_000)}\n`),
  "a hundred thousand levels": (path) => writeFileSync(path, "[".repeat(60_000)),
  "bytes that are no text": (path) => writeFileSync(path, Buffer.from([0, 1, 2, 255, 254, 0, 10, 0])),
  "letters of another time": (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x41, 0x00])),
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "a folder": (path) => mkdirSync(path),
  "a link that leads out": (path) => symlinkSync("/etc/passwd", path),
  "a device": (path) => symlinkSync("/dev/zero", path),
  ...(isRoot
    ? {
        "a file of another user": (path: string) => {
          writeFileSync(path, "budget: { tokens: 3 }\n");
          chownSync(path, 12345, 12345);
        },
        "a folder of another user": (path: string) => {
          writeFileSync(path, "budget: { tokens: 3 }\n");
          chownSync(join(path, ".."), 12345, 12345);
        },
      }
    : {
        "a file that may not be read": (path: string) => {
          writeFileSync(path, "budget: { tokens: 3 }\n");
          chmodSync(path, 0);
        },
      }),
};

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "tildone-broken-")));
});
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

function breakProject(project: string, how: string): void {
  mkdirSync(join(project, ".tildone"), { recursive: true });
  BROKEN[how]!(join(project, ".tildone/config.yaml"));
}

async function cli(...argv: string[]) {
  const env = { TILDONE_HOME: home, PATH: process.env.PATH };
  const { io, all } = fakeIo({ env, cwd: join(home, "work"), home, now: () => Date.now() });
  const code = await run(argv, io);
  return { code, text: all.join("\n").replace(/\s+/g, " ") };
}

describe.each(Object.keys(BROKEN))("a project whose config is %s", (how) => {
  test.each(["claude-code", "codex", "gemini"] as const)("does not let the agent of %s go", async (host) => {
    const session = hookSession(host, home, "s1");
    breakProject(join(home, "work"), how);
    await session.prompt("Do it.");
    await session.write("one", "two");
    const answer = await session.stop();
    expect(answer).toContain("Todos remain: 0/2 done");
    expect(answer).toContain("tildone does not apply this project's settings (.tildone");
    expect((await session.log()).filter(({ event }) => event.type === "config.dropped")).toHaveLength(1);
    // Said once, and until then nothing of the file itself.
    expect(await session.stop()).not.toContain("does not apply");
    expect(answer).not.toMatch(/colour|__proto__|\bmany\b/);
  });

  test("is said by status, why, doctor and config, and voids none of them", async () => {
    const session = hookSession("claude-code", home, "s1");
    await session.prompt("Do it.");
    await session.write("one");
    breakProject(join(home, "work"), how);
    for (const argv of [["status"], ["status", (await session.run()).id], ["why"], ["doctor"], ["config"]]) {
      const { text } = await cli(...argv);
      expect(text, argv.join(" ")).toMatch(/None of this project's settings are applied|belongs to another user/);
      expect(text).toContain("/work/.tildone");
      expect(text).not.toContain("internal error");
    }
    expect((await cli("hold")).text).toContain("hold");
    expect((await cli("log")).code).toBe(0);
  });

  test("in your own it is an error that names the file, and everybody says it", async () => {
    const session = hookSession("claude-code", home, "s1");
    await session.prompt("Do it.");
    await session.write("one");
    if (how === "a folder of another user") return; // your folder is where you say it is
    if (how === "a link that leads out") return; // and so are its links
    BROKEN[how]!(join(home, "config.yaml"));
    const stopped = await session.stop();
    expect(stopped).toContain("tildone could not decide here: your configuration is wrong.");
    expect(stopped).toContain(join(home, "config.yaml"));
    expect(await session.prompt("And now?")).toContain("could not decide here");
    expect((await session.log()).filter(({ event }) => event.type === "host.failed").length).toBeGreaterThan(0);
    for (const argv of [["config"], ["status"], ["why"], ["doctor"]]) {
      const { text } = await cli(...argv);
      expect(text, argv.join(" ")).toContain(`${join(home, "config.yaml")}:`);
      expect(text).not.toContain("internal error");
    }
    expect((await cli("config")).code).toBe(2);
  });
});

describe("in real processes", () => {
  const SOME = ["no YAML", "a wrong type", "a pipe", "bytes that are no text"];

  test.each(SOME)("tildone run goes on without %s, and says so", async (how) => {
    await using place = aPlace();
    breakProject(place.project, how);
    const provider = await startScriptedModel((_request, count) =>
      count === 1
        ? { calls: [["write_todos", { mode: "replace", todos: [{ text: "a" }, { text: "b" }] }]] }
        : count === 2
          ? { text: "That is all for today." }
          : count === 3
            ? { calls: [["edit_todos", { action: "complete", indices: [0, 1] }]] }
            : { text: "done" },
    );
    const { out, err } = await place.tildone("run", "go", "--base-url", `${provider.url}/v1`, "--model", "scripted");
    const told = JSON.stringify(provider.requests.at(-1)?.messages);
    await provider.close();
    expect(out + err).toContain("None of this project's settings are applied");
    expect(told).toContain("Todos remain: 0/2 done");
    expect(told).toContain("tildone does not apply this project's settings (.tildone/config.yaml");
  });

  test.each(SOME)("an MCP client is served and told of %s", async (how) => {
    await using place = aPlace();
    breakProject(place.project, how);
    const client = new Client({ name: "test", version: "1" });
    const args = [resolve("bin/tildone.js"), "mcp"];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env: place.env, cwd: place.project }),
    );
    const write = () =>
      client.callTool({ name: "write_todos", arguments: { mode: "replace", todos: [{ text: "one" }] } });
    expect(JSON.stringify(await write())).toContain("tildone does not apply this project's settings");
    expect(JSON.stringify(await write())).not.toContain("does not apply");
    await client.close();
  });

  test("an MCP client is told of a mistake of your own", async () => {
    await using place = aPlace();
    mkdirSync(place.env.TILDONE_HOME, { recursive: true });
    writeFileSync(join(place.env.TILDONE_HOME, "config.yaml"), "budget:\n  tokens: many\n");
    const client = new Client({ name: "test", version: "1" });
    const args = [resolve("bin/tildone.js"), "mcp"];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env: place.env, cwd: place.project }),
    );
    const write = () =>
      client
        .callTool({ name: "write_todos", arguments: { mode: "replace", todos: [{ text: "one" }] } })
        .then(JSON.stringify, String);
    const said = await write();
    writeFileSync(join(place.env.TILDONE_HOME, "config.yaml"), "budget:\n  minutes: 10\n");
    expect(await write()).toContain("one");
    await client.close();
    expect(said).toContain("config.yaml:2: budget.tokens must be a whole number");
  });
});
