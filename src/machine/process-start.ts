import { errorCode } from "./attempt.ts";
import { files, programs } from "./builtins.ts";

/**
 * When a process began, as a name that no later process of the same number has. Undefined: there is no such process, or it
 * ended and nobody has looked yet; in a container perhaps nobody ever does.
 */
export function processStart(pid: number): string | undefined {
  if (process.platform === "linux") return startInProc(pid);
  return exists(pid) ? (startByPs(pid) ?? UNKNOWN) : undefined;
}

/** A system that does not tell when a process began: its number has to do. */
const UNKNOWN = "unknown";

function startInProc(pid: number): string | undefined {
  let stat: string;
  try {
    stat = files().readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The name of the program stands in brackets and may hold anything, brackets and spaces included.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  return state === "Z" || state === "X" ? undefined : fields[STARTTIME];
}

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
