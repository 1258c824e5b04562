import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PERSONAS } from "../../src/testing/index.ts";
import type { Cell, Ran, System } from "./cell.ts";
import { cellOf, type ResultRow } from "./results.ts";
import { runCells, type Wanted } from "./run-cells.ts";

const persona = PERSONAS.find(({ name }) => name === "stops after each todo")!;
const done: Ran = {
  status: "ran",
  finished: true,
  claims: "done",
  reason: "all_done",
  requests: 5,
  nudges: 1,
  added: 100,
  opening: 1000,
  ms: 1,
};
const LUCK: Cell = { status: "not run", why: "no server", again: true };
const NO_END: Cell = { status: "no end", afterMs: 1 };

/** Comes to these one after the other, then to the last for ever. */
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
    what: "anew",
    atOnce: 2,
    terms: { longestMs: 1, quietMs: 1 },
    transcripts: { folder, of: "faults" },
    onPlay: () => {},
    ...wanted,
  });
const verdicts = (rows: readonly ResultRow[], name: string) =>
  cellOf(rows, persona.name, name)?.plays.map(({ verdict }) => verdict);

test("a run that was broken off goes on with what it lacks", async () => {
  const [one, other] = [system("one", done), system("other", done)];
  const before = await run([], [one]);
  const after = await run(before, [one, other], { what: "missing" });
  expect([one.plays(), other.plays()]).toEqual([1, 1]);
  expect(verdicts(after, "other")).toEqual(["good"]);
});

test("anew forgets what was measured; twice plays what has one play once more", async () => {
  const one = system("one", done, NO_END, done);
  const before = await run([], [one]);
  expect(verdicts(await run(before, [one], { what: "missing", plays: 2 }), "one")).toEqual(["good", "no end"]);
  expect(verdicts(await run(before, [one]), "one")).toEqual(["good"]);
});

test("what is a matter of luck is tried three times, what could not be run is tried again the next time", async () => {
  const [lucky, unlucky] = [system("lucky", LUCK, LUCK, done), system("unlucky", LUCK)];
  const rows = await run([], [lucky, unlucky]);
  expect([verdicts(rows, "lucky"), verdicts(rows, "unlucky"), unlucky.plays()]).toEqual([["good"], ["not run"], 3]);
  await run(rows, [lucky, unlucky], { what: "missing" });
  expect([lucky.plays(), unlucky.plays()]).toEqual([3, 6]);
});

test("one that throws says why, and stops nobody else", async () => {
  const thrower: System = { ...system("thrower", done), play: () => Promise.reject(new Error("no such program")) };
  const rows = await run([], [thrower, system("one", done)]);
  expect(cellOf(rows, persona.name, "thrower")).toMatchObject({ why: "it failed: Error: no such program" });
  expect(verdicts(rows, "one")).toEqual(["good"]);
});

test("how a fault came about is kept", async () => {
  await run([], [system("one", done), system("other", NO_END)]);
  expect(readdirSync(folder)).toEqual(["other,-stops-after-each-todo.json"]);
});
