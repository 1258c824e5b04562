import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";

import { directories, loadConfig } from "../config/index.ts";
import { openDrivers } from "../drivers/index.ts";
import { createReader, type Drivers, type Reader, type Store } from "../engine/index.ts";
import { openProcessGroups, type ProcessGroups, systemClock } from "../machine/index.ts";
import { memoryStore, openStore } from "../store/index.ts";
import { Failure } from "./command.ts";
import { screenFacts } from "./hosts.ts";
import type { Io } from "./io.ts";

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

/** All runs of the user, and who works on them. */
export interface HomeStore extends Store {
  readonly drivers: Drivers;
  readonly groups: ProcessGroups;
  readonly reader: Reader;
  /** After this long a stopped run counts as over. */
  readonly ageOutMs: number;
}

/** The user's database for as long as `body` needs it. One that does not exist yet is not made by looking at it. */
export async function withStore<T>(io: Io, body: (store: HomeStore) => Promise<T> | T): Promise<T> {
  const { database: path, state } = directories({ env: io.env, home: io.home });
  refuseFile(state);
  const store = existsSync(path) ? await openStore({ path }) : memoryStore();
  const drivers = openDrivers({ state, clock: { ...systemClock(), now: io.now } });
  const groups = openProcessGroups(state);
  await groups.endOrphans();
  try {
    const loaded = await loadConfig({ cwd: io.cwd, env: io.env, home: io.home });
    // A mistake in a file is no reason not to hold a run.
    const ageOutMs = loaded.ok ? loaded.config.runs.ageOutMs : AGE_OUT_MS;
    const reader = createReader(store, drivers, io.now, screenFacts);
    return await body({ ...store, drivers, groups, reader, ageOutMs });
  } finally {
    store.close();
  }
}

/** Whoever begins work needs a folder to work in and a log that can be written: said before anything begins. */
export async function readyToWork(io: Io): Promise<void> {
  if (io.isFolderGone)
    throw new Failure(`This folder does not exist any more: ${io.cwd}. Change to another one and try again.`);
  const { database: path, state } = directories({ env: io.env, home: io.home });
  refuseFile(state);
  (await openStore({ path })).close();
}
