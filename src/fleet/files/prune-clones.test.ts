import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { pruneClones } from "./prune-clones.ts";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "tildone-clones-"));
});
afterEach(() => rmSync(state, { recursive: true }));

const HOUR = 60 * 60_000;
const NOW = 1_000 * HOUR;
const nameOf = (count: number) => `${String(count).repeat(32)}.git`;
const left = () => readdirSync(join(state, "repos")).sort();

function clone(count: number, hoursAgo: number): void {
  const folder = join(state, "repos", nameOf(count));
  mkdirSync(join(folder, "objects"), { recursive: true });
  utimesSync(folder, (NOW - hoursAgo * HOUR) / 1000, (NOW - hoursAgo * HOUR) / 1000);
}

function workspace(run: string, place: string, count: number): void {
  const info = join(state, "runs", run, place, "objects/info");
  mkdirSync(info, { recursive: true });
  writeFileSync(join(info, "alternates"), `${join(state, "repos", nameOf(count), "objects")}\n`);
}

test("keeps those that were used last", () => {
  for (const [count, hours] of [5, 2, 9, 3].entries()) clone(count, hours);
  expect(pruneClones({ state, most: 2, now: NOW })).toEqual([nameOf(0), nameOf(2)]);
  expect(left()).toEqual([nameOf(1), nameOf(3)]);
  expect(pruneClones({ state, most: 2, now: NOW })).toEqual([]);
});

test("keeps one that a workspace takes objects from, and one that was just opened, also beyond the limit", () => {
  for (const [count, hours] of [9, 8, 7, 0.5].entries()) clone(count, hours);
  workspace("one", "exact.git", 0);
  workspace("two", "work/.git", 1);
  expect(pruneClones({ state, most: 0, now: NOW })).toEqual([nameOf(2)]);
  expect(left()).toEqual([nameOf(0), nameOf(1), nameOf(3)]);
});

test("finishes what was cut short, and leaves alone what is no clone", () => {
  mkdirSync(join(state, "repos", `going-${nameOf(1)}`), { recursive: true });
  mkdirSync(join(state, "repos/bare-x.git"));
  expect(pruneClones({ state, most: 0, now: NOW })).toEqual([]);
  expect(left()).toEqual(["bare-x.git"]);
});

test("a worker that never cloned anything has nothing to remove", () =>
  expect(pruneClones({ state, most: 0, now: NOW })).toEqual([]));
