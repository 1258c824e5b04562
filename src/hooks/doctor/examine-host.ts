import { type InstallRequest, planInstall } from "../install/index.ts";
import { codexTrust } from "./codex-trust.ts";
import { converse } from "./converse.ts";
import { examineConfig, isInstalled } from "./examine-config.ts";
import { type Finding, note, ok } from "./finding.ts";
import { tryHooks, tryServer } from "./try-parts.ts";

/** The versions whose contracts were verified against the real program. */
const VERIFIED = { "claude-code": "2.1.197", codex: "0.166.0", gemini: "0.61.0" } as const;
const PROGRAMS = { "claude-code": "claude", codex: "codex", gemini: "gemini" } as const;

/** Everything that can be known of tildone in one host, by looking and by trying. */
export async function examineHost(request: InstallRequest): Promise<readonly Finding[]> {
  const { host, launch, where } = request;
  const program = PROGRAMS[host];
  const { code, out } = await converse({
    command: program,
    args: ["--version"],
    cwd: where.cwd,
    env: where.env,
    say: "",
  });
  const config = examineConfig(request);
  if (code !== 0 && !isInstalled(request))
    return [note(`${host}: ${program} is not on your PATH`), ...(planInstall(request).ok ? [] : config)];
  const isOff = config.some(({ says }) => says.includes("no hook runs"));
  return [
    code === 0 ? versionOf(host, out) : note(`${host}: ${program} is not on your PATH`),
    ...config,
    await tryHooks(host, launch, where),
    await tryServer(host, launch, where),
    ...(host === "codex" && code === 0 && !isOff && isInstalled(request) ? [await codexTrust(program, where)] : []),
  ];
}

function versionOf(host: keyof typeof VERIFIED, out: string): Finding {
  const version = /\d+\.\d+\.\d+/.exec(out)?.[0] ?? "unknown";
  return version === VERIFIED[host]
    ? ok(`${host}: version ${version}`)
    : note(`${host}: version ${version}; tried with ${VERIFIED[host]}`);
}
