import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FILE_TICK_MS } from "../../machine/index.ts";
import type { Git } from "./git.ts";
import { createHiddenFiles } from "./hidden-files.ts";
import { createSafeSettings } from "./known-repository.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "remembered-"));
  mkdirSync(join(root, ".git"));
  for (const name of ["config", "index"]) writeFileSync(join(root, ".git", name), "x");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Asks twice, by a clock that stands so many milliseconds after the last change of a file. */
async function askedTwice(what: "index" | "config", laterMs: number) {
  let asked = 0;
  const git: Git = async () => {
    asked++;
    return { status: "ok", output: Buffer.from("command\0tildone.probe\0") };
  };
  const saved = new Map<string, unknown>();
  const kept = { load: (key: string) => saved.get(key), save: (key: string, value: unknown) => saved.set(key, value) };
  const now = () => statSync(join(root, ".git", what)).ctimeMs + laterMs;
  const repository = { root, index: join(root, ".git/index") } as Parameters<typeof createHiddenFiles>[1];
  const look =
    what === "index" ? createHiddenFiles(git, repository, kept, now) : createSafeSettings(git, root, kept, now);
  await look();
  const once = asked;
  await look();
  return { isAskedAgain: asked > once, isSaved: saved.size > 0 };
}

// Within one step of the clock that stamps files, a second change carries the same time as the first.
test.each(["index", "config"] as const)("what the %s says is not remembered just after it changed", async (what) => {
  expect(await askedTwice(what, 1)).toEqual({ isAskedAgain: true, isSaved: false });
  expect(await askedTwice(what, FILE_TICK_MS * 2)).toEqual({ isAskedAgain: false, isSaved: true });
});
