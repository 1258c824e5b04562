import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach } from "vitest";

const SERVE = `import { main } from ${JSON.stringify(resolve("src/cli/index.ts"))}; await main(["mcp", "--host", "claude-code"]);`;

/** The program of the hook. */
export const HOOK = resolve("src/hosts/hook.ts");
export const SESSION = "7d2a";

/** One session of Claude Code in a home of its own: its server is a real process, and so is each hook that a test starts. */
export function useSession() {
  let home = "";
  let client: Client | undefined;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "tildone-door-"));
    mkdirSync(join(home, "project"));
  });
  afterEach(async () => {
    await close();
    rmSync(home, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }); // the process that looks after the server may still write
  });
  return {
    get home() {
      return home;
    },
    get project() {
      return join(home, "project");
    },
    /** What the host writes to the stop hook. */
    get input() {
      const last = { transcript_path: "", last_assistant_message: "done" };
      return JSON.stringify({ session_id: SESSION, cwd: join(home, "project"), ...last });
    },
    env,
    serve,
    close,
  };

  function env() {
    return { PATH: process.env.PATH ?? "", HOME: home, TILDONE_HOME: home, CLAUDE_CODE_SESSION_ID: SESSION };
  }

  /** With a list of one. */
  async function serve(): Promise<void> {
    client = new Client({ name: "test", version: "1" });
    const args = ["--input-type=module", "-e", SERVE];
    await client.connect(new StdioClientTransport({ command: "node", args, env: env(), cwd: join(home, "project") }));
    await client.callTool({ name: "write_todos", arguments: { mode: "replace", todos: [{ text: "one" }] } });
  }

  async function close(): Promise<void> {
    await client?.close();
    client = undefined;
  }
}
