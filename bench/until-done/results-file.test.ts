import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { aCell, someResults } from "./a-cell.ts";
import type { Results } from "./results.ts";
import { beginRun, readJson, writeJson } from "./results-file.ts";
import { isSame, named, sourceOf } from "./source.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "results-"));
  path = join(folder, "results.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const RESULTS = someResults([["stops after each todo", "ours", aCell()]]);
const HEAD = { ...RESULTS.run, begun: "2030-01-02T10:00:00.000Z" };

test("a new run keeps the one before under another name, as often as it takes", () => {
  for (let count = 0; count < 3; count++) {
    writeJson(path, { ...RESULTS, run: { ...RESULTS.run, cells: count } });
    expect(beginRun(path, HEAD, "anew")).toEqual({ status: "begun", rows: [], begun: HEAD.begun });
  }
  const kept = readdirSync(folder).sort();
  expect(kept).toEqual([
    "results.2030-01-01T10-00-00-000Z-1.json",
    "results.2030-01-01T10-00-00-000Z-2.json",
    "results.2030-01-01T10-00-00-000Z.json",
  ]);
  expect(kept.map((name) => readJson<Results>(join(folder, name))?.run.cells)).toEqual([1, 2, 0]);
});

test("a run that goes on has what was played, and its beginning", () => {
  expect(beginRun(path, HEAD, "missing")).toEqual({ status: "begun", rows: [], begun: HEAD.begun });
  writeJson(path, RESULTS);
  expect(beginRun(path, HEAD, "missing")).toEqual({ status: "begun", rows: RESULTS.rows, begun: RESULTS.run.begun });
});

test("a cell is one line, whatever it says", () => {
  const unfit = { status: "not run", why: 'it says "a]"\nand [b', cause: "no fit" } as const;
  const results = someResults([
    ["says ok", "ours", unfit],
    ["says ok", "theirs", aCell()],
  ]);
  writeJson(path, results);
  expect(readJson(path)).toEqual(results);
  expect(
    readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line.includes('"exit"')),
  ).toHaveLength(1);
});

test("cells of two states of the code are not mixed", () => {
  writeJson(path, RESULTS);
  const answer = beginRun(path, { ...HEAD, source: { commit: "c0ffee", changes: "abc" } }, "missing");
  expect(answer).toMatchObject({ status: "refused" });
  expect(answer).toHaveProperty("why", expect.stringContaining("measured c0ffee; this is c0ffee with uncommitted"));
  expect(readdirSync(folder)).toEqual(["results.json"]);
});

test("a state of the code is its commit and what stands in none", () => {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], { cwd: folder });
  git("init", "-q");
  writeFileSync(join(folder, "a.txt"), "one\n");
  git("add", "-A");
  git("commit", "-qm", "one");
  const clean = sourceOf(folder);
  expect(clean).toEqual({ commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
  writeFileSync(join(folder, "new.txt"), "two\n");
  const dirty = sourceOf(folder);
  writeFileSync(join(folder, "new.txt"), "three\n");
  const other = sourceOf(folder);
  expect([isSame(clean, dirty), isSame(dirty, other), isSame(other, sourceOf(folder))]).toEqual([false, false, true]);
  expect(named(dirty)).toBe(`${clean.commit.slice(0, 12)} with uncommitted changes (${dirty.changes})`);
});
