import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HostName } from "../dialect.ts";
import { DIALECTS } from "../dialects/index.ts";
import { hasPlugin, type InstallRequest, isOurCommand, placesOf, planInstall, type Scope } from "../install/index.ts";
import { objectAt, objectsAt, type Payload, textAt } from "../payload.ts";
import { type Finding, fix, note, ok } from "./finding.ts";
import { readSettings } from "./read-settings.ts";
import { switchedOff } from "./switched-off.ts";

type Asked = Pick<InstallRequest, "host" | "where">;
const SCOPES = ["user", "project"] as const;

/** What stands in the host's files: whether we are in, once and up to date, and who else wants a word at the stop. */
export function examineConfig(request: InstallRequest): readonly Finding[] {
  const { host, where } = request;
  const all = SCOPES.map((scope) => readSettings(placesOf(host, scope, where).hooks));
  return [
    hasPlugin(host, where) ? asPlugin(request) : asFiles(request),
    ...SCOPES.flatMap((scope) => switchedOff(host, scope, where)),
    ...all.flatMap((settings) => rivals(host, settings)),
    ...(host === "gemini" && !all.some(detectsNoLoops) ? [note(LOOPS)] : []),
    ...(host === "claude-code" && existsSync(join(where.cwd, RALPH)) ? [fix(OTHER_LOOP)] : []),
  ];
}

/** Whether tildone is in this host at all, of this version or another. */
export const isInstalled = (asked: Asked): boolean => isInFiles(asked) || hasPlugin(asked.host, asked.where);

const isInFiles = (asked: Asked): boolean => SCOPES.some((scope) => isIn(asked, scope));

const isIn = ({ host, where }: Asked, scope: Scope): boolean =>
  commandsIn(readSettings(placesOf(host, scope, where).hooks)).some((command) => isOurCommand(command, host));

function asFiles(request: InstallRequest): Finding {
  const { host } = request;
  const [isForUser, isForProject] = SCOPES.map((scope) => isIn(request, scope));
  if (isForUser && isForProject)
    return fix(
      `${host}: installed for you and for this project, so each stop is seen twice. Run: tildone uninstall ${host} --project`,
    );
  const scope = isForProject ? "project" : "user";
  const flag = isForProject ? " --project" : "";
  const planned = planInstall({ ...request, scope });
  if (!planned.ok) return fix(`${host}: ${planned.problems.join(" ")}`);
  if (!isForUser && !isForProject) return fix(`${host}: not installed. Run: tildone install ${host}`);
  if (planned.changes.length === 0) return ok(`${host}: installed${isForProject ? " in this project" : ""}`);
  return fix(
    `${host}: not installed as this version does it (${planned.changes.map(({ path }) => path).join(", ")}). Run: tildone install ${host}${flag}`,
  );
}

function asPlugin(request: InstallRequest): Finding {
  const { host } = request;
  const flag = isIn(request, "user") ? "" : " --project";
  return isInFiles(request)
    ? fix(
        `${host}: installed as a plugin and by tildone install, so each stop is seen twice. Run: tildone uninstall ${host}${flag}`,
      )
    : ok(`${host}: installed as a plugin`);
}

const commandsIn = (settings: Payload, names?: readonly string[]): readonly string[] => {
  const hooks = objectAt(settings, "hooks");
  return (names ?? Object.keys(hooks))
    .flatMap((name) => objectsAt(hooks, name))
    .flatMap((group) => objectsAt(group, "hooks"))
    .flatMap((hook) => textAt(hook, "command") ?? []);
};

const detectsNoLoops = (settings: Payload): boolean => objectAt(settings, "model").disableLoopDetection === true;

/** Two loops in one session send the agent back and forth. */
const rivals = (host: HostName, settings: Payload): readonly Finding[] =>
  commandsIn(settings, DIALECTS[host].names.stop ?? [])
    .filter((command) => command !== "" && !isOurCommand(command, host))
    .map((command) => note(`${host}: another hook runs at the stop: ${command.slice(0, 80)}`));

const RALPH = ".claude/ralph-loop.local.md";
const LOOPS = "gemini: its loop detector may end a run that repeats a command; model.disableLoopDetection turns it off";
const OTHER_LOOP = `claude-code: another loop drives this folder (${RALPH}). End it: two loops send the agent back and forth`;
