import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { type ScriptedModel, type Step, startScriptedModel } from "../../src/testing/index.ts";
import { BINARIES } from "./binaries.ts";
import { CLAUDE_CODE, CODEX, GEMINI, type RealHost } from "./hosts.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";
import { isMain, mainRequests, oks, stepwise, texts, turns } from "./script.ts";

// What hosts do to hooks that fail, come twice or come too late. The list of all traps is in traps.ts.
let sandbox: Sandbox;
let model: ScriptedModel;
beforeEach(async () => {
  sandbox = createSandbox("trap");
  model = await startScriptedModel([{ text: "nothing to say" }]);
});
afterEach(async () => {
  await model.close();
  sandbox.remove();
});

const write = (host: RealHost, count: number) =>
  host.ours("write_todos", { mode: "replace", todos: texts(count).map((text) => ({ text })) });
const script = (host: RealHost) => ({
  shell: host.shell,
  list: (count: number, done: number) =>
    done === 0 ? write(host, count) : host.ours("edit_todos", { action: "complete", indices: [done - 1] }),
});
const newest = async () => (await sandbox.runs())[0]!;

/** What a hook may do instead of answering; the host lets it have a second. */
const FAULTS = {
  crashes: "exit 1",
  "comes too late": "sleep 8",
  "is cut off in its answer": `printf '{"decision":"blo'`,
};

/** Puts a fault in the place of a hook, the first time or always. */
function breakHook(host: RealHost, name: string, fault: string, how: "once" | "always"): void {
  const path = host
    .config(sandbox)
    .find((file) => existsSync(file) && readFileSync(file, "utf8").includes(`"${name}"`))!;
  const settings = JSON.parse(readFileSync(path, "utf8")) as { hooks: Record<string, { hooks: Handler[] }[]> };
  const handler = settings.hooks[name]!.find(({ hooks }) => hooks[0]!.command.includes("tildone-hook"))!.hooks[0]!;
  const faulty = join(sandbox.home, "faulty.sh");
  const once = how === "once" ? `mkdir "${join(sandbox.home, "failed")}" 2>/dev/null` : "true";
  writeFileSync(faulty, `if ${once}; then cat > /dev/null; ${fault}; exit; fi\nexec ${handler.command}\n`);
  handler.command = `sh ${faulty}`;
  handler.timeout = host.name === "gemini" ? 1000 : 1;
  writeFileSync(path, JSON.stringify(settings));
}
interface Handler {
  command: string;
  timeout: number;
}

describe.each([CLAUDE_CODE, CODEX, GEMINI])("$name", (host) => {
  const binary = inject("binaries")[host.name];
  if ("skipped" in binary) {
    test.skip(`skipped: ${binary.skipped}`, () => {});
    return;
  }
  const start = (prompt: string, flags: readonly string[] = []) =>
    host.start(sandbox, binary.path, model.url, { prompt, flags });
  beforeEach(() => {
    host.configure(sandbox, model.url);
    sandbox.tildone("install", host.name);
  });

  test.each(Object.entries(FAULTS))(
    "a stop hook that %s ends the turn, and a supervisor sees what is open",
    async (_how, fault) => {
      breakHook(host, host.stopHook, fault, "once");
      model.play(turns(stepwise(script(host), 2)));
      const bin = resolve(".hosts", `${host.name}-${BINARIES[host.name].version}`, "node_modules/.bin");
      const { code, out, err } = await sandbox.run(
        process.execPath,
        [
          resolve("bin/tildone.js"),
          "run",
          "--host",
          host.name,
          "do it",
          ...host.unasked.map((arg) => `--host-arg=${arg}`),
        ],
        { ...host.env(sandbox, model.url), PATH: `${bin}:${sandbox.env.PATH}` },
      );
      expect(code, out + err).toBe(0);
      expect(out.match(new RegExp(`^${host.name}: `, "gm"))).toHaveLength(2); // two processes
      expect((await newest()).plan.todos.map(({ status }) => status)).toEqual(["completed", "completed"]);
    },
  );

  test.each(Object.entries(FAULTS))("a hook before a tool that %s lets the tool run", async (_how, fault) => {
    breakHook(host, host.toolHook, fault, "always");
    model.play(turns([{ calls: [host.shell("touch ran")] }, { text: "done" }]));
    expect((await start("do it")).code).toBe(0);
    expect(existsSync(join(sandbox.project, "ran"))).toBe(true);
  });

  test("two calls at once are both seen", async () => {
    const both: Step = { calls: [host.shell("echo one"), host.shell("echo two")] };
    model.play(turns([{ calls: [write(host, 1)] }, both, ...oks()]));
    await start("do it");
    const seen = sandbox.tildone("log", (await newest()).id, "--json").match(/"activity\.seen"[^}]*"call"/g) ?? [];
    expect(seen.length).toBeGreaterThanOrEqual(2);
  });
});

describe("claude-code alone", () => {
  const binary = inject("binaries")["claude-code"];
  const path = "path" in binary ? binary.path : "";
  beforeEach(() => {
    CLAUDE_CODE.configure(sandbox, model.url);
    sandbox.tildone("install", "claude-code");
  });

  test.skipIf("skipped" in binary)("a server that starts slowly is in the first request all the same", async () => {
    const file = join(sandbox.home, ".claude.json");
    const settings = JSON.parse(readFileSync(file, "utf8")) as {
      mcpServers: Record<string, { command: string; args: string[] }>;
    };
    const server = settings.mcpServers.tildone!;
    server.args = ["-c", 'sleep 2.5; exec "$@"', "sh", server.command, ...server.args];
    server.command = "sh";
    writeFileSync(file, JSON.stringify(settings));
    model.play(turns([{ text: "hello" }]));
    await CLAUDE_CODE.start(sandbox, path, model.url, { prompt: "hello" });
    expect(mainRequests(model)[0]?.tools).toContain("mcp__tildone__write_todos");
  });

  test.skipIf("skipped" in binary)("in plan mode nothing is sent on", async () => {
    model.play(turns([{ calls: [write(CLAUDE_CODE, 1)] }, ...oks()]));
    const flags = ["--permission-mode", "plan"];
    await CLAUDE_CODE.start(sandbox, path, model.url, { prompt: "plan it", flags });
    expect((await newest()).ledger.decision).toMatchObject({ type: "stop", reason: "read_only" });
    expect(mainRequests(model)).toHaveLength(2);
  });
});

describe("codex alone", () => {
  const binary = inject("binaries").codex;
  const path = "path" in binary ? binary.path : "";
  beforeEach(() => CODEX.configure(sandbox, model.url));

  test.skipIf("skipped" in binary)("installed for the user and in the project, a stop is decided once", async () => {
    sandbox.tildone("install", "codex");
    sandbox.tildone("install", "codex", "--project");
    model.play(turns(stepwise(script(CODEX), 2)));
    expect((await CODEX.start(sandbox, path, model.url, { prompt: "do it" })).code).toBe(0);
    const { ledger, id } = await newest();
    expect(ledger.decision).toMatchObject({ reason: "done_unproven" });
    expect(ledger.spent.continuations).toBe(2);
    expect(sandbox.tildone("log", id).match(/continue: /g)).toHaveLength(2);
  });

  test.skipIf("skipped" in binary)(
    "hooks that nobody reviewed are skipped in silence, and doctor says so",
    async () => {
      sandbox.tildone("install", "codex");
      const bin = resolve(".hosts", `codex-${BINARIES.codex.version}`, "node_modules/.bin");
      const { out } = await sandbox.run(process.execPath, [resolve("bin/tildone.js"), "doctor", "codex"], {
        ...CODEX.env(sandbox, model.url),
        PATH: `${bin}:${sandbox.env.PATH}`,
      });
      expect(out).toMatch(/hooks never run \(untrusted\)/);
    },
  );

  test.skipIf("skipped" in binary)("a session writes nothing below the plugin", async () => {
    const flags = ["-c", "features.plugins=true"];
    const marketplace = resolve("plugins/marketplace");
    await sandbox.run(path, ["plugin", ...flags, "marketplace", "add", marketplace]);
    await sandbox.run(path, ["plugin", ...flags, "add", "tildone@tildone"]);
    const root = join(sandbox.home, ".codex/plugins/cache");
    const files = () => globSync("**", { cwd: root }).map((file) => `${file} ${statSync(join(root, file)).mtimeMs}`);
    const before = files();
    expect(before.some((file) => file.includes("tildone-hook.js"))).toBe(true);
    model.play(turns(stepwise(script(CODEX), 2)));
    expect((await CODEX.start(sandbox, path, model.url, { prompt: "do it", flags })).code).toBe(0);
    expect((await newest()).ledger.decision).toMatchObject({ reason: "done_unproven" });
    expect(files()).toEqual(before);
  });
});

describe("gemini alone", () => {
  const binary = inject("binaries").gemini;
  const path = "path" in binary ? binary.path : "";
  const ask = (...args: readonly string[]) =>
    sandbox.run(
      process.execPath,
      [path, "-m", "gemini-2.5-pro", "--output-format", "stream-json", ...args],
      GEMINI.env(sandbox, model.url),
    );
  beforeEach(() => GEMINI.configure(sandbox, model.url));

  test.skipIf("skipped" in binary)("our tools are offered without a word that allows everything", async () => {
    sandbox.tildone("install", "gemini");
    model.play(turns([{ text: "hello" }]));
    await ask("-p", "hello");
    expect(mainRequests(model)[0]?.tools).toContain("mcp_tildone_write_todos");
  });

  test.skipIf("skipped" in binary)("in plan mode, where our tools are missing, nothing is sent on", async () => {
    sandbox.tildone("install", "gemini");
    model.play(turns([{ calls: [write(GEMINI, 1)] }, { text: "written" }, ...oks()]));
    await ask("-p", "do it", "--approval-mode", "plan");
    expect(mainRequests(model).length).toBeLessThanOrEqual(2);
  });

  test.skipIf("skipped" in binary)("a command of the extension is still a command", async () => {
    const env = GEMINI.env(sandbox, model.url);
    await sandbox.run(
      process.execPath,
      [path, "extensions", "link", resolve("plugins/gemini/tildone"), "--consent"],
      env,
    );
    await ask("-p", "/tildone:status", "--yolo");
    expect(model.requests.filter(isMain)).toHaveLength(0);
  });
});
