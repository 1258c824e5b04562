import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { HOOK_PROFILES } from "../../src/hosts/index.ts";
import type { Step } from "../../src/testing/index.ts";
import { bytesOf, CLAUDE_CODE, GEMINI, REAL_HOSTS, type RealHost } from "./hosts.ts";
import { oks, turns } from "./script.ts";
import { useStage } from "./stage.ts";

/** What becomes of a host when tildone is installed, broken and removed. */
const stage = useStage("install");
const binaries = inject("binaries");
const pathOf = (host: RealHost): string => {
  const binary = binaries[host.name];
  return "path" in binary ? binary.path : "";
};
const filesOf = (host: RealHost): readonly string[] => [
  ...host.config(stage.sandbox),
  ...(host === CLAUDE_CODE ? [join(stage.sandbox.home, ".claude.json")] : []),
];
const start = (host: RealHost, asked: Partial<Parameters<RealHost["start"]>[3]> = {}) =>
  host.start(stage.sandbox, pathOf(host), stage.model.url, { prompt: "hello", ...asked });

function ready(host: RealHost): void {
  host.configure(stage.sandbox, stage.model.url);
  stage.sandbox.tildone("install", host.name);
}
function inFiles(host: RealHost, from: string, to: string): void {
  for (const path of filesOf(host).filter((one) => existsSync(one)))
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(from, to));
}

/** Node, as an old one would say of itself. */
function oldNode(): string {
  const root = resolve(stage.sandbox.home, "..");
  stage.sandbox.write(
    "old.cjs",
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.1.0" } });`,
  );
  stage.sandbox.write("old-node", `#!/bin/sh\nexec "${process.execPath}" -r "${root}/old.cjs" "$@"\n`);
  chmodSync(join(root, "old-node"), 0o755);
  return join(root, "old-node");
}

describe.each(REAL_HOSTS.filter(({ name }) => "path" in binaries[name]))("$name", (host) => {
  test.each<[string, () => void]>([
    ["its package is gone", () => inFiles(host, "/bin/tildone", "/bin/gone/tildone")],
    ["its Node is gone", () => inFiles(host, process.execPath, "/nowhere/node")],
    ["its Node is too old", () => inFiles(host, process.execPath, oldNode())],
  ])("starts although %s", async (_what, breakIt) => {
    ready(host);
    breakIt();
    stage.model.play([{ text: "hello there" }]);
    const { code, out } = await start(host);
    expect(code).toBe(0);
    expect(out).toContain("hello there");
    expect(() => stage.sandbox.tildone("doctor", host.name)).toThrow(`Run: tildone install ${host.name}`);
  });

  test("doctor is content after the host ran and wrote to its files", async () => {
    ready(host);
    stage.model.play([{ text: "hello there" }]);
    await start(host);
    expect(() => stage.sandbox.tildone("doctor", host.name)).not.toThrow(/not installed/);
    stage.sandbox.tildone("uninstall", host.name);
    expect(bytesOf(host, stage.sandbox).join("\n")).not.toMatch(/tildone-hook|mcp_servers\.tildone/);
  });
});

test.each(REAL_HOSTS.filter(({ name }) => "path" in binaries[name]).map((host) => [host.name, host] as const))(
  "%s: a server that takes 2 s to start loses no run",
  async (name, host) => {
    ready(host);
    const root = resolve(stage.sandbox.home, "..");
    stage.sandbox.write(
      "slow-node",
      `#!/bin/sh\ncase "$*" in *" mcp "*) sleep 2 ;; esac\nexec "${process.execPath}" "$@"\n`,
    );
    chmodSync(join(root, "slow-node"), 0o755);
    const { home, project: cwd } = stage.sandbox;
    const path = HOOK_PROFILES[name].hook.placesOf("user", { env: {}, home, cwd }).servers;
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(process.execPath, join(root, "slow-node")));
    const list: Step = { calls: [host.ours("write_todos", { mode: "replace", todos: [{ text: "a" }] })] };
    stage.model.play(turns([list, { text: "I stop." }, ...oks()]));
    expect((await start(host)).code).toBe(0);
    expect((await stage.sandbox.runs())[0]?.ledger.spent.continuations).toBe(3);
  },
);

test.skipIf("skipped" in binaries.gemini)(
  "Gemini: nothing is deprecated, and the list can be written without --yolo",
  async () => {
    ready(GEMINI);
    const list: Step = { calls: [GEMINI.ours("write_todos", { mode: "replace", todos: [{ text: "a" }] })] };
    const done: Step = { calls: [GEMINI.ours("edit_todos", { action: "complete", indices: [0] })] };
    const steps = [list, done, { text: "done" }];
    let at = 0;
    stage.model.play(({ tools }) => (tools.length > 0 ? (steps[at++] ?? { text: "over" }) : { text: "aside" }));
    const { code, err } = await stage.sandbox.run(
      process.execPath,
      [pathOf(GEMINI), "-p", "do it", "-m", "gemini-2.5-pro", "--output-format", "stream-json"],
      GEMINI.env(stage.sandbox, stage.model.url),
    );
    expect([code, err]).toEqual([0, expect.not.stringMatching(/deprecated/i)]);
    expect((await stage.sandbox.runs())[0]?.plan.todos).toMatchObject([{ text: "a", status: "completed" }]);
  },
);
