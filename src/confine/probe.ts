import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { holdLifeline } from "../machine/index.ts";
import { ANOTHER_USERS, diagnose, type KernelFacts, type Obstacle } from "./diagnose.ts";
import type { Launch } from "./enclosure.ts";

const PROBE_MS = 20_000;
/** Said only from inside: a program that does nothing would succeed as well. */
const ALIVE = "confined";
/** Root has no rights over the files of others once it is confined. */
const NOT_YOURS = "not yours";

/** The command whose success shows that the same enclosure works. */
export const probeCommand = (cwd: string, env: Launch["env"]): Launch => ({
  file: "/bin/sh",
  args: ["-c", `test "$$" -lt 10 && test -w . && echo ${ALIVE} || echo ${NOT_YOURS}`],
  cwd,
  env,
});

/** Runs what was built, once, and says what stands in its way. Undefined: nothing does. */
export function tryOut({ file, args, cwd, env }: Launch): Promise<Obstacle | undefined> {
  const { promise, resolve } = Promise.withResolvers<Obstacle | undefined>();
  const child = spawn(file, [...args], {
    cwd,
    env: { ...env },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    timeout: PROBE_MS,
  });
  holdLifeline(child);
  let [said, printed] = ["", ""];
  child.stdout?.on("data", (chunk: Buffer) => (said += chunk));
  child.stderr?.on("data", (chunk: Buffer) => (printed += chunk));
  child.on("error", (error) => resolve(diagnose(error.message, kernelFacts())));
  child.on("close", (code) => {
    if (code === 0 && said.trim() === ALIVE) resolve(undefined);
    else resolve(said.trim() === NOT_YOURS ? ANOTHER_USERS : diagnose(printed, kernelFacts()));
  });
  return promise;
}

function kernelFacts(): KernelFacts {
  const most = read("/proc/sys/user/max_user_namespaces");
  const clone = read("/proc/sys/kernel/unprivileged_userns_clone");
  const restricts = read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
  return {
    mostNamespaces: most === undefined ? undefined : Number(most),
    mayClone: clone === undefined ? undefined : clone !== "0",
    appArmorRestricts: restricts === undefined ? undefined : restricts === "1",
    isFiltered: /^Seccomp:\s*2$/m.test(read("/proc/self/status") ?? ""),
  };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}
