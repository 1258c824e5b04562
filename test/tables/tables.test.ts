// What each event changes in a run, and what follows from each request and fact, as tables that can be read. Where another
// meaning is meant: node tools/golden.ts
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EVENTS as KNOWN } from "../../src/core/run/index.ts";
import { EVENTS } from "./fold.ts";
import { TABLES } from "./tables.ts";

const keptIn = (name: string): readonly string[] =>
  readFileSync(join(import.meta.dirname, `${name}.txt`), "utf8").split("\n");

test.each(Object.keys(TABLES))("%s: as it was", (name) => {
  const [lines, kept] = [TABLES[name]!().split("\n"), keptIn(name)];
  const changed = lines.findIndex((line, at) => line !== kept[at]);
  expect(lines.slice(changed, changed + 5)).toEqual(kept.slice(changed, changed + 5));
  expect(lines).toHaveLength(kept.length);
});

test("every event is in the fold", () => {
  const told = new Set([...EVENTS.map(([, { type }]) => type as string), "run.began"]);
  expect(Object.keys(KNOWN).filter((type) => !told.has(type))).toEqual([]);
});
