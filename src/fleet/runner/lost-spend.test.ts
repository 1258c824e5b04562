import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Row } from "../ports.ts";
import { type LocalLog, openLocalLog } from "./local-log.ts";
import { countLost } from "./lost-spend.ts";

let folder: string;
let local: LocalLog;
const began: Row = {
  ...{ seq: 1, at: 1, by: "engine", v: 1 },
  event: JSON.stringify({
    ...{ type: "run.began", run: "r1", origin: { host: "pi", session: "s", cwd: "/elsewhere" } },
    ...{ budget: {}, checks: [], requirements: [], seesCalls: true },
  }),
};
const card = { run: "r1", host: "pi", session: "s", cwd: "/elsewhere", live: true, began: 1, updated: 1, summary: {} };
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "lost-spend-"));
  local = await openLocalLog(join(folder, "tildone.db"), "r1", "/here", { rows: [began], card });
});
afterEach(() => {
  local.close();
  rmSync(folder, { recursive: true, force: true });
});

const spend = (tokens: number) => ({ tokens, cost: tokens / 10, minutes: 1 });

test("a log that was brought here has the same positions and this machine's folder", () => {
  expect([local.last(), local.card()?.cwd]).toEqual([1, "/here"]);
  expect(JSON.parse(local.rowsAfter(0)[0]!.event)).toMatchObject({ origin: { cwd: "/here" } });
});

test("what lost turns used is counted once, however often they are lost", () => {
  countLost(local, "r1", [began], { spend: spend(100), rows: [] }, 5);
  const [first] = local.rowsAfter(1);
  expect(JSON.parse(first!.event)).toMatchObject({ type: "usage.spent", usage: { input: 100, cost: 10 } });
  // The next driver died before a checkpoint, with 30 tokens of its own: the note was lost with them.
  countLost(local, "r1", [began], { spend: spend(230), rows: [first!] }, 6);
  expect(JSON.parse(local.rowsAfter(2)[0]!.event)).toMatchObject({ usage: { input: 130 } });
  // It was kept this time: nothing is left to count.
  countLost(local, "r1", [began, local.rowsAfter(2)[0]!], { spend: spend(230), rows: [first!] }, 7);
  expect(local.last()).toBe(3);
});
