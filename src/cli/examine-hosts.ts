import { HOOK_HOSTS, HOST_NAMES, type HostName } from "../config/index.ts";
import { type Finding, fix, note, ok } from "../hooks/index.ts";
import { type HostProfile, PROFILES } from "../hosts/index.ts";
import { findProgram } from "../machine/index.ts";
import { requestFor } from "./commands/install.ts";
import type { Io } from "./io.ts";
import { packageFolder } from "./packaged.ts";

export const EXAMINED = HOST_NAMES.filter((name) => PROFILES[name].hook ?? PROFILES[name].examine);

/** How tildone stands in one host. */
export interface HostStanding {
  readonly host: HostName;
  /** Its program is on the PATH. */
  readonly isInstalled: boolean;
  /** tildone is in its configuration. */
  readonly isSetUp: boolean;
  /** It was tried and nothing is to be fixed. */
  readonly works: boolean;
  readonly findings: readonly Finding[];
}

/** `isNamed`: you asked about this host, so everything about it is looked at. */
export async function examineHost(host: HostName, isNamed: boolean, io: Io): Promise<HostStanding> {
  const isInstalled = findProgram(PROFILES[host].program, io) !== undefined;
  const { isSetUp, findings } = await lookAt(host, isNamed, io);
  const works = isInstalled && isSetUp && !findings.some(({ status }) => status === "fix");
  return { host, isInstalled, isSetUp, works, findings };
}

async function lookAt(name: HostName, isNamed: boolean, io: Io): Promise<Pick<HostStanding, "isSetUp" | "findings">> {
  const hookHost = HOOK_HOSTS.find((one) => one === name);
  if (!hookHost) {
    const findings = PROFILES[name].examine?.(io, packageFolder()) ?? [];
    const isSetUp = findings.some(({ status }) => status === "ok");
    return { isSetUp, findings: isNamed || isSetUp ? findings : [] };
  }
  const hooks = await import("../hooks/index.ts");
  const request = requestFor(hookHost, "user", io);
  const isSetUp = hooks.isInstalled(request);
  return { isSetUp, findings: isNamed || isSetUp ? await hooks.examineHost(request) : [] };
}

/** One line: installed, set up, works; and what to type for what is missing. */
export function standingLine({ host, isInstalled, isSetUp, works, findings }: HostStanding): Finding {
  const { comesWith, installedBy }: HostProfile = PROFILES[host];
  const setUp = installedBy?.(packageFolder()) ?? `tildone install ${host}`;
  const version = /version (\S+?)(?:;|\s|$)/.exec(findings.map(({ says }) => says).join("\n"))?.[1];
  const title = version === undefined ? host : `${host} ${version}`;
  if (works) return ok(`${title}: installed, set up, works`);
  if (isInstalled && isSetUp) return fix(`${title}: installed, set up, does not work`);
  if (isInstalled) return note(`${title}: installed, not set up. Set up with: ${setUp}`);
  if (isSetUp) return note(`${host}: set up, but not installed. Run: npm install -g ${comesWith}`);
  return note(`${host}: not installed. Run: npm install -g ${comesWith}`);
}
