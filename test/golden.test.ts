import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { EVENTS, fold, isUnread, type LogRow, type RunEvent, readRow } from "../src/core/run/index.ts";
import { logOf, STORIES, summaryOf } from "./golden.ts";

const folder = join(import.meta.dirname, "golden");
const versions = readdirSync(folder);
const { version } = JSON.parse(readFileSync(join(folder, "../../package.json"), "utf8")) as { version: string };

const linesOf = (of: string, name: string) =>
  readFileSync(join(folder, of, `${name}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((line) => readRow(JSON.parse(line) as LogRow));
const eventsOf = (of: string, name: string) => linesOf(of, name).flatMap((line) => (isUnread(line) ? [] : [line]));
const storiesOf = (of: string) =>
  readdirSync(join(folder, of))
    .filter((file) => file.endsWith(".jsonl"))
    .map((file) => basename(file, ".jsonl"));

describe.each(versions)("logs of version %s", (of) => {
  test.each(storiesOf(of))("%s folds to what it folded to", (name) => {
    const expected: unknown = JSON.parse(readFileSync(join(folder, of, `${name}.summary.json`), "utf8"));
    expect(summaryOf(fold(eventsOf(of, name)))).toEqual(expected);
  });

  test.each(storiesOf(of))("%s: every line can be read", (name) => {
    expect(linesOf(of, name).filter(isUnread)).toEqual([]);
  });
});

describe("logs of this version", () => {
  test("every story is kept", () => {
    expect(storiesOf(version).sort(), "run node tools/golden.ts").toEqual(Object.keys(STORIES).sort());
  });

  test.each(Object.entries(STORIES))("%s ends today as it ended then", async (name, story) => {
    const expected: unknown = JSON.parse(readFileSync(join(folder, version, `${name}.summary.json`), "utf8"));
    expect(summaryOf(fold(await logOf(story)))).toEqual(expected);
  });

  test("together they hold every event there is; else add it to a story and run node tools/golden.ts", () => {
    const seen = new Set(storiesOf(version).flatMap((name) => eventsOf(version, name).map(({ event }) => event.type)));
    expect((Object.keys(EVENTS) as RunEvent["type"][]).filter((type) => !seen.has(type))).toEqual([]);
  });
});
