import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findProject } from "../config/index.ts";
import { takesCheckpoints } from "./checkpoints-for.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "takes-"));
  for (const folder of [
    "home/repo/.git",
    "home/repo/inner",
    "home/plain",
    "home/tree",
    "dotfiles/.git",
    "dotfiles/plain",
  ])
    mkdirSync(join(root, folder), { recursive: true });
  for (const folder of ["home/repo", "dotfiles"])
    writeFileSync(join(root, folder, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(root, "home/tree/.git"), "gitdir: elsewhere\n");
  symlinkSync(join(root, "dotfiles"), join(root, "linked"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test.each([
  ["a repository", "auto", "home/repo", "home", true],
  ["a folder in one", "auto", "home/repo/inner", "home", true],
  ["a linked worktree", "auto", "home/tree", "home", true],
  ["a folder without a repository", "auto", "home/plain", "home", false],
  ["a folder that is gone", "auto", "home/gone", "home", false],
  ["your home, which is a repository", "auto", "dotfiles", "dotfiles", false],
  ["a folder in it", "auto", "dotfiles/plain", "dotfiles", false],
  ["the same where a link leads to your home", "auto", "dotfiles/plain", "linked", false],
  ["any folder, if you ask for it", true, "home/plain", "home", true],
  ["a repository, if you want none", false, "home/repo", "home", false],
] as const)("%s (%s)", (_what, enabled, cwd, home, expected) => {
  const project = findProject(join(root, cwd));
  expect(takesCheckpoints({ enabled, keep: 200 }, project, join(root, home))).toBe(expected);
});
