import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, processStart } from "../../machine/index.ts";

/** What `fleet up` started on this machine: written by its keeper, read by every command. Only you can read it. */
export interface UpFile {
  /** A secret. */
  readonly url: string;
  readonly schema: string;
  /** The process that started database and workers, and ends them. */
  readonly keeper: number;
  /** When that process began: a later one of the same number is another. */
  readonly started: string;
  readonly workers: readonly string[];
}

const placeOf = (state: string): string => join(state, "fleet", "up.json");

/** What is up. Undefined: nothing was started, or its keeper is gone. */
export function readUp(state: string): UpFile | undefined {
  const found = attempt(() => JSON.parse(readFileSync(placeOf(state), "utf8")) as UpFile);
  return found && processStart(found.keeper) === found.started ? found : undefined;
}

export function writeUp(state: string, up: UpFile): void {
  mkdirSync(join(state, "fleet"), { recursive: true });
  const fresh = `${placeOf(state)}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(up)}\n`, { mode: 0o600 });
  renameSync(fresh, placeOf(state));
}

export const removeUp = (state: string): void => rmSync(placeOf(state), { force: true });
