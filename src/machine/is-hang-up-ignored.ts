import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

const SIGHUP_BIT = 1n;
const WRITE_ONLY = 1;

/**
 * Whether this process was started to outlive its terminal. `nohup` says so by ignoring the hang-up signal, and Node
 * forgets that when it starts; three traces stay: the shell names `nohup` as the command, `nohup` leaves a terminal's standard input
 * as `/dev/null` that can only be written to, and a script that runs under it ignores the signal itself.
 */
export function isHangUpIgnored(env: Readonly<Record<string, string | undefined>>): boolean {
  return basename(env._ ?? "") === "nohup" || hasUnreadableInput() || isIgnoredByParent();
}

function hasUnreadableInput(): boolean {
  const flags = /^flags:\s*(\d+)/m.exec(read("/proc/self/fdinfo/0"))?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & 3) === WRITE_ONLY && inputPath() === "/dev/null";
}

function inputPath(): string {
  try {
    return readlinkSync("/proc/self/fd/0");
  } catch {
    return "";
  }
}

function isIgnoredByParent(): boolean {
  const ignored = /^SigIgn:\s*([\da-f]+)/m.exec(read(`/proc/${process.ppid}/status`))?.[1];
  return ignored !== undefined && (BigInt(`0x${ignored}`) & SIGHUP_BIT) !== 0n;
}

/** Empty where the system tells nothing. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
