import { openDatabase } from "./node-driver.ts";
import { openStore } from "./open-store.ts";
import { explained } from "./store-error.ts";

/** Why nothing can be written to the log at this path, with what to do about it; undefined: it can. */
export async function tryStore(path: string): Promise<string | undefined> {
  try {
    (await openStore({ path })).close();
    const database = openDatabase(path);
    try {
      database.exec("BEGIN IMMEDIATE"); // the first thing that a log nobody may write to refuses
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
