import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeTurn } from "./turn.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "turn-"));
  path = join(folder, "results/turn");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a second run waits until the first is over", () => {
  const first = takeTurn(path, process.pid);
  expect(takeTurn(path, 1)).toEqual({ status: "refused", by: process.pid });
  if (first.status === "taken") first.release();
  expect(takeTurn(path, 1)).toMatchObject({ status: "taken" });
});

test("a run that was killed holds up no other", () => {
  const { pid } = spawnSync("true");
  takeTurn(path, process.pid);
  writeFileSync(path, `${pid}\n`);
  expect(takeTurn(path, process.pid)).toMatchObject({ status: "taken" });
});
