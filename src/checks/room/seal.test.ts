import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hashOf } from "../../machine/index.ts";
import { sealed } from "./seal.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "seal-"));
  writeFileSync(join(folder, "a"), "judge");
});
afterEach(() => rmSync(folder, { recursive: true }));

const entries = new Map([["a", { mode: "100644", oid: hashOf("sha1", Buffer.from("blob 5\0judge")).toString("hex") }]]);

test("nothing happened", () => {
  expect(sealed(["a"], entries, folder)?.broken()).toEqual([]);
});

test("it was not what its name says to begin with", () => {
  writeFileSync(join(folder, "a"), "other");
  expect(sealed(["a"], entries, folder)).toBeUndefined();
});

test.each<[string, () => void]>([
  ["changed", () => writeFileSync(join(folder, "a"), "other")],
  ["removed", () => rmSync(join(folder, "a"))],
  [
    "exchanged and put back, with its time",
    () => {
      const { atime, mtime } = statSync(join(folder, "a"));
      const kept = readFileSync(join(folder, "a"));
      writeFileSync(join(folder, "a"), "other");
      writeFileSync(join(folder, "b"), kept);
      utimesSync(join(folder, "b"), atime, mtime);
      renameSync(join(folder, "b"), join(folder, "a"));
    },
  ],
])("a file that was %s", (_how, happens) => {
  const seal = sealed(["a"], entries, folder);
  happens();
  expect(seal?.broken()).toEqual(["a"]);
});
