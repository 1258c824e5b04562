import { expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { absolutePath, type Claim, conflict, foldersAbove, normalPath, pathWithin } from "./claim.ts";

const read = (path: string): Claim => ({ path, access: "read" });
const write = (path: string): Claim => ({ path, access: "write" });

test.each<[string, Claim, Claim, boolean]>([
  ["two readers of one file", read("/r/a"), read("/r/a"), false],
  ["a reader and a writer of one file", read("/r/a"), write("/r/a"), true],
  ["two writers of one file", write("/r/a"), write("/r/a"), true],
  ["a writer below a read folder", read("/r"), write("/r/a"), true],
  ["a reader below a written folder", write("/r"), read("/r/a/b"), true],
  ["names that only begin alike", write("/r/ab"), write("/r/a"), false],
  ["neighbours", write("/r/a"), write("/r/b"), false],
  ["another spelling of the same file", write("/r/./x/../a/"), read("/r//a"), true],
  ["the root of everything", write("/"), read("/r/a"), true],
  ["the run's directory", write(""), read("src/a"), true],
  ["the run's directory and an absolute path", write(""), read("/elsewhere"), false],
])("%s", (_situation, a, b, expected) => {
  expect(conflict(a, b)).toBe(expected);
  expect(conflict(b, a)).toBe(expected);
});

test.each([
  ["a/b", "a/b"],
  ["./a//b/", "a/b"],
  ["a/../b", "b"],
  ["../a", "../a"],
  ["a/../../b", "../b"],
  ["/../a", "/a"],
  ["a\\..\\b", "a\\..\\b"],
  ["C:\\a\\..\\b", "C:/b"],
  [".", ""],
  ["/", "/"],
])("%s is spelled %s", (path, normal) => expect(normalPath(path)).toBe(normal));

test.each([
  ["/repo", "src/a", "/repo/src/a", "src/a"],
  ["/repo", "/repo/src/a", "/repo/src/a", "src/a"],
  ["/repo", "../x", "/x", "/x"],
  ["/repo", "/repository/a", "/repository/a", "/repository/a"],
  ["/repo", ".", "/repo", ""],
  ["/", "a", "/a", "a"],
  ["C:\\repo", "C:\\repo\\a", "C:/repo/a", "a"],
])("from %s, %s is %s, and %s within", (root, path, absolute, within) => {
  expect(absolutePath(root, path)).toBe(absolute);
  expect(pathWithin(root, path)).toBe(within);
});

test.each([
  ["/a/b/c", ["/", "/a", "/a/b"]],
  ["/a", ["/"]],
  ["/", []],
  ["a/b", ["", "a"]],
  ["", []],
])("above %s stand %j", (path, folders) => expect(foldersAbove(path)).toEqual(folders));

test("normal form is stable and never changes what conflicts", () => {
  const path = fc
    .array(fc.constantFrom("a", "b", "..", ".", ""), { maxLength: 5 })
    .map((steps) => `/${steps.join("/")}`);
  fc.assert(
    fc.property(path, path, (p, q) => {
      expect(normalPath(normalPath(p))).toBe(normalPath(p));
      expect(conflict(write(p), read(q))).toBe(conflict(write(normalPath(p)), read(normalPath(q))));
    }),
  );
});
