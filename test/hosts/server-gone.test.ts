import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { HOOK_PROFILES } from "../../src/hosts/index.ts";
import { fileAppears } from "./file-appears.ts";
import { CODEX, dialectOf, ownItemOf, REAL_HOSTS, type RealHost } from "./hosts.ts";
import { mainRequests, oks, textOf, turns } from "./script.ts";
import { useStage } from "./stage.ts";

// Without our server the agent has none of our tools; you and the agent are told, and how to continue.
const stage = useStage("server");
const binaries = inject("binaries");
const has = ({ name }: RealHost): boolean => "path" in binaries[name];
const start = (host: RealHost) => {
  const binary = binaries[host.name];
  return host.start(stage.sandbox, "path" in binary ? binary.path : "", stage.model.url, { prompt: "do it" });
};
const told = (): number =>
  mainRequests(stage.model).filter((request) => textOf(request).includes("The tools of the tildone server do not"))
    .length;

test.each(REAL_HOSTS.filter(has).map((host) => [host.name, host] as const))(
  "%s: a server that is killed",
  async (name, host) => {
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", name);
    const list = host.ours("write_todos", { mode: "replace", todos: [{ text: "one" }] });
    stage.model.play(turns([{ calls: [list] }, { calls: [host.shell("touch kill; sleep 3")] }, ...oks()]));
    const killed = fileAppears(stage.sandbox.project, "kill").then(killServers);
    const { out, err } = await start(host);
    expect(await killed).toBeGreaterThan(0);
    const [run] = await stage.sandbox.runs();
    expect(run!.ledger.decision).toMatchObject({ type: "stop", reason: "no_progress" });
    expect(told()).toBe(3);
    if (host.printsNotices)
      expect(out + err).toMatch(new RegExp(`server of this session ended[\\s\\S]*${dialectOf(host).resumed("")}`));
  },
);

/** Where it keeps its servers. Codex has another format for them, and its own list only on request. */
const serversOf = ({ name }: RealHost): string => {
  const { home, project: cwd } = stage.sandbox;
  return HOOK_PROFILES[name].hook.placesOf("user", { env: {}, home, cwd }).servers;
};
test.each(REAL_HOSTS.filter((host) => has(host) && host !== CODEX).map((host) => [host.name, host] as const))(
  "%s: a server that the host does not start",
  async (name, host) => {
    const own = ownItemOf(host);
    host.configure(stage.sandbox, stage.model.url);
    own.prepare?.(stage.sandbox);
    stage.sandbox.tildone("install", name);
    const path = serversOf(host);
    const { mcpServers: _, ...rest } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    writeFileSync(path, JSON.stringify(rest));
    stage.model.play(turns([{ calls: [own.call] }, ...oks()]));
    const { out, err } = await start(host);
    expect(mainRequests(stage.model)).toHaveLength(5);
    expect(told()).toBe(3);
    if (host.printsNotices) expect(out + err).toContain(`tildone doctor ${name}`);
  },
);

/** All that said of themselves that they serve a session. */
function killServers(): number {
  const folder = join(stage.sandbox.home, ".local/state/tildone/drivers");
  const pids = new Set(
    (existsSync(folder) ? readdirSync(folder) : [])
      .filter((file) => file.endsWith(".server"))
      .map((file) => (JSON.parse(readFileSync(join(folder, file), "utf8")) as { readonly pid: number }).pid),
  );
  for (const pid of pids) process.kill(pid, "SIGKILL");
  return pids.size;
}
