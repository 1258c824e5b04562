import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "../../src/cli/index.ts";
import type { Envelope } from "../../src/core/run/index.ts";
import { openStore } from "../../src/store/index.ts";
import { fakeIo } from "../builders/fake-io.ts";

let home: string;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "tildone-forged-"));
  const lines = readFileSync("test/golden/0.1.0/checks-fail-and-hold.jsonl", "utf8").trimEnd().split("\n");
  const append = lines.map((line) => JSON.parse(line) as Envelope).map(({ seq: _, ...event }) => event);
  const store = await openStore({ path: join(home, "tildone.db") });
  const card = { run: "r", host: "pi", session: "s", cwd: home, live: true, began: 1, updated: 1, summary: {} };
  store.log.transact("r", 0, () => ({ append, value: undefined, card, bind: card }));
  store.close();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function tildone(...argv: string[]) {
  const { io, all } = fakeIo({ env: { TILDONE_HOME: home }, cwd: home, home, now: () => 1_800_000_000_000 });
  return { code: await run(argv, io), text: all.join("\n") };
}

const PASSED =
  '{"type":"check.observed","receipt":{"key":"run npm test","owner":"run","command":"npm test","status":"passed","durationMs":1,"tail":"","suspect":false,"at":1}}';
/** What an agent with a SQLite shell does to look better, and which event gives it away. */
const FORGERIES: Readonly<Record<string, (last: number) => readonly [number, ...string[]]>> = {
  "a check that failed passed": () => [0, `UPDATE events SET event = replace(event, '"failed"', '"passed"')`],
  "a check that never ran passed, at the end": (last) => [
    last + 1,
    `INSERT INTO events (run, seq, at, by, v, event) SELECT run, ${last + 1}, at, 'engine', 1, '${PASSED}' FROM events WHERE seq = ${last}`,
  ],
  "a check that never ran passed, in the middle": () => [
    6,
    "UPDATE events SET seq = seq + 1000 WHERE seq >= 6",
    "UPDATE events SET seq = seq - 999 WHERE seq > 1000",
    `INSERT INTO events (run, seq, at, by, v, event) SELECT run, 6, at, 'engine', 1, '${PASSED}' FROM events WHERE seq = 5`,
  ],
  "what the agent did is yours": () => [0, "UPDATE events SET by = 'human' WHERE by = 'model'"],
  "an event is gone": () => [4, "DELETE FROM events WHERE seq = 4"],
  "an event is gone, and so is the gap": () => [
    4,
    "DELETE FROM events WHERE seq = 4",
    "UPDATE events SET seq = seq - 1000 WHERE seq > 4",
    "UPDATE events SET seq = seq + 999 WHERE seq < 0",
  ],
  "the end is gone": (last) => [last, `DELETE FROM events WHERE seq = ${last}`],
};

test("a log that was not tampered with says so", async () => {
  const { code, text } = await tildone("replay", "r");
  expect(text).toContain("No change found in ");
  expect(code).toBe(0);
});

test.each(Object.keys(FORGERIES))("replay and report say where the log was changed: %s", async (how) => {
  const open = new DatabaseSync(join(home, "tildone.db"));
  const { last } = open.prepare("SELECT max(seq) AS last FROM events").get() as { last: number };
  const [at, ...lines] = FORGERIES[how]!(last);
  for (const line of [...lines, "DELETE FROM snapshots"]) open.exec(line);
  open.close();
  const place = at === 0 ? /event \d+ / : new RegExp(`event ${at} `);
  const { code, text } = await tildone("replay", "r");
  expect(code).toBe(1);
  for (const said of [
    text,
    (await tildone("report", "r")).text,
    (await tildone("report", "r", "--format", "html")).text,
  ]) {
    expect(said).toContain("The log was changed after it was written: ");
    expect(said).toMatch(place);
  }
});
