import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lookAhead } from "./look-ahead.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tildone-look-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("a look has begun when git was started", async () => {
  const cwd = join(home, "work");
  spawnSync("git", ["init", "-q", cwd]);
  const env = { TILDONE_HOME: home, PATH: process.env.PATH };
  expect(process.getActiveResourcesInfo()).not.toContain("ProcessWrap");
  const ahead = lookAhead(cwd, { env, home });
  await ahead.begun;
  expect(process.getActiveResourcesInfo()).toContain("ProcessWrap");
  expect(await ahead.observe(cwd)).toEqual(expect.any(String));
});
