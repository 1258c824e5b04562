import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, inject, test } from "vitest";
import { openRun } from "../../src/engine/index.ts";
import { HOOK_PROFILES } from "../../src/hosts/index.ts";
import { openStore } from "../../src/store/index.ts";
import type { Call, Step } from "../../src/testing/index.ts";
import { CLAUDE_CODE, CODEX, GEMINI, REAL_HOSTS, type RealHost } from "./hosts.ts";
import { useStage } from "./stage.ts";

// What `npm run build` writes into plugins/, installed the way each host installs plugins.
const MARKETPLACE = resolve("plugins/marketplace");
const EXTENSION = resolve("plugins/gemini/tildone");

/** The other tests run without them, for they look for updates. */
const WITH_PLUGINS = ["-c", "features.plugins=true"];

const stage = useStage("plugin");

const binaries = inject("binaries");

const PLUGGED = [
  {
    host: CLAUDE_CODE,
    install: async (binary: string) => {
      stage.sandbox.write(
        "home/.claude/settings.json",
        JSON.stringify({ permissions: { allow: ["Bash", "mcp__plugin_tildone_tildone"] } }),
      );
      await done(binary, ["plugin", "validate", `${MARKETPLACE}/plugins/tildone`]);
      await done(binary, ["plugin", "marketplace", "add", MARKETPLACE]);
      await done(binary, ["plugin", "install", "tildone@tildone"]);
    },
    ours: (tool: string, args: object): Call => [`mcp__plugin_tildone_tildone__${tool}`, args],
  },
  {
    host: CODEX,
    install: async (binary: string) => {
      await done(binary, ["plugin", ...WITH_PLUGINS, "marketplace", "add", MARKETPLACE]);
      await done(binary, ["plugin", ...WITH_PLUGINS, "add", "tildone@tildone"]);
    },
    flags: WITH_PLUGINS,
  },
  {
    host: GEMINI,
    install: (binary: string) =>
      done(process.execPath, [binary, "extensions", "link", EXTENSION, "--consent"], {
        GEMINI_CLI_HOME: stage.sandbox.home,
        GEMINI_API_KEY: "x",
        GEMINI_CLI_TRUST_WORKSPACE: "true",
        GEMINI_CLI_NO_RELAUNCH: "true",
      }),
  },
] satisfies readonly {
  host: RealHost;
  install: (binary: string) => Promise<void>;
  ours?: RealHost["ours"];
  flags?: readonly string[];
}[];

test("every host whose value names a plugin is tried here", () => {
  const named = REAL_HOSTS.filter(({ name }) => HOOK_PROFILES[name].hook.plugin).map(({ name }) => name);
  expect(PLUGGED.map(({ host }) => host.name)).toEqual(named);
});

for (const { host, install, ours = host.ours, flags = [] } of PLUGGED) {
  const binary = binaries[host.name];
  if ("skipped" in binary) {
    test.skip(`${host.name} skipped: ${binary.skipped}`, () => {});
    continue;
  }
  test(`the plugin in ${host.name} finishes a list`, async () => {
    host.configure(stage.sandbox, stage.model.url);
    await install(binary.path);
    expect(() => stage.sandbox.tildone("install", host.name)).toThrow("as a plugin already");
    stage.model.play(script(host, ours));
    const { code, err, out } = await host.start(stage.sandbox, binary.path, stage.model.url, {
      prompt: "do it",
      flags,
    });
    expect(code, err).toBe(0);
    const [run] = await stage.sandbox.runs();
    expect(run?.ledger.decision, out).toMatchObject({ type: "stop", reason: "done_unproven" });
    expect(run!.ledger.spent.continuations).toBe(2);
    expect(run!.origin.cwd).toBe(stage.sandbox.project);
  });

  test(`the plugin in ${host.name} keeps one log for its server and its hooks where TILDONE_HOME says`, async () => {
    host.configure(stage.sandbox, stage.model.url);
    await install(binary.path);
    stage.model.play(script(host, ours));
    const own = join(stage.sandbox.home, "own");
    const env = { TILDONE_HOME: own };
    const asked = { prompt: "do it", flags, env };
    const { code, err, out } = await host.start(stage.sandbox, binary.path, stage.model.url, asked);
    expect(code, err).toBe(0);
    expect(await endsIn(join(own, "tildone.db")), out).toEqual(["done_unproven"]);
    expect(existsSync(join(stage.sandbox.home, ".local/state/tildone/tildone.db"))).toBe(false);
  });
}

async function endsIn(database: string): Promise<readonly (string | undefined)[]> {
  const store = await openStore({ path: database });
  const ends = store.runs.list().map(({ run }) => openRun(store.log, run).run.ledger.endReason);
  store.close();
  return ends;
}

test.skipIf("skipped" in binaries.codex)("the plugin in Codex works outside a repository", async () => {
  const path = "path" in binaries.codex ? binaries.codex.path : "";
  rmSync(join(stage.sandbox.project, ".git"), { recursive: true });
  CODEX.configure(stage.sandbox, stage.model.url);
  await done(path, ["plugin", ...WITH_PLUGINS, "marketplace", "add", MARKETPLACE]);
  await done(path, ["plugin", ...WITH_PLUGINS, "add", "tildone@tildone"]);
  stage.model.play(script(CODEX, CODEX.ours));
  const { code, err, out } = await CODEX.start(stage.sandbox, path, stage.model.url, {
    prompt: "do it",
    flags: WITH_PLUGINS,
  });
  expect(code, err).toBe(0);
  const [run] = await stage.sandbox.runs();
  expect(run?.ledger.decision, out).toMatchObject({ type: "stop", reason: "done_unproven" });
  expect(run!.origin.cwd).toBe(stage.sandbox.project);
});

async function done(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { code, out, err } = await stage.sandbox.run(command, args, env);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${out}${err}`);
}

function script(host: RealHost, ours: RealHost["ours"]) {
  const steps: Step[] = [
    { calls: [ours("write_todos", { mode: "replace", todos: [{ text: "one" }, { text: "two" }] })] },
    { text: "The list is written." },
    ...[0, 1].flatMap((at): Step[] => [
      { calls: [host.shell(`echo ${at} >> work.txt`)] },
      { calls: [ours("edit_todos", { action: "complete", indices: [at] })] },
      { text: `Item ${at} is done.` },
    ]),
  ];
  let at = 0;
  return ({ tools }: { tools: readonly string[] }): Step =>
    tools.length > 0 ? (steps[at++] ?? { text: "over" }) : { text: "aside" };
}
