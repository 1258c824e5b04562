import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, expect, test } from "vitest";

// The server of a session and the hook of the same session, each a real process.
const SERVE = `import { main } from ${JSON.stringify(resolve("src/cli/index.ts"))}; await main(["mcp", "--host", "claude-code"]);`;
const HOOK = resolve("src/hosts/hook.ts");
const SESSION = "7d2a";

let home: string;
let project: string;
let client: Client | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tildone-door-"));
  project = join(home, "project");
  mkdirSync(project);
});
afterEach(async () => {
  await client?.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }); // the process that looks after the server may still write
});

const env = () => ({
  PATH: process.env.PATH ?? "",
  HOME: home,
  TILDONE_HOME: home,
  CLAUDE_CODE_SESSION_ID: SESSION,
});

async function serve(): Promise<void> {
  client = new Client({ name: "test", version: "1" });
  const args = ["--input-type=module", "-e", SERVE];
  await client.connect(new StdioClientTransport({ command: "node", args, env: env(), cwd: project }));
  await client.callTool({ name: "write_todos", arguments: { mode: "replace", todos: [{ text: "one" }] } });
}

/** `alone`: it may do the work itself; otherwise it cannot even load what does it. */
async function stop(alone: boolean): Promise<string> {
  writeFileSync(join(home, "helpless.mjs"), HELPLESS);
  const child = spawn(
    "node",
    [...(alone ? [] : ["--import", join(home, "helpless.mjs")]), HOOK, "claude-code", "stop"],
    {
      env: env(),
      cwd: project,
    },
  );
  const input = { session_id: SESSION, cwd: project, transcript_path: "", last_assistant_message: "done" };
  child.stdin.end(JSON.stringify(input));
  return text(child.stdout);
}

const HELPLESS = `
import { registerHooks } from "node:module";
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier.endsWith("/in-run.ts")) throw new Error("the hook would do it itself");
    return next(specifier, context);
  },
});`;

test("while the server of its session runs, the hook only asks it; without one it does the work itself", async () => {
  await serve();
  expect(await stop(false)).toContain("Todos remain");
  await client?.close();
  expect(await stop(false)).not.toContain("Todos remain");
  expect(await stop(true)).toContain("Todos remain");
});

test("the door goes with the server", async () => {
  await serve();
  expect(await stop(false)).toContain("Todos remain");
  await client?.close();
  await expect.poll(() => readdirSync(join(home, "doors")), { timeout: 60_000 }).toEqual([]);
});
