import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { aCell, NO_END, personaNamed } from "./a-cell.ts";
import type { Cell, System } from "./cell.ts";
import { cellOf, type ResultRow } from "./results.ts";
import { runCells, type Wanted } from "./run-cells.ts";

const persona = personaNamed("stops after each todo");
const done = aCell();
const LUCK: Cell = { status: "not run", why: "no server", cause: "luck" };

/** Comes to these one after the other, then always to the last. */
function system(name: string, ...cells: readonly Cell[]): System & { plays: () => number } {
  let plays = 0;
  const play: System["play"] = async (_persona, { keep }) => {
    keep({ requests: [], output: "" });
    return cells[Math.min(plays++, cells.length - 1)]!;
  };
  return { name, version: "1", family: name, play, plays: () => plays };
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "run-cells-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const run = (before: readonly ResultRow[], systems: readonly System[], wanted: Partial<Wanted> = {}) =>
  runCells(before, {
    tasks: systems.map((each) => ({ persona, system: each })),
    plays: 1,
    atOnce: 2,
    terms: { longestMs: 1, quietMs: 1, signal: new AbortController().signal },
    transcripts: { folder, of: "faults" },
    onPlay: () => {},
    ...wanted,
  });
const verdicts = (rows: readonly ResultRow[], name: string) =>
  cellOf(rows, persona.name, name)?.plays.map((play) => play.verdicts.person);

test("a run that was broken off goes on with what it lacks", async () => {
  const [one, other] = [system("one", done), system("other", done)];
  const before = await run([], [one]);
  const after = await run(before, [one, other]);
  expect([one.plays(), other.plays()]).toEqual([1, 1]);
  expect(verdicts(after, "other")).toEqual(["good"]);
});

test("an aborted run keeps what was played, without the play that was cut off", async () => {
  const stop = new AbortController();
  const cut: System = {
    ...system("cut", done),
    play: async () => {
      stop.abort();
      return done;
    },
  };
  const terms = { longestMs: 1, quietMs: 1, signal: stop.signal };
  const [one, never] = [system("one", done), system("never", done)];
  const rows = await run([], [one, cut, never], { atOnce: 1, terms });
  expect([verdicts(rows, "one"), verdicts(rows, "cut"), never.plays()]).toEqual([["good"], undefined, 0]);
});

test("twice plays all once before it plays them again, and keeps both plays whole", async () => {
  const lines: string[] = [];
  const [one, other] = [system("one", done, NO_END), system("other", done)];
  const rows = await run([], [one, other], { plays: 2, atOnce: 1, onPlay: (_rows, line) => void lines.push(line) });
  expect(lines.map((line) => line.replace(/^(\d\/\d), .* left: .* · /, "$1 "))).toEqual([
    "1/4 one: ✓ exit 0 (5), 0.0 s",
    "2/4 other: ✓ exit 0 (5), 0.0 s",
    "3/4 one: ✗ unfinished: ⧖ rests after 90 s (3) DIFFERS: good, unfinished",
    "4/4 other: ✓ exit 0 (5), 0.0 s",
  ]);
  expect(cellOf(rows, persona.name, "one")?.plays).toMatchObject([done, NO_END]);
});

test("what is a matter of luck is tried three times, what could not be run is tried again the next time", async () => {
  const [lucky, unlucky] = [system("lucky", LUCK, LUCK, done), system("unlucky", LUCK)];
  const unfit = system("unfit", { status: "not run", why: "no agents", cause: "no fit" });
  const rows = await run([], [lucky, unlucky, unfit]);
  expect([verdicts(rows, "lucky"), verdicts(rows, "unlucky"), unlucky.plays()]).toEqual([["good"], ["not run"], 3]);
  await run(rows, [lucky, unlucky, unfit]);
  expect([lucky.plays(), unlucky.plays(), unfit.plays()]).toEqual([3, 6, 1]);
});

test("one that throws says why, and stops no other", async () => {
  const thrower: System = { ...system("thrower", done), play: () => Promise.reject(new Error("no such program")) };
  const rows = await run([], [thrower, system("one", done)]);
  expect(cellOf(rows, persona.name, "thrower")).toMatchObject({
    plays: [{ why: "it failed: Error: no such program" }],
  });
  expect(verdicts(rows, "one")).toEqual(["good"]);
});

test("how a fault came about is kept", async () => {
  await run([], [system("one", done), system("other", NO_END)]);
  expect(readdirSync(folder)).toEqual(["other,-stops-after-each-todo.json"]);
});
