import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HostName } from "../dialect.ts";
import { DIALECTS } from "../dialects/index.ts";
import { hasPlugin, type InstallRequest, placesOf, planInstall } from "../install/index.ts";
import { isObject, objectAt, objectsAt, type Payload, textAt } from "../payload.ts";
import { type Finding, fix, note, ok } from "./finding.ts";

/** What stands in the host's files: whether we are in, once and up to date, and who else wants a word at the stop. */
export function examineConfig(request: InstallRequest): readonly Finding[] {
  const { host, where } = request;
  const planned = planInstall({ ...request, scope: "user" });
  const user = readJson(placesOf(host, "user", where).hooks);
  const project = readJson(placesOf(host, "project", where).hooks);
  const isTwice = isIn(user) && isIn(project);
  return [
    hasPlugin(host, where) ? asPlugin(request) : installed(host, planned, isIn(project)),
    ...(isTwice
      ? [fix(`${host}: installed for the user and for this project; take one out: tildone uninstall ${host} --project`)]
      : []),
    ...[user, project].flatMap((settings) => [...switchedOff(host, settings), ...rivals(host, settings)]),
    ...(host === "gemini" && ![user, project].some(detectsNoLoops)
      ? [
          note(
            "gemini: its loop detector may end a run that repeats a command; model.disableLoopDetection turns it off",
          ),
        ]
      : []),
    ...(host === "claude-code" && existsSync(join(where.cwd, ".claude/ralph-loop.local.md"))
      ? [
          fix(
            "claude-code: another loop drives this folder (.claude/ralph-loop.local.md); end it, or tildone and it will argue",
          ),
        ]
      : []),
  ];
}

/** Whether anything of ours stands in the host's files, of this version or another. */
export function isInstalled({ host, where }: Pick<InstallRequest, "host" | "where">): boolean {
  return (["user", "project"] as const).some((scope) => isIn(readJson(placesOf(host, scope, where).hooks)));
}

function installed(host: HostName, planned: ReturnType<typeof planInstall>, isInProject: boolean): Finding {
  if (!planned.ok) return fix(`${host}: ${planned.problems.join(" ")}`);
  if (planned.changes.length === 0) return ok(`${host}: installed`);
  if (isInProject) return ok(`${host}: installed in this project`);
  const isThere = planned.changes.some(({ before }) => before?.includes("tildone-hook.js"));
  return fix(
    `${host}: ${isThere ? "installed by another version or place" : "not installed"}. Run: tildone install ${host}`,
  );
}

function asPlugin(request: InstallRequest): Finding {
  const { host } = request;
  return isInstalled(request)
    ? fix(
        `${host}: installed as a plugin and by tildone install, so each stop is told twice. Run: tildone uninstall ${host}`,
      )
    : ok(`${host}: installed as a plugin`);
}

const isIn = (settings: Payload): boolean => JSON.stringify(settings).includes("tildone-hook.js");

function switchedOff(host: HostName, settings: Payload): readonly Finding[] {
  if (host === "claude-code" && settings.disableAllHooks === true)
    return [fix("claude-code: disableAllHooks is set, so no hook runs")];
  if (host === "gemini" && objectAt(settings, "hooksConfig").enabled === false)
    return [fix("gemini: hooksConfig.enabled is false, so no hook runs")];
  return [];
}

const detectsNoLoops = (settings: Payload): boolean => objectAt(settings, "model").disableLoopDetection === true;

/** Two loops in one session send the agent back and forth. */
function rivals(host: HostName, settings: Payload): readonly Finding[] {
  const moments = DIALECTS[host].names.stop ?? [];
  const commands = moments
    .flatMap((name) => objectsAt(objectAt(settings, "hooks"), name))
    .flatMap((group) => objectsAt(group, "hooks"))
    .map((hook) => textAt(hook, "command") ?? "")
    .filter((command) => command !== "" && !command.includes("tildone-hook.js"));
  return commands.map((command) => note(`${host}: another hook speaks at the stop: ${command.slice(0, 80)}`));
}

function readJson(path: string): Payload {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isObject(value) ? value : {};
  } catch {
    return {}; // not there, or no JSON: the installation says so
  }
}
