import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, processStart } from "../../machine/index.ts";

/** One worker of a name in a folder: a second one would take the runs of the first. Gives what lets go of it, or who has it. */
export function lockWorker(state: string, id: string): { readonly release: () => void } | { readonly heldBy: number } {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const file = join(state, `worker-${id}.lock`);
  const own = JSON.stringify({ pid: process.pid, started: processStart(process.pid) ?? "" });
  for (;;) {
    const isMade = attempt(() => writeFileSync(file, own, { flag: "wx", mode: 0o600 }) ?? true) === true;
    if (isMade) return { release: () => rmSync(file, { force: true }) };
    const holder = attempt(() => JSON.parse(readFileSync(file, "utf8")) as { pid: number; started: string });
    if (holder && processStart(holder.pid) === holder.started && holder.pid !== process.pid)
      return { heldBy: holder.pid };
    rmSync(file, { force: true }); // its process is gone
  }
}
