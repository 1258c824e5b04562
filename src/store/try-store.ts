import { openDatabase } from "./node-driver.ts";
import { openStore } from "./open-store.ts";
import { explained } from "./store-error.ts";

/** Why nothing can be written to the log at this path, with what to do about it; undefined: it can. */
export async function tryStore(path: string): Promise<string | undefined> {
  try {
    (await openStore({ path })).close();
    const database = openDatabase(path);
    try {
      for (const sql of TABLES) database.prepare(sql).get();
      database.exec("BEGIN IMMEDIATE"); // the first thing that a read-only log refuses
      database.exec("CREATE TABLE tried (it)");
      database.exec("ROLLBACK");
    } finally {
      database.close();
    }
    return undefined;
  } catch (error) {
    const why = explained(error, path);
    return why instanceof Error ? why.message : String(why);
  }
}

/** Every table with every column that is used. */
const TABLES = [
  "SELECT run, seq, at, by, v, event, seal FROM events LIMIT 1",
  "SELECT run, host, session, cwd, live, began, updated, summary FROM cards LIMIT 1",
  "SELECT host, session, run FROM bindings LIMIT 1",
  "SELECT run, seq, version, state FROM snapshots LIMIT 1",
  "SELECT run, seq, seal FROM heads LIMIT 1",
];
