import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { workspaceAround } from "./git-files.ts";

test.each([
  ["the repository around it", ["HEAD"], ""],
  ["the folder itself, where a sandbox left an empty .git above it", [], "inner"],
])("the workspace of a folder is %s", (_what, within, expected) => {
  const around = realpathSync(mkdtempSync(join(tmpdir(), "workspace-")));
  for (const folder of ["inner", ".git"]) mkdirSync(join(around, folder));
  for (const name of within) writeFileSync(join(around, ".git", name), "ref: refs/heads/main\n");
  expect(workspaceAround(join(around, "inner"), "/home/user")).toBe(join(around, expected));
  rmSync(around, { recursive: true });
});
