import { attempt, errorCode } from "./attempt.ts";
import { files, programs } from "./builtins.ts";

/**
 * When a process began, as a name that no later process of the same number has. Undefined: there is no such process, or it
 * ended and its parent has not looked yet; in a container perhaps it never does.
 */
export function processStart(pid: number): string | undefined {
  if (process.platform === "linux") return startInProc(pid);
  return exists(pid) ? (startByPs(pid) ?? UNKNOWN) : undefined;
}

/** A system that does not tell when a process began: its number has to do. */
const UNKNOWN = "unknown";

/** Whether a process still does anything; one of another user does, and one that we are told nothing more about. */
export function isRunning(pid: number): boolean {
  if (!exists(pid)) return false;
  const stat = statInProc(pid);
  return stat === undefined || !hasEnded(stat);
}

function startInProc(pid: number): string | undefined {
  const stat = statInProc(pid);
  return stat === undefined || hasEnded(stat) ? undefined : stat[STARTTIME];
}

/** What Linux says of a process, from its state on. Undefined: nothing, or this is another system. */
function statInProc(pid: number): readonly string[] | undefined {
  const stat = attempt(() => files().readFileSync(`/proc/${pid}/stat`, "utf8"));
  // The name of the program stands in brackets and may hold anything, brackets and spaces included.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** It ended, and the process that started it has not looked yet. */
const hasEnded = ([state]: readonly string[]): boolean => state === "Z" || state === "X";

/** Field 22 of the whole line; the first of ours is field 3. */
const STARTTIME = 19;

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

function startByPs(pid: number): string | undefined {
  try {
    const [state = "", ...started] = programs()
      .execFileSync("ps", ["-o", "state=,lstart=", "-p", String(pid)], {
        encoding: "utf8",
        env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
        stdio: ["ignore", "pipe", "ignore"],
      })
      .trim()
      .split(/\s+/);
    return state.startsWith("Z") ? undefined : started.join(" ");
  } catch {
    return undefined;
  }
}
