// What each event changes in a run, as a table that can be read. When a change of meaning is meant: node tools/golden.ts
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EVENTS as FORMS } from "../../src/core/run/index.ts";
import { EVENTS, foldTable } from "./fold.ts";

test("the fold of every event is what it was", () => {
  expect(foldTable().split("\n")).toEqual(readFileSync(join(import.meta.dirname, "fold.txt"), "utf8").split("\n"));
});

test("every event is in it", () => {
  const known = new Set([...EVENTS.map(([, { type }]) => type as string), "run.began"]);
  expect(Object.keys(FORMS).filter((type) => !known.has(type))).toEqual([]);
});
