import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";

import type { Told } from "../compose/index.ts";
import { directories, loadConfig, sayProblem } from "../config/index.ts";
import type { Trigger } from "../core/react/index.ts";
import type { Spoken } from "../core/speaker/index.ts";
import { openDrivers } from "../drivers/index.ts";
import { createReader, type Drivers, type Reader, type Store } from "../engine/index.ts";
import { openProcessGroups, type ProcessGroups, systemClock } from "../machine/index.ts";
import type { Elsewhere } from "../serve/index.ts";
import { memoryStore, openStore } from "../store/index.ts";
import { Failure } from "./command.ts";
import type { FleetSettings } from "./fleet/fleet-home.ts";
import { readUp } from "./fleet/up-file.ts";
import type { Io } from "./io.ts";
import { screenFacts } from "./screen-facts.ts";
import { settingsEnv } from "./settings-env.ts";

/** A file where the folder of the log should be: nothing can be there, and nothing can be made there. */
function refuseFile(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined && dirname(folder) !== folder) refuseFile(dirname(folder));
  else if (found && !found.isDirectory())
    throw new Failure(
      `${folder} is a file, but tildone keeps its runs in a folder there. Move the file, or set TILDONE_HOME to a folder.`,
    );
}

const AGE_OUT_MS = 7 * 24 * 60 * 60_000;

/**
 * All runs of the user, and who works on them: those of this machine, and those of the fleet where there is one. `reader`, `drivers` and
 * `tell` know both; `log` and `runs` are this machine's alone.
 */
export interface HomeStore extends Store {
  readonly drivers: Drivers;
  readonly groups: ProcessGroups;
  readonly reader: Reader;
  /** After this long a stopped run counts as over. */
  readonly ageOutMs: number;
  /** Says something to a run, wherever it is. */
  tell(run: string, trigger: Trigger, from?: Spoken): Promise<Told>;
  /** The description for a pull request that its worker wrote; undefined: it wrote none. */
  pullRequest(run: string): Promise<string | undefined>;
  /** Whether the run is known to be one of the fleet. */
  isOfFleet(run: string): boolean;
  /** The runs of the fleet by themselves; absent: there is no fleet. */
  readonly elsewhere?: Elsewhere;
  /** Why runs of the fleet are missing; undefined: none are. */
  away(): string | undefined;
}

/** The user's runs for as long as `body` needs them. A database that does not exist yet is not made by looking at it. */
export async function withStore<T>(io: Io, body: (store: HomeStore) => Promise<T> | T): Promise<T> {
  const { database: path, state } = directories({ env: io.env, home: io.home });
  refuseFile(state);
  const store = existsSync(path) ? await openStore({ path }) : memoryStore();
  const drivers = openDrivers({ state, clock: { ...systemClock(), now: io.now } });
  const groups = openProcessGroups(state);
  await groups.endOrphans();
  const { ageOutMs, fleet } = await settingsOf(io);
  const reader = createReader(store, drivers, io.now, screenFacts);
  const here: HomeStore = {
    ...{ ...store, drivers, groups, reader, ageOutMs },
    // Most commands only look: what changes a run is loaded when one is told something.
    tell: async (run, trigger, from) =>
      (await import("./tell-here.ts")).tellRun({ store, run, now: io.now(), from }, trigger),
    pullRequest: async () => undefined,
    isOfFleet: () => false,
    away: () => undefined,
  };
  const home = fleet && (await import("./fleet/fleet-home.ts")).openFleetHome(here, fleet, io);
  try {
    return await body(home ?? here);
  } finally {
    store.close();
    await home?.close();
  }
}

/** A mistake in a file is no reason not to hold a run. */
async function settingsOf(io: Io): Promise<{ readonly ageOutMs: number; readonly fleet?: FleetSettings }> {
  const loaded = await loadConfig({ cwd: io.cwd, env: settingsEnv(io), home: io.home });
  if (!loaded.ok) {
    const about = loaded.errors.filter(({ source, path }) =>
      /^(?:TILDONE_DATABASE_URL|database|fleet)/.test(path || source),
    );
    if (about.length > 0) io.err(`Runs of the fleet are not shown. ${about.map(sayProblem).join(" ")}`);
    return { ageOutMs: AGE_OUT_MS };
  }
  const { runs, fleet } = loaded.config;
  const { url, schema } = fleet;
  const known = url === undefined ? readUp(directories(io).state) : { url, schema };
  return { ageOutMs: runs.ageOutMs, ...(known && { fleet: known }) };
}

/** A command that begins work needs a folder to work in and a log that can be written: said before anything begins. */
export async function readyToWork(io: Io): Promise<void> {
  if (io.isFolderGone)
    throw new Failure(`This folder does not exist any more: ${io.cwd}. Change to another one and try again.`);
  const { database: path, state } = directories({ env: io.env, home: io.home });
  refuseFile(state);
  (await openStore({ path })).close();
}
