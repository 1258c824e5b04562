import type { HostWithHooks } from "../hook-profile.ts";
import { type InstallRequest, planInstall } from "../install/index.ts";
import { converse } from "./converse.ts";
import { examineConfig, isInstalled } from "./examine-config.ts";
import { type Finding, note, ok } from "./finding.ts";
import { tryHooks, tryServer } from "./try-parts.ts";

/** Everything that can be known of tildone in one host, by looking and by trying. */
export async function examineHost(request: InstallRequest): Promise<readonly Finding[]> {
  const { host, launch, where } = request;
  const { name, program, hook } = host;
  const { code, out } = await converse({
    command: program,
    args: ["--version"],
    cwd: where.cwd,
    env: where.env,
    say: "",
  });
  const config = examineConfig(request);
  if (code !== 0 && !isInstalled(request))
    return [note(`${name}: ${program} is not on your PATH`), ...(planInstall(request).ok ? [] : config)];
  const isOff = config.some(({ says }) => says.includes("no hook runs"));
  return [
    code === 0 ? versionOf(host, out) : note(`${name}: ${program} is not on your PATH`),
    ...config,
    await tryHooks(host, launch, where),
    await tryServer(name, launch, where),
    ...(hook.askItself && code === 0 && !isOff && isInstalled(request) ? [await hook.askItself(program, where)] : []),
  ];
}

function versionOf({ name, verified }: HostWithHooks, out: string): Finding {
  const version = /\d+\.\d+\.\d+/.exec(out)?.[0] ?? "unknown";
  return version === verified
    ? ok(`${name}: version ${version}`)
    : note(`${name}: version ${version}; tried with ${verified}`);
}
