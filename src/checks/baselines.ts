import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock, GuardRequest, WorkPlace } from "../engine/index.ts";
import { hashOf, makeFolder } from "../machine/index.ts";
import type { Snapshots } from "./snapshot/index.ts";

/** The states that judge: taken when a turn begins that may lead to a run, and given to the run that comes of it. */
export interface Baselines {
  begin(place: WorkPlace): Promise<void>;
  /** Undefined: the project cannot be kept, so its checks run in place. */
  of(request: GuardRequest): Promise<string | undefined>;
}

/** A state that a run was given already serves another one only in the same breath. */
const USED_FOR_MS = 60_000;

export function createBaselines({
  snapshots,
  clock,
  directory,
}: {
  readonly snapshots: Snapshots;
  readonly clock: Clock;
  readonly directory: string;
}): Baselines {
  const underWay = new Map<string, Promise<void>>();
  return { begin, of };

  async function begin(place: WorkPlace): Promise<void> {
    const file = fileOf(place);
    const taking = take(place.cwd).then((name) => {
      if (name !== undefined) save(file, { name });
    });
    underWay.set(file, taking);
    try {
      await taking;
    } finally {
      if (underWay.get(file) === taking) underWay.delete(file);
    }
  }

  async function of(request: GuardRequest): Promise<string | undefined> {
    if (request.before !== undefined) return request.before;
    const file = fileOf(request);
    await underWay.get(file)?.catch(() => {}); // told to the one who began it
    const begun = load(file);
    if (begun && (begun.used === undefined || clock.now() - begun.used < USED_FOR_MS)) {
      save(file, { used: clock.now(), ...begun });
      return begun.name;
    }
    return take(request.cwd);
  }

  async function take(cwd: string): Promise<string | undefined> {
    const taken = await snapshots.take(cwd);
    return taken.status === "taken" ? taken.snapshot.name : undefined;
  }

  function fileOf({ cwd, session }: WorkPlace): string {
    const name = hashOf("sha256", Buffer.from(`${cwd}\0${session}`)).toString("hex", 0, 16);
    return join(directory, `begun-${name}.json`);
  }

  function save(file: string, begun: Begun): void {
    makeFolder(directory, 0o700);
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(begun), { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  }
}

interface Begun {
  readonly name: string;
  readonly used?: number;
}

function load(file: string): Begun | undefined {
  try {
    const { name, used } = JSON.parse(readFileSync(file, "utf8")) as Partial<Begun>;
    return typeof name === "string" ? { name, ...(typeof used === "number" && { used }) } : undefined;
  } catch {
    return undefined; // none, or half of one
  }
}
