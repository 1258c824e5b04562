import type { Database } from "./database.ts";
import { MIGRATIONS } from "./migrations.ts";
import { BUSY_MS, type Patiently, patiently } from "./patiently.ts";
import { StoreError } from "./store-error.ts";

/** Sets the connection up and brings the tables up to date. A file that is not ours to change is closed and left as it was. */
export function prepareDatabase(
  database: Database,
  path: string,
  durable: "each" | "at close" = "each",
  wait: Patiently = patiently,
): void {
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    // Any of these may meet a lock: another process makes the file, or recovers it after a crash. All may be done twice.
    wait(() => {
      // What was acknowledged survives a power cut, not only a crash; NORMAL leaves the last step to the process that closes it.
      database.exec(`PRAGMA synchronous = ${durable === "each" ? "FULL" : "NORMAL"}`);
      refuseForeign(database, path);
      database.exec("PRAGMA journal_mode = WAL");
      if (stepsTaken(database) < MIGRATIONS.length) migrate(database);
    });
  } catch (error) {
    database.close();
    throw error;
  }
}

function refuseForeign(database: Database, path: string): void {
  if (stepsTaken(database) > MIGRATIONS.length && isOurs(database)) throw new StoreError("newer", path);
  // Emptiness first: another process may make it ours between the two looks, and never the other way round.
  if (!isEmpty(database) && !isOurs(database)) throw new StoreError("not_ours", path);
}

function migrate(database: Database): void {
  database.exec("BEGIN IMMEDIATE");
  const taken = stepsTaken(database); // again under the lock: another process may have been first
  if (taken < MIGRATIONS.length) {
    for (const step of MIGRATIONS.slice(taken)) database.exec(step);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  }
  database.exec("COMMIT");
}

/** Says in the file whose it is: "tild". */
const APPLICATION_ID = 0x74696c64;

const stepsTaken = (database: Database): number => pragma(database, "user_version");
const isOurs = (database: Database): boolean => pragma(database, "application_id") === APPLICATION_ID;
const isEmpty = (database: Database): boolean =>
  database.prepare("SELECT 1 FROM sqlite_master LIMIT 1").get() === undefined;

function pragma(database: Database, name: "user_version" | "application_id"): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}
