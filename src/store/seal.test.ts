import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import fc from "../../test/builders/properties.ts";
import type { NewEvent } from "../core/run/index.ts";
import type { Store } from "../engine/index.ts";
import { openStore } from "./index.ts";
import { MIGRATIONS } from "./migrations.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tildone-seal-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const event = (text: string): NewEvent => ({
  at: 1.5,
  by: "human",
  v: 1,
  event: { type: "words.edited", id: "w1", text },
});

function append(store: Store, run: string, count: number): void {
  for (let i = 0; i < count; i++)
    store.log.transact(run, store.log.last(run), () => ({ append: [event(`${i}`), event("x")], value: 0 }));
}

/** What a forger with a SQLite shell does to ten events, each a way to make the log say something else. */
const TAMPER: Readonly<Record<string, (at: number) => readonly string[]>> = {
  "changes an event": (at) => [`UPDATE events SET event = '{"type":"a.b","text":"forged"}' WHERE seq = ${at}`],
  "changes who said it": (at) => [`UPDATE events SET by = 'model' WHERE seq = ${at}`],
  "changes when it was said": (at) => [`UPDATE events SET at = at + 1 WHERE seq = ${at}`],
  "changes its version": (at) => [`UPDATE events SET v = 0 WHERE seq = ${at}`],
  "takes it out": (at) => [`DELETE FROM events WHERE seq = ${at}`],
  "takes it out and closes the gap": (at) => [
    `DELETE FROM events WHERE seq = ${at}`,
    `UPDATE events SET seq = seq - 1000 WHERE seq > ${at}`,
    "UPDATE events SET seq = seq + 999 WHERE seq < 0",
  ],
  "cuts everything from it off": (at) => [`DELETE FROM events WHERE seq >= ${at}`],
  "moves the rest and adds one": (at) => [
    `UPDATE events SET seq = seq + 1000 WHERE seq >= ${at}`,
    "UPDATE events SET seq = seq - 999 WHERE seq > 1000",
    `INSERT INTO events SELECT run, ${at}, at, by, v, event, NULL FROM events WHERE seq = 1`,
  ],
  "adds a copy of another, seal and all": (at) => [
    `INSERT INTO events SELECT run, 11, at, by, v, event, seal FROM events WHERE seq = ${at}`,
  ],
  "takes its seal away": (at) => [`UPDATE events SET seal = NULL WHERE seq = ${at}`],
  "swaps two": (at) => [
    `UPDATE events SET seq = -1 WHERE seq = ${at}`,
    `UPDATE events SET seq = ${at} WHERE seq = ${(at % 10) + 1}`,
    `UPDATE events SET seq = ${(at % 10) + 1} WHERE seq = -1`,
  ],
};

test("a log that was not tampered with is whole, over several writers", async () => {
  const path = join(folder, "whole.db");
  const [one, two] = [await openStore({ path }), await openStore({ path })];
  for (const store of [one, two, one]) append(store, "r", 3);
  append(two, "other", 1);
  expect(two.audit("r")).toEqual({ sealed: 18, unsealed: 0, signed: 0, unverified: 0, breaks: [] });
  expect(one.runs.remove("r")).toBe(true);
  append(one, "r", 1);
  expect(two.audit("r")).toMatchObject({ sealed: 2, breaks: [] });
  one.close();
  two.close();
});

describe.each(Object.entries(TAMPER))("a forger who %s is found out", (name, sqlFor) => {
  test("at every place, and also after tildone appended more", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 }), fc.boolean(), async (at, goesOn) => {
        const path = join(folder, `${Object.keys(TAMPER).indexOf(name)}-${at}-${goesOn}.db`);
        rmSync(path, { force: true });
        const store = await openStore({ path });
        append(store, "r", 5);
        store.close();
        tamper(path, sqlFor(at));
        const after = await openStore({ path });
        if (goesOn) append(after, "r", 1);
        const { breaks } = after.audit("r");
        after.close();
        expect(breaks.length).toBeGreaterThan(0);
      }),
      { numRuns: 12 },
    );
  });
});

describe("with a key", () => {
  const key = () => join(folder, "key");
  beforeAll(() => writeFileSync(key(), `${"k".repeat(40)}\n`));

  test("a forger who seals anew without it is found out; a reader without the key is told so", async () => {
    const path = join(folder, "signed.db");
    const signing = await openStore({ path, keyFile: key() });
    append(signing, "r", 2);
    expect(signing.audit("r")).toEqual({ sealed: 4, unsealed: 0, signed: 4, unverified: 0, breaks: [] });
    const plain = await openStore({ path, keyFile: "" });
    expect(plain.audit("r")).toMatchObject({ signed: 4, unverified: 4, breaks: [] });
    append(plain, "r", 1);
    expect(signing.audit("r").breaks).toEqual([{ seq: 5, problem: "is not signed, although the one before it is" }]);
    signing.close();
    plain.close();
    const other = join(folder, "other-key");
    writeFileSync(other, "o".repeat(40));
    const wrong = await openStore({ path, keyFile: other });
    expect(wrong.audit("r").breaks.length).toBeGreaterThan(0);
    wrong.close();
  });

  test.each([
    ["missing", "no-such-key", "cannot be read"],
    ["too short", "short-key", "shorter than 32"],
  ])("a key that is %s is an error that says what to do", async (_how, name, says) => {
    writeFileSync(join(folder, "short-key"), "abc");
    await expect(openStore({ path: join(folder, "none.db"), keyFile: join(folder, name) })).rejects.toThrow(says);
  });
});

test("a log from before seals opens, continues, and says what is not sealed", async () => {
  const path = join(folder, "old.db");
  tamper(path, [
    MIGRATIONS[0]!,
    "PRAGMA application_id = 1953066084",
    "PRAGMA user_version = 1",
    `INSERT INTO events VALUES ('r', 1, 1, 'human', 1, '{"type":"a.b"}'), ('r', 2, 1, 'human', 1, '{"type":"a.b"}')`,
  ]);
  const store = await openStore({ path });
  append(store, "r", 1);
  expect(store.audit("r")).toEqual({ sealed: 2, unsealed: 2, signed: 0, unverified: 0, breaks: [] });
  store.close();
});

test.each(["DROP TABLE events", "DROP TABLE heads", "DROP TABLE cards", "PRAGMA user_version = 0"])(
  "after %s an error says what to do",
  async (sql) => {
    const path = join(folder, `${sql.length}-${sql.split(" ").at(-1)}.db`);
    const store = await openStore({ path });
    append(store, "r", 1);
    store.close();
    tamper(path, [sql]);
    const use = async () => {
      const again = await openStore({ path });
      try {
        append(again, "r", 1);
        again.runs.list();
      } finally {
        again.close();
      }
    };
    await expect(use()).rejects.toThrow("not as tildone made them");
  },
);

function tamper(path: string, statements: readonly string[]): void {
  const database = new DatabaseSync(path);
  for (const sql of statements) database.exec(sql);
  database.close();
}
