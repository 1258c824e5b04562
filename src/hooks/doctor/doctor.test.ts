import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HookHostName } from "../../config/index.ts";
import { trustFinding } from "../../hosts/codex/trust.ts";
import { HOOK_PROFILES } from "../../hosts/index.ts";
import { applyInstall, type InstallRequest, planInstall } from "../install/index.ts";
import { examineConfig } from "./examine-config.ts";
import { examineHost } from "./examine-host.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tildone-doctor-"));
  mkdirSync(join(folder, "project"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const request = (host: HookHostName): InstallRequest => ({
  host: HOOK_PROFILES[host],
  scope: "user",
  where: { env: { PATH: `${folder}:${process.env.PATH}` }, home: join(folder, "home"), cwd: join(folder, "project") },
  launch: { node: process.execPath, hookEntry: script("tildone-hook.js", ""), cliEntry: script("tildone.js", "") },
  state: join(folder, "state"),
});
function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
function script(name: string, text: string): string {
  const path = join(folder, name);
  put(path, text);
  return path;
}
function install(host: HookHostName, scope: InstallRequest["scope"] = "user"): void {
  const asked = { ...request(host), scope };
  const plan = planInstall(asked);
  if (plan.ok) applyInstall(asked, plan.changes);
}
const says = (findings: readonly { status: string; says: string }[]) =>
  findings.map((one) => `${one.status} ${one.says}`);

test.each<[string, HookHostName, () => void, RegExp]>([
  ["nothing is there", "claude-code", () => {}, /^fix claude-code: not installed\. Run: tildone install claude-code$/m],
  ["all is well", "claude-code", () => install("claude-code"), /^ok claude-code: installed$/m],
  [
    "hooks are switched off in Claude Code",
    "claude-code",
    () => put(join(folder, "home/.claude/settings.json"), '{"disableAllHooks":true}'),
    /^fix claude-code: disableAllHooks is set/m,
  ],
  [
    "hooks are switched off in Gemini",
    "gemini",
    () => put(join(folder, "home/.gemini/settings.json"), '{"hooksConfig":{"enabled":false}}'),
    /^fix gemini: hooksConfig.enabled is false/m,
  ],
  [
    "hooks are switched off in Codex",
    "codex",
    () => put(join(folder, "home/.codex/config.toml"), "[features]\nhooks = false\n"),
    /^fix codex: features\.hooks is false in .*config\.toml, so no hook runs\. Remove that setting$/m,
  ],
  [
    "hooks are switched off in Codex, in one line, for this project",
    "codex",
    () => put(join(folder, "project/.codex/config.toml"), "features = { other = true, hooks = false }\n"),
    /^fix codex: features\.hooks is false in .*project/m,
  ],
  [
    "our server is switched off in Codex",
    "codex",
    () => {
      install("codex");
      const path = join(folder, "home/.codex/config.toml");
      put(path, `${readFileSync(path, "utf8")}enabled = false\n`);
    },
    /^fix codex: mcp_servers\.tildone\.enabled is false/m,
  ],
  [
    "Codex appended to its file",
    "codex",
    () => {
      install("codex");
      const path = join(folder, "home/.codex/config.toml");
      put(path, `${readFileSync(path, "utf8")}\n[projects."/p"]\ntrust_level = "trusted"\n`);
    },
    /^ok codex: installed$/m,
  ],
  [
    "an earlier version wrote it",
    "codex",
    () => {
      install("codex");
      const path = join(folder, "home/.codex/config.toml");
      put(path, readFileSync(path, "utf8").replace("required = true\n", ""));
    },
    /^fix codex: not installed as this version does it \(.*config\.toml\)\. Run: tildone install codex$/m,
  ],
  [
    "a part of it is missing in this project",
    "claude-code",
    () => {
      install("claude-code", "project");
      rmSync(join(folder, "project/.mcp.json"));
    },
    /^fix claude-code: .*\.mcp\.json\)\. Run: tildone install claude-code --project$/m,
  ],
  [
    "hooks are switched off in a local file of Claude Code with comments",
    "claude-code",
    () => put(join(folder, "project/.claude/settings.local.json"), '{ // mine\n"disableAllHooks": true }'),
    /^fix claude-code: disableAllHooks is set in .*settings\.local\.json/m,
  ],
  [
    "one of our hooks is switched off in Gemini",
    "gemini",
    () => put(join(folder, "home/.gemini/settings.json"), '{"hooksConfig":{"disabled":["tildone-stop"]}}'),
    /^fix gemini: hooksConfig\.disabled names tildone-stop/m,
  ],
  [
    "another hook runs at the stop",
    "codex",
    () =>
      put(
        join(folder, "home/.codex/hooks.json"),
        '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"bell"}]}]}}',
      ),
    /^note codex: another hook runs at the stop: bell$/m,
  ],
  [
    "another loop drives the folder",
    "claude-code",
    () => put(join(folder, "project/.claude/ralph-loop.local.md"), ""),
    /^fix claude-code: another loop works in this folder/m,
  ],
  [
    "it is installed twice",
    "codex",
    () => {
      install("codex");
      put(
        join(folder, "project/.codex/hooks.json"),
        '{"hooks":{"Stop":[{"hooks":[{"command":"node tildone-hook.js codex stop"}]}]}}',
      );
    },
    /^fix codex: installed for you and for this project/m,
  ],
  [
    "the host has the plugin",
    "gemini",
    () => put(join(folder, "home/.gemini/extensions/tildone/gemini-extension.json"), "{}"),
    /^ok gemini: installed as a plugin$/m,
  ],
  [
    "it is installed beside the plugin",
    "gemini",
    () => {
      install("gemini");
      put(join(folder, "home/.gemini/extensions/tildone/gemini-extension.json"), "{}");
    },
    /^fix gemini: installed as a plugin and by tildone install.*Run: tildone uninstall gemini$/m,
  ],
  [
    "a file is no JSON",
    "gemini",
    () => put(join(folder, "home/.gemini/settings.json"), "{ x"),
    /^fix gemini: .*not valid JSON/m,
  ],
])("%s", (_what, host, given, expected) => {
  given();
  expect(says(examineConfig(request(host))).join("\n")).toMatch(expected);
});

test.each<[string, object[], string]>([
  ["all are trusted", [{ trustStatus: "trusted", enabled: true }], "ok codex: all 1 hooks are trusted"],
  [
    "one was never reviewed",
    [{ trustStatus: "untrusted" }],
    "fix codex: 1 of 1 hooks never run (untrusted). Open codex, type /hooks, and trust them",
  ],
  [
    "one was changed",
    [{ trustStatus: "modified" }, { trustStatus: "trusted" }],
    "fix codex: 1 of 2 hooks never run (modified). Open codex, type /hooks, and trust them",
  ],
  [
    "one was switched off",
    [{ trustStatus: "trusted", enabled: false }],
    "fix codex: 1 of 1 hooks never run (disabled). Open codex, type /hooks, and trust them",
  ],
  [
    "there are none",
    [],
    "fix codex: installed, but Codex does not see tildone's hooks. Open codex in this folder and trust the folder, then type /hooks",
  ],
])("Codex, %s", (_what, hooks, expected) => {
  const ours = hooks.map((hook) => ({ ...hook, command: "node tildone-hook.js" }));
  expect(says([trustFinding([...ours, { trustStatus: "untrusted", command: "of somebody else" }])])).toEqual([
    expected,
  ]);
});

test("a host that is not there: its broken file is told, a missing installation is not", async () => {
  const nowhere = { ...request("codex"), where: { ...request("codex").where, env: { PATH: folder } } };
  expect(says(await examineHost(nowhere))).toEqual(["note codex: codex is not on your PATH"]);
  put(join(folder, "home/.codex/hooks.json"), "{");
  expect(says(await examineHost(nowhere)).join("\n")).toMatch(/^fix codex: .*not valid JSON/m);
});

test("a hook that fails and a server that says nothing are found by trying them", async () => {
  install("gemini");
  const program = script("gemini", "#!/bin/sh\necho 0.61.0\n");
  chmodSync(program, 0o755);
  const broken = {
    ...request("gemini"),
    launch: { ...request("gemini").launch, hookEntry: script("broken-tildone-hook.js", "throw new Error('no')") },
  };
  const text = says(await examineHost(broken)).join("\n");
  expect(text).toContain("ok gemini: version 0.61.0");
  expect(text).toContain("fix gemini: the hook for prompt ended with 1");
  expect(text).toContain("fix gemini: the MCP server does not answer");
});
