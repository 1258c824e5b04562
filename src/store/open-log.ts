import { dirname } from "node:path";
import type { Store } from "../engine/index.ts";
import { errorCode, makeFolder } from "../machine/index.ts";
import { openDatabase as openWithNode } from "./node-driver.ts";
import { patiently, patientlyOverall } from "./patiently.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { sqliteStore, type TailOf } from "./sqlite-store.ts";
import { explained, StoreError } from "./store-error.ts";

export interface StoreOptions {
  readonly path: string;
  /**
   * When what was written outlives a power cut: with each transaction, or with `close`, all at once. The second is for a
   * process that acknowledges nothing before it closes. A crash of the process loses nothing either way.
   */
  readonly durable?: "each" | "at close";
  /** How long a lock is waited for: ten seconds each time, or four in all, where a host waits for the answer. */
  readonly patience?: "long" | "short";
  /** A file whose content signs what is appended; without one, rows are sealed but not signed. */
  readonly keyFile?: string | undefined;
}

/** A store whose runs are found at once. What understands its log is loaded when it is going to be read. */
export interface UnreadStore extends Pick<Store, "runs" | "close"> {
  reading(): Promise<Store>;
}

/** `understanding` is asked once, before the first row is read. */
export async function openLog(
  { path, durable = "each", patience = "long", keyFile = process.env.TILDONE_LOG_KEY }: StoreOptions,
  understanding: () => Promise<TailOf>,
): Promise<UnreadStore> {
  const key = keyFile ? keyIn(keyFile) : undefined;
  makeFile(path);
  const openDatabase = process.versions.bun ? (await import("./bun-driver.ts")).openDatabase : openWithNode;
  try {
    const database = openDatabase(path);
    const wait = patience === "short" ? patientlyOverall() : patiently;
    prepareDatabase(database, path, durable, wait);
    let tailOf: TailOf | undefined;
    const made = sqliteStore(database, path, (rows, after) => tailOf!(rows, after), key, wait);
    const store = durable === "each" ? made : { ...made, close: () => closeDurably(made, path) };
    const reading = async (): Promise<Store> => {
      tailOf = await understanding();
      return store;
    };
    return { runs: store.runs, close: store.close, reading };
  } catch (error) {
    throw explained(error, path);
  }
}

/** The last one to close leaves no log of writes behind: SQLite has put it into the file, durably. */
function closeDurably(store: Store, path: string): void {
  store.close();
  const { closeSync, fdatasyncSync, openSync } = process.getBuiltinModule("node:fs");
  let file: number;
  try {
    file = openSync(`${path}-wal`, "r");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw new StoreError("no_access", path, error);
  }
  try {
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

function keyIn(path: string): string {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new StoreError("no_key", path, error);
  }
  if (text.length < SHORTEST_KEY) throw new StoreError("short_key", path);
  return text;
}

const SHORTEST_KEY = 32;

/** SQLite gives its side files the permissions of the file itself, so it is enough to make that one private. */
function makeFile(path: string): void {
  // Not imported: that would load all of it, streams and promises too, which a hook pays for at every event.
  const { closeSync, existsSync, openSync } = process.getBuiltinModule("node:fs");
  if (existsSync(path)) return;
  const folder = dirname(path);
  try {
    makeFolder(folder, 0o700);
  } catch (error) {
    throw new StoreError("no_folder", folder, error);
  }
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    throw new StoreError("no_access", path, error);
  }
}
