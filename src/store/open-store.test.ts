import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore, type StoreErrorCode } from "./index.ts";
import { MIGRATIONS } from "./migrations.ts";
import { openDatabase } from "./node-driver.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { STORE_ERRORS } from "./store-error.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tildone-open-"));
  path = join(folder, "runs.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("folder and files are made for their owner alone", async () => {
  const path = join(folder, "state", "tildone", "runs.db");
  const store = await openStore({ path });
  store.log.transact("r", 0, () => ({
    append: [{ at: 1, by: "human", v: 1, event: { type: "human.spoke" } }],
    value: 0,
  }));
  const modes = [join(folder, "state", "tildone"), path, `${path}-wal`, `${path}-shm`].map(modeOf);
  store.close();
  expect(modes).toEqual(["700", "600", "600", "600"]);
});

test("the file has a write-ahead log, and says whose it is and which steps it took", async () => {
  (await openStore({ path })).close();
  expect([pragma("journal_mode"), pragma("application_id"), pragma("user_version")]).toEqual(["wal", 0x74696c64, 2]);
});

test.each(["alone", "beside another"])("a store that is durable at its close keeps everything, %s", async (how) => {
  const other = how === "alone" ? undefined : await openStore({ path });
  const store = await openStore({ path, durable: "at close" });
  const event = { at: 1, by: "human", v: 1, event: { type: "human.spoke" } } as const;
  for (const after of [0, 1]) store.log.transact("r", after, () => ({ append: [event], value: 0 }));
  store.close();
  store.close();
  const again = await openStore({ path });
  expect(again.log.last("r")).toBe(2);
  again.close();
  other?.close();
});

test.each<[string, StoreErrorCode, () => void]>([
  ["a text file", "not_a_database", () => writeFileSync(path, "dear diary, ".repeat(100))],
  ["a database of another program", "not_ours", () => exec("CREATE TABLE cookies (id INTEGER)")],
  [
    "a database of a later version",
    "newer",
    () => exec("PRAGMA application_id = 1953066084; PRAGMA user_version = 99"),
  ],
  [
    "a database of another program with a version",
    "not_ours",
    () => exec("CREATE TABLE x (y); PRAGMA user_version = 7"),
  ],
  ["a folder", "no_access", () => mkdirSync(path)],
  [
    "a folder that cannot be made",
    "no_folder",
    () => {
      writeFileSync(join(folder, "file"), "");
      path = join(folder, "file", "state", "runs.db");
    },
  ],
])("%s is refused as %s, with what to do, and left as it was", async (_what, code, make) => {
  make();
  const before = contentOf(path);
  await expect(openStore({ path })).rejects.toMatchObject({
    name: "StoreError",
    code,
    message: expect.stringContaining(STORE_ERRORS[code]),
  });
  expect(contentOf(path)).toEqual(before);
});

test("a connection waits for others and syncs every commit", () => {
  const database = openDatabase(path);
  prepareDatabase(database, path);
  const settings = ["busy_timeout", "synchronous"].map((name) => database.prepare(`PRAGMA ${name}`).get());
  database.close();
  expect(settings).toEqual([{ timeout: 20 }, { synchronous: 2 }]);
});

test("a file that lost its write-ahead log on the way, as by a copy, gets it back", async () => {
  (await openStore({ path })).close();
  exec("PRAGMA journal_mode = DELETE");
  (await openStore({ path })).close();
  expect(pragma("journal_mode")).toBe("wal");
});

test("a store that is damaged on disk says so when it is read", async () => {
  const store = await openStore({ path });
  const event = { type: "human.spoke", text: "x".repeat(3000) };
  store.log.transact("r", 0, () => ({ append: Array(50).fill({ at: 1, by: "human", v: 1, event }), value: 0 }));
  store.close();
  const bytes = readFileSync(path);
  bytes.fill(0xee, 4096 * 6, 4096 * 40);
  writeFileSync(path, bytes);
  const damaged = await openStore({ path });
  expect(() => damaged.log.read("r", 0)).toThrow(expect.objectContaining({ code: "damaged" }));
  damaged.close();
});

test("warnings of other modules are kept", async () => {
  const { emitWarning } = process;
  (await openStore({ path })).close();
  expect(process.emitWarning).toBe(emitWarning);
});

// Databases that took these steps exist. A change of the tables is a new step at the end, and a new line here.
test("no step of the migration was edited", () => {
  expect(MIGRATIONS.map((step) => createHash("sha256").update(step).digest("hex").slice(0, 16))).toEqual([
    "c2c5005095dda244",
    "e451569129dde227",
  ]);
});

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return undefined; // a folder, or nothing at all
  }
}

function exec(sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

function pragma(name: string): unknown {
  const database = new DatabaseSync(path);
  const value = database.prepare(`PRAGMA ${name}`).get()?.[name];
  database.close();
  return value;
}
