import { appendFileSync, existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, inject, test } from "vitest";
import type { Call, Step } from "../../src/testing/index.ts";
import { programsOf } from "./binaries.ts";
import { breakHook } from "./break-hook.ts";
import { CLAUDE_CODE, CODEX, GEMINI, REAL_HOSTS, type RealHost } from "./hosts.ts";
import { runSupervised } from "./run-supervised.ts";
import { isMain, mainRequests, oks, stepwise, texts, turns } from "./script.ts";
import { useStage } from "./stage.ts";

// What hosts do to hooks that fail, come twice or come too late. The list of all traps is in traps.ts.
const stage = useStage("trap");

const write = (host: RealHost, count: number) =>
  host.ours("write_todos", { mode: "replace", todos: texts(count).map((text) => ({ text })) });
const script = (host: RealHost) => ({
  shell: host.shell,
  list: (count: number, done: number) =>
    done === 0 ? write(host, count) : host.ours("edit_todos", { action: "complete", indices: [done - 1] }),
});
const newest = async () => (await stage.sandbox.runs())[0]!;

/** What a hook may do instead of answering; the host lets it have a second. */
const FAULTS = {
  crashes: "cat > /dev/null; exit 1",
  "comes too late": "cat > /dev/null; sleep 8",
  "is cut off in its answer": `cat > /dev/null; printf '{"decision":"blo'`,
};

describe.each(REAL_HOSTS)("$name", (host) => {
  const binary = inject("binaries")[host.name];
  if ("skipped" in binary) {
    test.skip(`skipped: ${binary.skipped}`, () => {});
    return;
  }
  const start = (prompt: string, flags: readonly string[] = []) =>
    host.start(stage.sandbox, binary.path, stage.model.url, { prompt, flags });
  beforeEach(() => {
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", host.name);
  });

  test.each(Object.entries(FAULTS))(
    "a stop hook that %s ends the turn, and a supervisor sees what is open",
    async (_how, fault) => {
      breakHook(host, stage.sandbox, { name: host.stopHook, fault, how: "once", seconds: 1 });
      stage.model.play(turns(stepwise(script(host), 2)));
      const supervised = { ...host, folder: programsOf(host.name) };
      const { code, out, err } = await runSupervised(
        stage.sandbox,
        supervised,
        host.env(stage.sandbox, stage.model.url),
      );
      expect(code, out + err).toBe(0);
      expect(out.match(new RegExp(`^${host.name}: `, "gm"))).toHaveLength(2); // two processes
      expect((await newest()).plan.todos.map(({ status }) => status)).toEqual(["completed", "completed"]);
    },
  );

  test.each(Object.entries(FAULTS))("a hook before a tool that %s lets the tool run", async (_how, fault) => {
    breakHook(host, stage.sandbox, { name: host.toolHook, fault, how: "always", seconds: 1 });
    stage.model.play(turns([{ calls: [host.shell("touch ran")] }, { text: "done" }]));
    expect((await start("do it")).code).toBe(0);
    expect(existsSync(join(stage.sandbox.project, "ran"))).toBe(true);
  });

  test("two calls at once are both seen", async () => {
    const both: Step = { calls: [host.shell("echo one"), host.shell("echo two")] };
    stage.model.play(turns([{ calls: [write(host, 1)] }, both, ...oks()]));
    await start("do it");
    const seen =
      stage.sandbox.tildone("log", (await newest()).id, "--json").match(/"activity\.seen"[^}]*"call"/g) ?? [];
    expect(seen.length).toBeGreaterThanOrEqual(2);
  });
});

describe("claude-code alone", () => {
  const binary = inject("binaries")["claude-code"];
  const path = "path" in binary ? binary.path : "";
  beforeEach(() => {
    CLAUDE_CODE.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", "claude-code");
  });

  test.skipIf("skipped" in binary)("a server that starts slowly is in the first request all the same", async () => {
    const file = join(stage.sandbox.home, ".claude.json");
    const settings = JSON.parse(readFileSync(file, "utf8")) as {
      mcpServers: Record<string, { command: string; args: string[] }>;
    };
    const server = settings.mcpServers.tildone!;
    server.args = ["-c", 'sleep 2.5; exec "$@"', "sh", server.command, ...server.args];
    server.command = "sh";
    writeFileSync(file, JSON.stringify(settings));
    stage.model.play(turns([{ text: "hello" }]));
    await CLAUDE_CODE.start(stage.sandbox, path, stage.model.url, { prompt: "hello" });
    expect(mainRequests(stage.model)[0]?.tools).toContain("mcp__tildone__write_todos");
  });

  test.skipIf("skipped" in binary)("a server in the background delays nothing, whatever it is called", async () => {
    stage.sandbox.write(
      "project/thing.cjs",
      "require('node:http').createServer().listen(0);setTimeout(process.exit,60000)",
    );
    const [list, wrote, ...items] = stepwise(script(CLAUDE_CODE), 1);
    const thing = { command: `${process.execPath} thing.cjs`, description: "work", run_in_background: true };
    stage.model.play(turns([list!, { calls: [["Bash", thing]] }, wrote!, ...items]));
    const { code } = await CLAUDE_CODE.start(stage.sandbox, path, stage.model.url, { prompt: "do it" });
    expect(code).toBe(0);
    const { plan, ledger } = await newest();
    expect(ledger.background.commands).toBe(1);
    expect(plan.todos.map(({ status }) => status)).toEqual(["completed"]);
    expect(ledger.decision).toMatchObject({ reason: "done_unproven" });
  });

  test.skipIf("skipped" in binary)("in plan mode nothing is told to continue", async () => {
    stage.model.play(turns([{ calls: [write(CLAUDE_CODE, 1)] }, ...oks()]));
    const flags = ["--permission-mode", "plan"];
    await CLAUDE_CODE.start(stage.sandbox, path, stage.model.url, { prompt: "plan it", flags });
    expect((await newest()).ledger.decision).toMatchObject({ type: "stop", reason: "read_only" });
    expect(mainRequests(stage.model)).toHaveLength(2);
  });
});

describe("codex alone", () => {
  const binary = inject("binaries").codex;
  const path = "path" in binary ? binary.path : "";
  beforeEach(() => CODEX.configure(stage.sandbox, stage.model.url));

  test.skipIf("skipped" in binary)("installed for the user and in the project, a stop is decided once", async () => {
    stage.sandbox.tildone("install", "codex");
    stage.sandbox.tildone("install", "codex", "--project");
    stage.model.play(turns(stepwise(script(CODEX), 2)));
    expect((await CODEX.start(stage.sandbox, path, stage.model.url, { prompt: "do it" })).code).toBe(0);
    const { ledger, id } = await newest();
    expect(ledger.decision).toMatchObject({ reason: "done_unproven" });
    expect(ledger.spent.continuations).toBe(2);
    expect(stage.sandbox.tildone("log", id).match(/continue: /g)).toHaveLength(2);
  });

  test.skipIf("skipped" in binary)(
    "hooks that were not reviewed are skipped in silence, and doctor says so",
    async () => {
      stage.sandbox.tildone("install", "codex");
      const { out } = await stage.sandbox.run(process.execPath, [resolve("bin/tildone.js"), "doctor", "codex"], {
        ...CODEX.env(stage.sandbox, stage.model.url),
        PATH: `${programsOf("codex")}:${stage.sandbox.env.PATH}`,
      });
      expect(out).toMatch(/hooks never run \(untrusted\)/);
    },
  );

  test.skipIf("skipped" in binary)("a configuration that it cannot read, and doctor says where", async () => {
    stage.sandbox.tildone("install", "codex");
    appendFileSync(join(stage.sandbox.home, ".codex/config.toml"), "[unclosed\n");
    const { out } = await stage.sandbox.run(process.execPath, [resolve("bin/tildone.js"), "doctor", "codex"], {
      ...CODEX.env(stage.sandbox, stage.model.url),
      PATH: `${programsOf("codex")}:${stage.sandbox.env.PATH}`,
    });
    expect(out.replaceAll(/\s+/g, " ")).toMatch(/FIX codex: Invalid configuration.*config\.toml:\d+/);
  });

  test.skipIf("skipped" in binary)("a session writes nothing below the plugin", async () => {
    const flags = ["-c", "features.plugins=true"];
    const marketplace = resolve("plugins/marketplace");
    await stage.sandbox.run(path, ["plugin", ...flags, "marketplace", "add", marketplace]);
    await stage.sandbox.run(path, ["plugin", ...flags, "add", "tildone@tildone"]);
    const root = join(stage.sandbox.home, ".codex/plugins/cache");
    const files = () => globSync("**", { cwd: root }).map((file) => `${file} ${statSync(join(root, file)).mtimeMs}`);
    const before = files();
    expect(before.some((file) => file.includes("tildone-hook.js"))).toBe(true);
    stage.model.play(turns(stepwise(script(CODEX), 2)));
    expect((await CODEX.start(stage.sandbox, path, stage.model.url, { prompt: "do it", flags })).code).toBe(0);
    expect((await newest()).ledger.decision).toMatchObject({ reason: "done_unproven" });
    expect(files()).toEqual(before);
  });
});

describe("gemini alone", () => {
  const binary = inject("binaries").gemini;
  const path = "path" in binary ? binary.path : "";
  const ask = (...args: readonly string[]) =>
    stage.sandbox.run(
      process.execPath,
      [path, "-m", "gemini-2.5-pro", "--output-format", "stream-json", ...args],
      GEMINI.env(stage.sandbox, stage.model.url),
    );
  beforeEach(() => GEMINI.configure(stage.sandbox, stage.model.url));

  test.skipIf("skipped" in binary)("our tools are offered without a word that allows everything", async () => {
    stage.sandbox.tildone("install", "gemini");
    stage.model.play(turns([{ text: "hello" }]));
    await ask("-p", "hello");
    expect(mainRequests(stage.model)[0]?.tools).toContain("mcp_tildone_write_todos");
  });

  test.skipIf("skipped" in binary)(
    "in plan mode, where our tools are missing, nothing is told to continue",
    async () => {
      stage.sandbox.tildone("install", "gemini");
      const plan: Call = ["enter_plan_mode", { reason: "to think", wait_for_previous: true }];
      stage.model.play(turns([{ calls: [write(GEMINI, 1)] }, { calls: [plan] }, ...oks()]));
      const { out } = await ask("-p", "do it", "--yolo");
      expect((await newest()).ledger.decision).toMatchObject({ type: "stop", reason: "read_only" });
      expect(mainRequests(stage.model)).toHaveLength(3);
      stage.model.play(turns([{ calls: [GEMINI.shell("echo 1 > work.txt")] }, ...oks()]));
      await ask("--resume", GEMINI.sessionOf(out)!, "-p", "go on", "--yolo"); // in which there is a shell: no plan mode
      expect((await newest()).ledger.decision).toMatchObject({ type: "stop", reason: "no_progress" });
    },
  );

  test.skipIf("skipped" in binary)("plan mode from the start does not show, and our own limit ends it", async () => {
    stage.sandbox.tildone("install", "gemini");
    stage.model.play(turns([{ calls: [write(GEMINI, 1)] }, ...oks()]));
    const { out } = await ask("-p", "do it", "--yolo");
    const { spent } = (await newest()).ledger;
    stage.model.play(turns(oks()));
    await ask("--resume", GEMINI.sessionOf(out)!, "-p", "plan it", "--approval-mode", "plan");
    const { decision, spent: after } = (await newest()).ledger;
    expect(mainRequests(stage.model).at(-1)?.tools).not.toContain("mcp_tildone_write_todos");
    expect(decision).toMatchObject({ type: "stop", reason: "no_progress" });
    expect(after.continuations - spent.continuations).toBe(3);
  });

  test.skipIf("skipped" in binary)("a command of the extension is still a command", async () => {
    const env = GEMINI.env(stage.sandbox, stage.model.url);
    await stage.sandbox.run(
      process.execPath,
      [path, "extensions", "link", resolve("plugins/gemini/tildone"), "--consent"],
      env,
    );
    await ask("-p", "/tildone:status", "--yolo");
    expect(stage.model.requests.filter(isMain)).toHaveLength(0);
  });
});
