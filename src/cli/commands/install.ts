import { directories, HOOK_HOSTS, type HookHostName } from "../../config/index.ts";
import type { FileChange, InstallRequest, Planned } from "../../hooks/index.ts";
import { HOOK_PROFILES } from "../../hosts/index.ts";
import { type Command, Failure, type Given, has, UsageError } from "../command.ts";
import { unknownHost } from "../hosts.ts";
import type { Io } from "../io.ts";
import { packaged } from "../packaged.ts";

const OPTIONS = {
  project: { type: "boolean", says: "In this folder's own configuration instead of the user's." },
  "dry-run": { type: "boolean", short: "n", says: "Show what would change and change nothing." },
} as const;

export const install: Command = {
  name: "install",
  takes: "<host>",
  summary: "Adds tildone's hooks and todo tools to a host, and shows every line it writes.",
  examples: [
    ["tildone install claude-code", "for you, in every project"],
    ["tildone install codex --project", "for this project only"],
    ["tildone install gemini --dry-run", "show what it would write"],
  ],
  completes: ["hook-host"],
  options: OPTIONS,
  words: 1,
  run: async (given, io) => {
    const { applyInstall, planInstall } = await import("../../hooks/index.ts");
    const request = requestOf(given, io);
    const changes = await show(planInstall(request), io);
    if (changes.length === 0) io.out(`tildone is already installed in ${request.host.name}.`);
    else if (!has(given, "dry-run")) {
      applyInstall(request, changes);
      io.out(
        `Installed. To try it: tildone doctor ${request.host.name}. To remove it: tildone uninstall ${named(request)}`,
      );
    } else io.out(`Nothing was changed. To do it: tildone install ${named(request)}`);
    const { name, hook } = request.host;
    if (hook.afterInstall !== undefined) io.out(hook.afterInstall);
    if (hook.dialect.capabilities.brake.ends === false)
      io.out(
        `In ${name} no hook can end a turn. After a limit or a hold, tildone refuses every call; \`tildone run --host ${name}\` also ends the turn.`,
      );
    return 0;
  },
};

export const uninstall: Command = {
  name: "uninstall",
  takes: "<host>",
  summary: "Removes exactly what install added to a host.",
  examples: [
    ["tildone uninstall claude-code", ""],
    ["tildone uninstall codex --project", ""],
  ],
  completes: ["hook-host"],
  options: OPTIONS,
  words: 1,
  run: async (given, io) => {
    const { applyUninstall, planUninstall } = await import("../../hooks/index.ts");
    const request = requestOf(given, io);
    const changes = await show(planUninstall(request), io);
    if (changes.length === 0) io.out(await elsewhere(request));
    else if (!has(given, "dry-run")) {
      applyUninstall(request, changes);
      io.out("Removed.");
    } else io.out(`Nothing was changed. To do it: tildone uninstall ${named(request)}`);
    return 0;
  },
};

/** The host as it is named in a command, with the place that was asked for. */
const named = ({ host, scope }: InstallRequest): string => (scope === "project" ? `${host.name} --project` : host.name);

/** Nothing is there; perhaps it is in the other place. */
async function elsewhere(request: InstallRequest): Promise<string> {
  const { planUninstall } = await import("../../hooks/index.ts");
  const other = { ...request, scope: request.scope === "user" ? ("project" as const) : ("user" as const) };
  const planned = planUninstall(other);
  if (!planned.ok || planned.changes.length === 0) return `tildone is not installed in ${request.host.name}.`;
  const place = other.scope === "user" ? "for you" : "for this project";
  return `tildone is installed in ${request.host.name} ${place}. To remove it: tildone uninstall ${named(other)}`;
}

function requestOf(given: Given, io: Io): InstallRequest {
  const host = HOOK_HOSTS.find((name) => name === given.words[0]);
  if (!host) throw new UsageError(unknownHost(given.words[0]));
  return requestFor(host, has(given, "project") ? "project" : "user", io);
}

export function requestFor(
  host: HookHostName,
  scope: InstallRequest["scope"],
  { env, home, cwd }: InstallRequest["where"],
): InstallRequest {
  return {
    host: HOOK_PROFILES[host],
    scope,
    where: { env, home, cwd },
    launch: { node: process.execPath, hookEntry: packaged("tildone-hook.js"), cliEntry: packaged("tildone.js") },
    state: directories({ env, home }).state,
  };
}

async function show(planned: Planned, io: Io): Promise<readonly FileChange[]> {
  if (!planned.ok) throw new Failure(["Nothing was changed.", ...planned.problems].join("\n"));
  const { lineDiff } = await import("../../hooks/index.ts");
  for (const { path, before, after } of planned.changes) {
    io.out(`${path}${before === undefined ? " (new)" : after === undefined ? " (removed)" : ""}`);
    for (const line of lineDiff(before ?? "", after ?? "")) io.out(`  ${line}`);
  }
  return planned.changes;
}
