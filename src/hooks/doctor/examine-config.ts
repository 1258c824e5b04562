import type { HostWithHooks } from "../hook-profile.ts";
import { type InstallRequest, isOurCommand, planInstall, type Scope } from "../install/index.ts";
import { objectAt, objectsAt, type Payload, textAt } from "../payload.ts";
import { type Finding, fix, note, ok } from "./finding.ts";
import { readSettings } from "./read-settings.ts";

type Asked = Pick<InstallRequest, "host" | "where">;
const SCOPES = ["user", "project"] as const;

/** What stands in the host's files: whether we are in, once and up to date, and who else wants a word at the stop. */
export function examineConfig(request: InstallRequest): readonly Finding[] {
  const { host, where } = request;
  const all = SCOPES.map((scope) => readSettings(host.hook.placesOf(scope, where).hooks));
  return [
    host.hook.hasPlugin?.(where) ? asPlugin(request) : asFiles(request),
    ...SCOPES.flatMap((scope) => host.hook.switchedOff(scope, where)).map(({ path, setting, effect }) =>
      fix(`${host.name}: ${setting} in ${path}, so ${effect}. Remove that setting`),
    ),
    ...all.flatMap((settings) => rivals(host, settings)),
    ...(host.hook.examine?.(where, all) ?? []),
  ];
}

/** Whether tildone is in this host at all, of this version or another. */
export const isInstalled = (asked: Asked): boolean =>
  isInFiles(asked) || asked.host.hook.hasPlugin?.(asked.where) === true;

const isInFiles = (asked: Asked): boolean => SCOPES.some((scope) => isIn(asked, scope));

const isIn = ({ host, where }: Asked, scope: Scope): boolean =>
  commandsIn(readSettings(host.hook.placesOf(scope, where).hooks)).some((command) => isOurCommand(command, host.name));

function asFiles(request: InstallRequest): Finding {
  const host = request.host.name;
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
  const host = request.host.name;
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

/** Two loops in one session send the agent back and forth. */
const rivals = ({ name: host, hook }: HostWithHooks, settings: Payload): readonly Finding[] =>
  commandsIn(settings, hook.dialect.names.stop ?? [])
    .filter((command) => command !== "" && !isOurCommand(command, host))
    .map((command) => note(`${host}: another hook runs at the stop: ${command.slice(0, 80)}`));
