import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { placesOf } from "../../../test/builders/hook-hosts.ts";
import { HOOK_HOSTS, type HookHostName } from "../../config/index.ts";
import { HOOK_PROFILES } from "../../hosts/index.ts";
import { applyInstall, applyUninstall, type InstallRequest, planInstall, planUninstall } from "./install.ts";
import type { Scope } from "./places.ts";

const HOSTS = HOOK_HOSTS;
const LAUNCH = {
  node: "/opt/node",
  hookEntry: "/opt/tildone/bin/tildone-hook.js",
  cliEntry: "/opt/tildone/bin/tildone.js",
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tildone-install-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const request = (host: HookHostName, scope: Scope = "user"): InstallRequest => ({
  host: HOOK_PROFILES[host],
  scope,
  where: { env: {}, home: join(folder, "home"), cwd: join(folder, "project") },
  launch: LAUNCH,
  state: join(folder, "state"),
});
const files = (host: HookHostName, scope: Scope = "user") => {
  const { hooks, servers, policy } = placesOf(host, scope, request(host, scope).where);
  return [...new Set([hooks, servers, ...(policy === undefined ? [] : [policy])])];
};

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
const contents = (host: HookHostName, scope: Scope = "user") =>
  files(host, scope).map((path) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  });

function install(host: HookHostName, scope: Scope = "user") {
  const plan = planInstall(request(host, scope));
  if (!plan.ok) throw new Error(plan.problems.join(" "));
  applyInstall(request(host, scope), plan.changes);
  return plan.changes;
}
function uninstall(host: HookHostName, scope: Scope = "user") {
  const plan = planUninstall(request(host, scope));
  if (!plan.ok) throw new Error(plan.problems.join(" "));
  applyUninstall(request(host, scope), plan.changes);
  return plan.changes;
}

/** Configurations as people have them: odd indentation, hooks of others, no line break at the end. */
const SETTINGS =
  '{\n\t"theme": "dark",\n\t"hooks": {"Stop": [ {"hooks": [{"type":"command","command":"bell"}]} ], "AfterAgent": []},\n\t"permissions": {"allow": ["Bash(ls)"]}\n}';
const TOML = 'model = "gpt-5.5"\n\n[mcp_servers.other]\ncommand = "other"';
const given = (path: string) => (path.endsWith(".toml") ? TOML : SETTINGS);

describe.each(HOSTS)("%s", (host) => {
  test.each<Scope>(["user", "project"])("install and uninstall leave every byte as it was (%s)", (scope) => {
    for (const path of files(host, scope)) put(path, given(path));
    const before = contents(host, scope);
    install(host, scope);
    expect(contents(host, scope)).not.toEqual(before);
    uninstall(host, scope);
    expect(contents(host, scope)).toEqual(before);
  });

  test("where there was nothing, nothing is left", () => {
    install(host);
    uninstall(host);
    expect(contents(host)).toEqual(files(host).map(() => undefined));
  });

  test("installing twice changes nothing more", () => {
    install(host);
    const once = contents(host);
    expect(install(host)).toEqual([]);
    expect(contents(host)).toEqual(once);
  });

  test("an upgrade in between still ends with the bytes of before", () => {
    for (const path of files(host)) put(path, given(path));
    const before = contents(host);
    install(host);
    const newer = { ...request(host), launch: { ...LAUNCH, node: "/opt/newer-node" } };
    const plan = planInstall(newer);
    if (!plan.ok) throw new Error("refused");
    applyInstall(newer, plan.changes);
    expect(contents(host).join()).toContain("/opt/newer-node");
    expect(contents(host).join()).not.toContain('"/opt/node"');
    uninstall(host);
    expect(contents(host)).toEqual(before);
  });

  test("what you changed after the installation stays, and only ours goes", () => {
    for (const path of files(host)) put(path, given(path));
    install(host);
    for (const path of files(host))
      put(
        path,
        path.endsWith(".toml")
          ? `${readFileSync(path, "utf8")}\n[projects."/p"]\ntrust_level = "trusted"\n`
          : readFileSync(path, "utf8").replace('"dark"', '"light"'),
      );
    uninstall(host);
    const text = contents(host).join("\n");
    expect(text).not.toContain("tildone");
    expect(text).toContain("bell");
    expect(text).toContain('"light"');
    if (host === "codex")
      expect(text).toContain('[mcp_servers.other]\ncommand = "other"\n[projects."/p"]\ntrust_level');
  });

  test("a file that is no JSON is refused by name, and nothing is written", () => {
    const [first] = files(host);
    put(first!, '{\n  "a": 1\n  "b": 2\n}');
    const plan = planInstall(request(host));
    const problem = `${first}: it is not valid JSON at line 3, column 3 (CommaExpected).`;
    expect(plan).toEqual({ ok: false, problems: [problem] });
  });

  test("the hooks stand beside those of others, with the timeout in the host's unit", () => {
    for (const path of files(host)) put(path, given(path));
    install(host);
    const settings = JSON.parse(contents(host)[0]!) as {
      hooks: Record<string, { hooks: { command: string; timeout: number }[] }[]>;
    };
    const name = host === "gemini" ? "AfterAgent" : "Stop";
    const ours = settings.hooks[name]!.flatMap(({ hooks }) => hooks).find(({ command }) => command.includes("tildone"));
    expect(ours).toMatchObject({
      command: `"/opt/node" "/opt/tildone/bin/tildone-hook.js" ${host} stop${host === "gemini" ? " 2>/dev/null || true" : ""}`,
      timeout: host === "gemini" ? 60_000 : 60,
    });
    expect(ours).not.toHaveProperty("args");
    expect(settings.hooks.Stop!.flatMap(({ hooks }) => hooks).some(({ command }) => command === "bell")).toBe(true);
  });
});

test.each<[string, HookHostName, (first: string) => void, string]>([
  [
    "a folder stands in its place",
    "gemini",
    (first) => mkdirSync(first, { recursive: true }),
    "it cannot be read (EISDIR)",
  ],
  ["a file stands in its folder's place", "gemini", (first) => put(dirname(first), ""), "is not a folder"],
  ["its hooks are no object", "claude-code", (first) => put(first, '{"hooks":[1]}'), 'its "hooks" is not an object'],
  ["a moment is no list", "codex", (first) => put(first, '{"hooks":{"Stop":{}}}'), 'its "hooks.Stop" is not a list'],
  [
    "its rules are no list",
    "claude-code",
    (first) => put(first, '{"permissions":{"allow":"x"}}'),
    '"permissions.allow"',
  ],
  [
    "its servers are no object",
    "gemini",
    (first) => put(first, '{"mcpServers":[]}'),
    'its "mcpServers" is not an object',
  ],
])("a file that cannot be written to is told, and nothing changes: %s", (_what, host, given, problem) => {
  given(files(host)[0]!);
  const plan = planInstall(request(host));
  expect(plan).toMatchObject({ ok: false });
  expect(plan.ok ? "" : plan.problems[0]).toContain(problem);
});

test.skipIf(process.getuid?.() === 0)("a file that you made read-only stays as it is", () => {
  const [first] = files("gemini");
  put(first!, "{}");
  chmodSync(first!, 0o444);
  expect(planInstall(request("gemini"))).toEqual({ ok: false, problems: [`${first}: it is read-only.`] });
});

test.each(["there", "not there yet"])("a link into your dotfiles stays a link; its file is %s", (how) => {
  const [first] = files("gemini");
  const real = join(folder, "dotfiles/gemini.json");
  mkdirSync(dirname(first!), { recursive: true });
  symlinkSync(real, first!);
  if (how === "there") put(real, SETTINGS);
  install("gemini");
  expect([readlinkSync(first!), readFileSync(real, "utf8").includes("tildone")]).toEqual([real, true]);
  uninstall("gemini");
  expect([readlinkSync(first!), contents("gemini")[0]]).toEqual([real, how === "there" ? SETTINGS : undefined]);
});

test.each<[HookHostName, string, string]>([
  ["claude-code", "home/.claude/settings.json", '{"enabledPlugins":{"tildone@tildone":true}}'],
  ["codex", "home/.codex/config.toml", '[plugins."tildone@tildone"]\nenabled = true\n'],
  ["gemini", "home/.gemini/extensions/tildone/gemini-extension.json", "{}"],
])("%s: not beside the plugin, but beside one that is switched off or of others", (host, path, text) => {
  put(join(folder, path), text);
  expect(planInstall(request(host))).toMatchObject({ ok: false, problems: [expect.stringContaining("as a plugin")] });
  if (host === "gemini") rmSync(dirname(join(folder, path)), { recursive: true });
  else put(join(folder, path), text.replace("true", "false"));
  expect(planInstall(request(host))).toMatchObject({ ok: true });
});

test.each([
  '[mcp_servers.tildone]\ncommand = "mine"\n',
  '[mcp_servers."tildone"]\ncommand = "mine"\n',
  '[ mcp_servers . tildone . env ]\nA = "b"\n',
  'mcp_servers.tildone = { command = "mine" }\n',
  '[mcp_servers]\ntildone.command = "mine"\n',
  'mcp_servers = { other = { command = "x" } }\n', // no table can be added to it
])("a server of Codex that tildone did not write is not overwritten: %j", (text) => {
  put(files("codex")[1]!, text);
  expect(planInstall(request("codex"))).toEqual({
    ok: false,
    problems: [expect.stringContaining("tildone did not write")],
  });
});

test("what only looks like a server of that name is none", () => {
  put(files("codex")[1]!, '[mcp_servers.other]\ntildone = "x"\n[mcp_servers.tildone2]\ncommand = "y"\n');
  expect(planInstall(request("codex"))).toMatchObject({ ok: true });
});

test("Codex trusts the very bytes of a hook: these are the ones that people have reviewed", () => {
  install("codex");
  const { hooks } = JSON.parse(contents("codex")[0]!) as { hooks: Record<string, unknown> };
  const reviewed = (event: string, timeout: number) => [
    { hooks: [{ type: "command", command: `"/opt/node" "/opt/tildone/bin/tildone-hook.js" codex ${event}`, timeout }] },
  ];
  expect(hooks).toEqual({
    SessionStart: reviewed("session-start", 20),
    UserPromptSubmit: reviewed("prompt", 20),
    PreToolUse: reviewed("pre-tool", 20),
    PostToolUse: reviewed("post-tool", 20),
    Stop: reviewed("stop", 60),
    PreCompact: reviewed("compaction", 20),
    SessionEnd: reviewed("session-end", 3),
  });
});
