import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandsOf } from "../../builders/doc-commands.ts";
import { openShell } from "../cli/shell-screen.ts";
import { stopsAfterEachItem } from "../pi/models.ts";
import { aReader, type Reader } from "./reader.ts";

/** Every command of the README, as it stands there: where it is executed. One that is not here fails the first test. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  // npm run test:install, with a temporary prefix.
  "npm ci": "test/install/main.ts",
  "npx tildone demo": "test/install/main.ts",
  "npm link": "test/install/main.ts",
  "npm pack": "test/install/main.ts",
  "npm install -g ./tildone-0.1.0.tgz": "test/install/main.ts",
  "tildone demo claude-code": "test/hosts/demo.test.ts",
  "tildone submit": "test/fleet/bad-use.test.ts",
  "npm install -g tildone": "once published",
  'tildone run --host claude-code "goal"': "test/hosts/supervised.test.ts",
  "npm test": "this is it",
  "npm run test:hosts": "itself",
};
const LONG = { timeout: 120_000 };
const shown = [...new Set(commandsOf("README.md").map(({ line }) => line))];
const walked = new Set<string>();

/** A line of the README; what is not on it is not executed. */
function line(text: string): string {
  expect(shown).toContain(text);
  walked.add(text);
  return text;
}

let reader: Reader;
beforeAll(async () => {
  reader = await aReader(stopsAfterEachItem(1));
});
afterAll(async () => reader[Symbol.asyncDispose]());

test(
  "run asks in place and continues until the check passes; status, hold, resume and undo work on it",
  LONG,
  async () => {
    using shell = openShell(["bash", "--norc", "--noprofile"], {
      ...reader.env,
      HOME: reader.home,
      TILDONE_HOME: "",
      PI_CODING_AGENT_DIR: join(reader.home, ".pi/agent"),
      TERM: "xterm-256color",
    });
    const types = (text: string) => {
      shell.type(text);
      shell.keys("Enter");
    };
    await shell.shows(/\$/);
    types(`cd ${reader.project}; clear`);
    types(line('tildone run "fix the failing tests" --check "npm test"'));
    await shell.shows(/say what to do instead/);
    shell.keys("y");
    shell.keys("Enter");
    await shell.shows(/Done and proven/);
    expect((await shell.prints(line("tildone status"))).join("\n")).toMatch(/1\/1 done · 1 proven/);
    expect((await shell.prints(line("tildone undo"))).join("\n")).toMatch(/^Undid \[0\] item 0/m);
    expect((await shell.prints(`${line("tildone hold")}; echo code $?`)).at(-1)).toMatch(/^code \d$/);
    types(`clear; ${line("tildone top")}`);
    await shell.shows(/quit/);
    shell.keys("q");
    await shell.hides(/quit/); // what is typed before that is still top's
    types("clear; echo back");
    await shell.shows(/back/);
  },
);

test("resume continues it without a terminal, with your approval from elsewhere", LONG, async () => {
  const resumed = reader.start(line("tildone resume"));
  const [approve] = await resumed.printed(/tildone approve [0-9a-f]+ --run \S+/);
  expect((await reader.sh(approve)).code).toBe(0);
  const { code, out, err } = await resumed.ended;
  expect(code, `${out}${err}`).toBe(0);
  expect(out).toContain("Done and proven");
});

test("help and doctor say what to type", LONG, async () => {
  expect((await reader.sh(line("tildone help"))).out).toContain("tildone run");
  const { code, out } = await reader.sh(line("tildone doctor"));
  expect([0, 1]).toContain(code);
  expect(out).toContain("Run: npm install -g @anthropic-ai/claude-code");
});

test.each(["claude-code", "codex", "gemini", "qwen"])(
  "install %s writes what the host reads, uninstall takes it out",
  LONG,
  async (host) => {
    const { code, out, err } = await reader.sh(line(`tildone install ${host}`));
    expect({ code, err }, out).toEqual({ code: 0, err: "" });
    expect((await reader.sh(`tildone uninstall ${host}`)).code).toBe(0);
  },
);

test("pi install takes the folder", LONG, async () => {
  const { code, out, err } = await reader.sh(line("pi install <this folder>").replace("<this folder>", process.cwd()));
  expect(code, `${out}${err}`).toBe(0);
  const { packages } = JSON.parse(readFileSync(join(reader.home, ".pi/agent/settings.json"), "utf8"));
  expect(resolve(reader.home, ".pi/agent", packages[0])).toBe(process.cwd());
});

test("mcp is a stdio server", LONG, async () => {
  const server = reader.start(line("tildone mcp"));
  const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "reader", version: "1" } };
  server.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: client })}\n`);
  expect((await server.printed(/"id":1/)).input).toContain('"tildone"');
  server.child.stdin.end();
  await server.ended;
});

test("serve --open opens the page in a browser", LONG, async () => {
  reader.program("xdg-open", `#!/bin/sh\ncp "$1" "${reader.root}/opened.html"\n`);
  const server = reader.start(`exec ${line("tildone serve --open")}`);
  const [address] = await server.printed(/http:\/\/127\.0\.0\.1:\d+(?=\/#pair)/);
  await expect
    .poll(() => readFileSync(join(reader.root, "opened.html"), "utf8"), { timeout: 60_000 })
    .toContain(address);
  expect((await fetch(address)).status).toBe(200);
  server.child.kill("SIGINT");
  expect((await server.ended).code).toBe(0);
});

test("the name that your own program imports is there", async () => {
  expect(readFileSync("README.md", "utf8")).toContain('import { createTodoContinuationHook } from "tildone/hooks"');
  expect(Object.keys(await import("../../../src/hosts/library/index.ts"))).toContain("createTodoContinuationHook");
});

test("every command of the README was executed here or has its place elsewhere", () => {
  const rest = shown.filter((text) => !walked.has(text) && !Object.hasOwn(ELSEWHERE, text));
  expect(rest).toEqual([]);
  expect(Object.keys(ELSEWHERE).filter((text) => !shown.includes(text))).toEqual([]);
});
