import { dirname } from "node:path";
import type { Store } from "../engine/index.ts";
import type { Database } from "./database.ts";
import { MIGRATIONS } from "./migrations.ts";
import { openDatabase as openWithNode } from "./node-driver.ts";
import { sqliteStore } from "./sqlite-store.ts";
import { explained, StoreError } from "./store-error.ts";

/** Opens the log of all runs, and makes it where there is none: a folder and a file that only their owner can read. */
export async function openStore({ path }: { readonly path: string }): Promise<Store> {
  makeFile(path);
  const openDatabase = process.versions.bun ? (await import("./bun-driver.ts")).openDatabase : openWithNode;
  try {
    const database = openDatabase(path);
    prepare(database, path);
    return sqliteStore(database, path);
  } catch (error) {
    throw explained(error, path);
  }
}

/** SQLite gives its side files the permissions of the file itself, so it is enough to make that one private. */
function makeFile(path: string): void {
  // Not imported: that would load all of it, streams and promises too, which a hook pays for at every event.
  const { closeSync, existsSync, mkdirSync, openSync } = process.getBuiltinModule("node:fs");
  if (existsSync(path)) return;
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StoreError("no_folder", folder, error);
  }
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    throw new StoreError("no_access", path, error);
  }
}

/** How long a writer waits for another. A transaction takes less than a millisecond; whoever waits this long waits in vain. */
const BUSY_MS = 10_000;

function prepare(database: Database, path: string): void {
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    database.exec("PRAGMA synchronous = FULL");
    if (stepsTaken(database) === MIGRATIONS.length && isOurs(database)) return;
    migrate(database, path);
  } catch (error) {
    database.close();
    throw error;
  }
}

function migrate(database: Database, path: string): void {
  // In this order: another process may make it ours between the two looks, and never the other way round.
  if (!isEmpty(database) && !isOurs(database)) throw new StoreError("not_ours", path);
  if (stepsTaken(database) > MIGRATIONS.length) throw new StoreError("newer", path);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("BEGIN IMMEDIATE");
  const taken = stepsTaken(database); // again under the lock: another process may have been first
  for (const step of MIGRATIONS.slice(taken)) database.exec(step);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
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
