import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { run } from "../../src/cli/index.ts";
import type { Envelope } from "../../src/core/run/index.ts";
import { openStore } from "../../src/store/index.ts";
import { fakeIo } from "../builders/fake-io.ts";
import fc from "../builders/properties.ts";

const GOLDEN = "test/golden/0.1.0";
const STORIES = readdirSync(GOLDEN).filter((name) => name.endsWith(".jsonl"));
const linesOf = (story: string) =>
  readFileSync(join(GOLDEN, story), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Envelope);

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tildone-log-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const database = () => join(home, "tildone.db");

/** A log with the stories of every release in it, each a run of its own. */
async function aLog(stories: readonly string[] = STORIES.slice(0, 3)): Promise<readonly string[]> {
  const store = await openStore({ path: database() });
  const ids = stories.map((story, at) => {
    const id = `run${at}`;
    const events = linesOf(story).map(({ seq: _, ...event }) => event);
    const card = { run: id, host: "pi", session: `s${at}`, cwd: home, live: at === 0, began: 1, updated: 1000 + at };
    store.log.transact(id, 0, () => ({ append: events, value: undefined, card: { ...card, summary: {} }, bind: card }));
    return id;
  });
  store.close();
  return ids;
}

function sql(...lines: string[]): void {
  const open = new DatabaseSync(database());
  for (const line of lines) open.exec(line);
  open.close();
}

async function tildone(...argv: string[]) {
  const ended = AbortSignal.abort();
  const env = { TILDONE_HOME: home, PATH: process.env.PATH };
  const { io, all } = fakeIo({ env, cwd: home, home, now: () => 1_800_000_000_000, signal: ended, signalAgain: ended });
  const code = await run(argv, io);
  return { code, text: all.join("\n") };
}

const READERS = [
  ["status"],
  ["status", "--all"],
  ["status", "run0"],
  ["status", "--all", "--json"],
  ["why", "run0"],
  ["why", "run0", "--json"],
  ["log", "run0"],
  ["log", "run0", "--json"],
  ["report", "run0"],
  ["report", "run0", "--format", "html"],
  ["report", "run0", "--format", "json"],
  ["replay", "run0"],
  ["runs", "export", "run0"],
  ["todo", "list"],
  ["approvals"],
] as const;

const WRITERS = [["hold", "run0"], ["unhold", "run0"], ["say", "hello", "--run", "run0"], ["doctor"]] as const;

/** A sentence with something to do, and no trace of our own. */
function isSaid({ code, text }: { code: number; text: string }, argv: readonly string[]): void {
  expect(text, argv.join(" ")).not.toMatch(/internal error|\n {4}at |\[object Object\]|undefined|NaN/);
  if (code === 1 && argv[0] !== "doctor" && argv[0] !== "replay")
    expect(text).toMatch(/Move|Set|Check|Update|Free|Look|See|Fix|Run|restore/);
}

describe("a log that is broken as a whole is said in a sentence with what to do", () => {
  const faults: Readonly<Record<string, string[]>> = {
    ...Object.fromEntries(
      ["events", "cards", "bindings", "snapshots", "heads"].map((table) => [`no ${table}`, [`DROP TABLE ${table}`]]),
    ),
    "another column": ["ALTER TABLE events RENAME COLUMN event TO happened"],
    "a later version": ["PRAGMA user_version = 999"],
    "an earlier version than it is": ["PRAGMA user_version = 1"],
    "no version": ["PRAGMA user_version = 0"],
    "a version below all": ["PRAGMA user_version = -5"],
    "another program's": ["PRAGMA application_id = 7"],
    "views for tables": ["DROP TABLE cards", "CREATE VIEW cards AS SELECT 1 AS run"],
  };
  test.each(Object.keys(faults))("%s", async (fault) => {
    await aLog();
    sql(...faults[fault]!);
    for (const argv of [...READERS, ...WRITERS]) isSaid(await tildone(...argv), argv);
    expect((await tildone("doctor")).text).toMatch(/No run can be recorded/);
  });

  test.each([
    ["nothing", () => writeFileSync(database(), "")],
    ["text", () => writeFileSync(database(), "SQLite format 4\0".repeat(1000))],
    ["half of it", () => writeFileSync(database(), readFileSync(database()).subarray(0, 6000))],
    ["zeros in the middle", () => writeFileSync(database(), readFileSync(database()).fill(0, 4096, 12000))],
    [
      "a folder",
      () => {
        rmSync(database());
        mkdirSync(database());
      },
    ],
  ] as const)("%s where the file was", async (_name, damage) => {
    await aLog();
    damage();
    for (const argv of READERS.slice(0, 9)) isSaid(await tildone(...argv), argv);
  });
});

describe("one bad row", () => {
  const rows: Readonly<Record<string, string>> = {
    "an event that is no JSON": "UPDATE events SET event = '{' WHERE run = 'run0' AND seq = 4",
    "an event that is a number": "UPDATE events SET event = '7' WHERE run = 'run0' AND seq = 4",
    "an event without an author": "UPDATE events SET by = '' WHERE run = 'run0' AND seq = 4",
    "a time out of all time": "UPDATE events SET at = 1e300 WHERE run = 'run0' AND seq = 4",
    "an endless time": "UPDATE events SET at = 9e999 WHERE run = 'run0' AND seq = 4",
    "a time before all": "UPDATE events SET at = -9e999 WHERE run = 'run0' AND seq = 4",
    "a later version": "UPDATE events SET v = 99 WHERE run = 'run0' AND seq = 4",
    "no beginning": "DELETE FROM events WHERE run = 'run0' AND seq = 1",
    "no events at all": "DELETE FROM events WHERE run = 'run0'",
    "a card that is no JSON": "UPDATE cards SET summary = '{' WHERE run = 'run0'",
    "a card that is null": "UPDATE cards SET summary = 'null' WHERE run = 'run0'",
    "a card that is a list": "UPDATE cards SET summary = '[1]' WHERE run = 'run0'",
    "a card of no time": "UPDATE cards SET updated = 9e999, began = -9e999 WHERE run = 'run0'",
    "a card of a strange host": "UPDATE cards SET host = 'constructor', session = '' WHERE run = 'run0'",
    "a kept fold that is empty":
      "INSERT INTO snapshots SELECT 'run0', 5, 15, '{}' WHERE true ON CONFLICT DO UPDATE SET state = '{}'",
    "a kept fold of a later time": "INSERT INTO snapshots VALUES ('run0', 99999, 15, '{\"id\":\"x\"}')",
    "a binding to nothing": "INSERT INTO bindings VALUES ('pi', 'sx', 'nobody')",
  };
  test.each(Object.keys(rows))("%s hides nothing else", async (row) => {
    await aLog();
    sql(rows[row]!);
    for (const argv of READERS) isSaid(await tildone(...argv), argv);
    const all = await tildone("status", "--all");
    expect(all.code).toBe(0);
    expect(all.text).toContain("run1");
    expect(all.text).toContain("run2");
    for (const name of ["why", "log", "report"]) {
      expect((await tildone(name, "run1")).code).toBe(0);
      if (row !== "no events at all") expect((await tildone(name, "run0")).text.length).toBeGreaterThan(50);
    }
  });

  test("of any kind, in any field, hides nothing else", async () => {
    const strange = fc.constantFrom<unknown>(null, 7, -1, "", "x", [], {}, [null], { constructor: 1 }, true, 1e300, [
      [],
    ]);
    const story = fc.constantFrom(...STORIES);
    await fc.assert(
      fc.asyncProperty(story, fc.nat(), fc.nat(), strange, async (name, at, where, value) => {
        rmSync(home, { recursive: true, force: true });
        mkdirSync(home);
        await aLog([name, STORIES[0]!]);
        const events = linesOf(name);
        const { event, seq } = events[at % events.length]!;
        const bent = JSON.stringify(bend(event, where, value));
        sql(`UPDATE events SET event = '${bent.replaceAll("'", "''")}' WHERE run = 'run0' AND seq = ${seq}`);
        for (const argv of READERS) isSaid(await tildone(...argv), [...argv, bent]);
        expect((await tildone("status", "--all")).text).toContain("run1");
      }),
      { seed: 11, numRuns: Number(process.env.TILDONE_ROWS ?? 40) },
    );
  }, 240_000);
});

/** The same value with another one somewhere inside. */
function bend(value: unknown, where: number, strange: unknown): unknown {
  const paths: (readonly (string | number)[])[] = [];
  walk(value, []);
  const path = paths[where % paths.length] ?? [];
  return put(value, path);

  function walk(node: unknown, path: readonly (string | number)[]): void {
    if (typeof node !== "object" || node === null) return;
    for (const [key, child] of Object.entries(node)) {
      if (key === "type" && path.length === 0) continue;
      paths.push([...path, key]);
      walk(child, [...path, key]);
    }
  }

  function put(node: unknown, [key, ...rest]: readonly (string | number)[]): unknown {
    if (key === undefined) return strange;
    if (Array.isArray(node)) return node.map((child, at) => (String(at) === key ? put(child, rest) : child));
    return { ...(node as object), [key]: put((node as Record<string, unknown>)[key], rest) };
  }
}

describe("a name that every object has", () => {
  test.each(["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "__defineGetter__"])(
    "%s is none of ours",
    async (name) => {
      for (const argv of [
        [name],
        ["help", name],
        [name, "--help"],
        ["status", name],
        ["install", name],
        ["doctor", name],
        ["hook", name, "stop"],
        ["hook", "claude-code", name],
        ["run", "go", "--host", name],
        ["run", "go", "--agent", name, "--model", "none/none"],
        ["report", "--format", name],
        ["config", "--host", name],
        ["config", "--agent", name],
        ["workflow", "show", name],
        ["runs", name],
        ["todo", name],
        ["trust", name],
      ]) {
        const said = await tildone(...argv);
        expect(said.text, argv.join(" ")).not.toMatch(/internal error|\n {4}at /);
      }
      expect((await tildone(name)).code).toBe(2);
      expect((await tildone(name)).text).toContain(`There is no command "${name}"`);
    },
  );
});

/** A disk of one megabyte, where the system lets us have one. */
const disk = (() => {
  if (process.getuid?.() !== 0 || process.platform !== "linux") return undefined;
  const place = mkdtempSync(join(tmpdir(), "tildone-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "none", place], { stdio: "ignore" });
    execFileSync("umount", [place]);
    return place;
  } catch {
    return undefined;
  } finally {
    if (process.env.VITEST === undefined) rmSync(place, { recursive: true });
  }
})();

test.runIf(disk)("a full disk is said, and what is on it can still be read", async () => {
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "none", disk!]);
  try {
    rmSync(home, { recursive: true });
    home = join(disk!, "home");
    mkdirSync(home);
    await aLog();
    execFileSync("sh", ["-c", 'cat /dev/zero > "$0" 2>/dev/null || true', join(disk!, "filler")]);
    const TILDONE = resolve("bin/tildone.js");
    const env = { PATH: process.env.PATH ?? "", HOME: tmpdir(), TILDONE_HOME: home };
    const real = (...argv: string[]) => {
      try {
        return execFileSync(process.execPath, [TILDONE, ...argv], { env, encoding: "utf8", stdio: "pipe" });
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        return `${stdout}${stderr}`;
      }
    };
    expect(real("hold", "run0")).toMatch(/disk .*is full. Free some space/);
    expect(real("report", "run0", "--to", join(disk!, "report.md"))).toMatch(/cannot be written|is full/);
    expect(real("why", "run0")).not.toMatch(/internal error/);
    expect(real("status", "--all")).toMatch(/run1|disk .*is full/);
  } finally {
    execFileSync("umount", ["-l", disk!]);
    rmSync(disk!, { recursive: true, force: true });
  }
});
