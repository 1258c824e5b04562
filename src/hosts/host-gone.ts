import { readFileSync } from "node:fs";
import { processStart } from "../machine/index.ts";

/**
 * A hook that holds its answer has nobody to give it to once its host is gone. A host that is killed closes nothing and ends nobody, so
 * the hook looks for itself. `parent` is what started it: the host, or a shell of the host's.
 */
export function hostGone(parent: number): AbortSignal {
  const gone = new AbortController();
  const host = hostAbove(parent);
  const started = host === undefined ? undefined : processStart(host);
  lookLater();
  return gone.signal;

  function lookLater(): void {
    setTimeout(look, LOOK_EVERY_MS).unref();
  }

  function look(): void {
    const isThere = host === undefined || processStart(host) === started;
    if (isThere && process.ppid === parent) lookLater();
    else {
      gone.abort();
      setTimeout(() => process.exit(0), LAST_MS).unref();
    }
  }
}

const LOOK_EVERY_MS = 2_000;
const LAST_MS = 10_000;
const SHELL = /^-?(?:a|ba|da|fi|k|z)?sh$|^busybox$/;

/**
 * Undefined: this system does not tell, or only by starting a process; a parent that changed says enough there. Read here, because each
 * call of the hook would load `lineageOf`, and most have no use for it.
 */
function hostAbove(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const end = stat.lastIndexOf(")"); // a name may hold anything
    if (!SHELL.test(stat.slice(stat.indexOf("(") + 1, end))) return pid;
    return hostAbove(Number(stat.slice(end + 2).split(" ")[1]));
  } catch {
    return undefined;
  }
}
