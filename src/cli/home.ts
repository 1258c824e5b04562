import { existsSync } from "node:fs";
import { directories } from "../config/index.ts";
import type { Store } from "../engine/index.ts";
import { memoryStore, openStore } from "../store/index.ts";
import type { Io } from "./io.ts";

/** The user's database for as long as `body` needs it. One that does not exist yet is not made by looking at it. */
export async function withStore<T>(io: Io, body: (store: Store) => Promise<T> | T): Promise<T> {
  const path = directories({ env: io.env, home: io.home }).database;
  const store = existsSync(path) ? await openStore({ path }) : memoryStore();
  try {
    return await body(store);
  } finally {
    store.close();
  }
}
