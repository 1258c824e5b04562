import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HostName } from "../dialect.ts";
import { DIALECTS } from "../dialects/index.ts";
import { applyInstall, applyUninstall, type InstallRequest, planInstall, planUninstall } from "./install.ts";
import { placesOf, type Scope } from "./places.ts";

const HOSTS = Object.keys(DIALECTS) as HostName[];
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

const request = (host: HostName, scope: Scope = "user"): InstallRequest => ({
  host,
  scope,
  where: { env: {}, home: join(folder, "home"), cwd: join(folder, "project") },
  launch: LAUNCH,
  state: join(folder, "state"),
});
const files = (host: HostName, scope: Scope = "user") => {
  const { hooks, servers } = placesOf(host, scope, request(host, scope).where);
  return [...new Set([hooks, servers])];
};

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
const contents = (host: HostName, scope: Scope = "user") =>
  files(host, scope).map((path) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  });

function install(host: HostName, scope: Scope = "user") {
  const plan = planInstall(request(host, scope));
  if (!plan.ok) throw new Error(plan.problems.join(" "));
  applyInstall(request(host, scope), plan.changes);
  return plan.changes;
}
function uninstall(host: HostName, scope: Scope = "user") {
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

  test("what somebody changed after the installation stays, and only ours goes", () => {
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
      expect(text).toContain('[mcp_servers.other]\ncommand = "other"\n\n[projects."/p"]\ntrust_level');
  });

  test("a file that is no JSON is refused by name, and nothing is written", () => {
    const [first] = files(host);
    put(first!, "{ // a comment\n}");
    const plan = planInstall(request(host));
    expect(plan).toEqual({ ok: false, problems: [expect.stringContaining(`${first}: it is no plain JSON`)] });
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
      command: `"/opt/node" "/opt/tildone/bin/tildone-hook.js" ${host} stop`,
      timeout: host === "gemini" ? 60_000 : 60,
    });
    expect(ours).not.toHaveProperty("args");
    expect(settings.hooks.Stop!.flatMap(({ hooks }) => hooks).some(({ command }) => command === "bell")).toBe(true);
  });
});

test("a table of Codex that somebody else wrote is not overwritten", () => {
  put(files("codex")[1]!, '[mcp_servers.tildone]\ncommand = "mine"\n');
  expect(planInstall(request("codex"))).toEqual({
    ok: false,
    problems: [expect.stringContaining("tildone did not write")],
  });
});
