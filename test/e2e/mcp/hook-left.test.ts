import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, expect, test } from "vitest";

// A host that is killed while its stop hook holds the answer, as a countdown makes it do. Host, hook and server are real processes.
const SERVE = `import { main } from ${JSON.stringify(resolve("src/cli/index.ts"))}; await main(["mcp", "--host", "claude-code"]);`;
const HOOK = resolve("src/hosts/hook.ts");
const SESSION = "9c1f";

let home: string;
let project: string;
let client: Client | undefined;
let host: ChildProcess | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tildone-left-"));
  project = join(home, "project");
  mkdirSync(project);
  writeFileSync(join(home, "config.json"), JSON.stringify({ continuation: { countdown: "45s" } }));
});
afterEach(async () => {
  host?.kill("SIGKILL");
  await client?.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
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

/** Calls its hook through a shell or without one, says which process that is, and holds its pipes. */
const HOST = `
const { spawn } = require("node:child_process");
const [shell, input] = process.argv.slice(1);
const hook = ["node", ${JSON.stringify(HOOK)}, "claude-code", "stop"];
const child = shell
  ? spawn(shell, ["-c", hook.join(" ") + " <&0 & echo $!; wait"], { stdio: ["pipe", "pipe", "ignore"] })
  : spawn(hook[0], hook.slice(1), { stdio: ["pipe", "pipe", "ignore"] });
child.stdin.end(input);
if (!shell) console.log(child.pid);
child.stdout.on("data", (chunk) => process.stdout.write(chunk));
setInterval(() => {}, 1000);`;

async function holds(shell: string): Promise<number> {
  const input = { session_id: SESSION, cwd: project, transcript_path: "", last_assistant_message: "done" };
  host = spawn(process.execPath, ["-e", HOST, shell, JSON.stringify(input)], {
    env: env(),
    cwd: project,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [told] = await once(host.stdout!, "data");
  return Number(String(told).trim());
}

const STATUS = `import { main } from ${JSON.stringify(resolve("src/cli/index.ts"))}; await main(["status", "--json"]);`;

function stateNow(): unknown {
  const { stdout } = spawnSync("node", ["--input-type=module", "-e", STATUS], { env: env(), cwd: project });
  return JSON.parse(String(stdout))[0]?.state ?? String(stdout);
}

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.each([
  ["asks the server", ""],
  ["does the work itself", ""],
  ["asks the server, started by a shell", "bash"],
  ["does the work itself, started by a shell", "bash"],
])("a hook that %s ends soon after its host was killed", async (how, shell) => {
  await serve();
  if (!how.includes("server")) await client?.close();
  const hook = await holds(shell);
  await expect.poll(stateNow, { timeout: 15_000, interval: 200 }).toBe("continuing");
  host!.kill("SIGKILL");
  await once(host!, "close");
  expect(lives(hook)).toBe(true);
  await expect.poll(() => lives(hook), { timeout: 15_000, interval: 100 }).toBe(false);
});
