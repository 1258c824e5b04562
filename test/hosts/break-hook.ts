import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HOOK_PROFILES } from "../../src/hosts/index.ts";
import type { RealHost } from "./hosts.ts";
import type { Sandbox } from "./sandbox.ts";

export interface Fault {
  /** What the host calls the hook. */
  readonly name: string;
  /** Shell words that run in its place; `hook` is the hook itself. */
  readonly fault: string;
  readonly how: "once" | "always";
  /** How long the host waits for it. */
  readonly seconds: number;
}

/** Puts a fault in the place of an installed hook. */
export function breakHook(host: RealHost, sandbox: Sandbox, { name, fault, how, seconds }: Fault): void {
  const { countsIn } = HOOK_PROFILES[host.name].hook.handlers;
  const path = host
    .config(sandbox)
    .find((file) => existsSync(file) && readFileSync(file, "utf8").includes(`"${name}"`))!;
  const settings = JSON.parse(readFileSync(path, "utf8")) as { hooks: Record<string, { hooks: Handler[] }[]> };
  const handler = settings.hooks[name]!.find(({ hooks }) => hooks[0]!.command.includes("tildone-hook"))!.hooks[0]!;
  const faulty = join(sandbox.home, "faulty.sh");
  const once = how === "once" ? `mkdir "${join(sandbox.home, "failed")}" 2>/dev/null` : "true";
  writeFileSync(
    faulty,
    [`hook() {`, handler.command, `}`, `if ${once}; then`, fault, `exit; fi`, `exec ${handler.command}`, ""].join("\n"),
  );
  handler.command = `sh ${faulty}`;
  handler.timeout = countsIn === "seconds" ? seconds : seconds * 1000;
  writeFileSync(path, JSON.stringify(settings));
}

interface Handler {
  command: string;
  timeout: number;
}
