import { readFileSync } from "node:fs";

/**
 * A hook that holds its answer has nobody to give it to once its host is gone. A host that is killed closes nothing and ends nobody, so
 * the hook looks for itself. `parent` is what started it: the host, or a shell of the host's.
 */
export function hostGone(parent: number): AbortSignal {
  const gone = new AbortController();
  const host = hostAbove(parent);
  lookLater();
  return gone.signal;

  function lookLater(): void {
    setTimeout(look, LOOK_EVERY_MS).unref();
  }

  function look(): void {
    const isThere = host === undefined || processAt(host.pid)?.started === host.started;
    if (isThere && process.ppid === parent) lookLater();
    else {
      gone.abort();
      setTimeout(() => process.exit(0), LAST_MS).unref();
    }
  }
}

const SHELL = /^-?(?:a|ba|da|fi|k|z)?sh$|^busybox$/;
const LOOK_EVERY_MS = 2_000;
const LAST_MS = 10_000;

function hostAbove(pid: number): ProcessAt | undefined {
  let found = processAt(pid);
  while (found && SHELL.test(found.name)) found = processAt(found.parent);
  return found;
}

interface ProcessAt {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  readonly started: string | undefined;
}

/** Undefined: it is gone, or this system has no such files. Read here: what tells more of a process is too much for a hook to load. */
function processAt(pid: number): ProcessAt | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const end = stat.lastIndexOf(")"); // a name may hold anything
    const fields = stat.slice(end + 2).split(" ");
    return { pid, name: stat.slice(stat.indexOf("(") + 1, end), parent: Number(fields[1]), started: fields[19] };
  } catch {
    return undefined;
  }
}
