import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeFolder } from "./make-folder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tildone-folder-"));
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

test("makes every folder on the way, for their owner alone, and is content with what is there", () => {
  const path = join(folder, "a/b/c");
  makeFolder(path, 0o700);
  makeFolder(path, 0o700);
  expect(["a", "a/b", "a/b/c"].map((at) => (statSync(join(folder, at)).mode & 0o777).toString(8))).toEqual([
    "700",
    "700",
    "700",
  ]);
});

test.runIf(existsSync("/proc/self"))("says no where nothing can be made, instead of trying without end", () => {
  expect(() => makeFolder("/proc/none/state")).toThrow("ENOENT");
});

test("a file, or a link to nowhere, on the way is an error", () => {
  writeFileSync(join(folder, "file"), "");
  symlinkSync(join(folder, "nowhere"), join(folder, "link"));
  expect(() => makeFolder(join(folder, "file"))).toThrow("not a folder");
  expect(() => makeFolder(join(folder, "file/below"))).toThrow();
  expect(() => makeFolder(join(folder, "link/below"))).toThrow();
});
