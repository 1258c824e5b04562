import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { isRepository } from "./is-repository.ts";

test.each([
  ["a repository", { ".git/HEAD": "ref: refs/heads/main\n" }, true],
  ["a worktree, or a submodule", { ".git": "gitdir: ../.git/worktrees/a\n" }, true],
  ["what a sandbox left behind", { ".git/": "" }, false],
  ["a folder without git", {}, false],
])("%s", (_what, files, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "is-repository-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(path.endsWith("/") ? join(folder, path) : dirname(join(folder, path)), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(join(folder, path), text);
  }
  expect(isRepository(folder)).toBe(expected);
  rmSync(folder, { recursive: true });
});
