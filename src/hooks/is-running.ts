import { readFileSync } from "node:fs";

/** Whether a process still does anything; one of somebody else does. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** It ended, and whoever started it has not looked yet; in a container perhaps nobody ever does. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false; // no such files here
  }
}
