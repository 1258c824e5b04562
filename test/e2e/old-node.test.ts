import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { oldNode } from "../builders/old-node.ts";

const found = oldNode();

test("in a checkout an old Node starts the one of node_modules", (context) => {
  if (found === undefined) return context.skip("the machine has no old Node");
  const { status, stdout } = spawnSync(found, ["bin/tildone.js", "--version"], { encoding: "utf8" });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  expect(spawnSync(found, ["bin/tildone.js", "nonsense"]).status).toBe(2);
});

test("a package on an old Node says one sentence", (context) => {
  if (found === undefined) return context.skip("the machine has no old Node");
  const folder = mkdtempSync(join(tmpdir(), "tildone-old-"));
  cpSync("bin", join(folder, "bin"), { recursive: true });
  const { status, stderr, stdout } = spawnSync(found, [join(folder, "bin/tildone.js"), "demo"], { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(/^tildone needs Node 22\.19 or newer; this is Node \S+\. Install one .* and try again\.\n$/);
  rmSync(folder, { recursive: true, force: true });
});
