import { expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { glob, matchesAny } from "./glob.ts";

test.each([
  ["*.ts", "a.ts", true],
  ["*.ts", "dir/a.ts", false],
  ["**/*.ts", "a.ts", true],
  ["**/*.ts", "deep/down/a.ts", true],
  ["src/**", "src/a/b", true],
  ["src/**", "source/a", false],
  ["a?c", "abc", true],
  ["a?c", "a/c", false],
  ["**/{test,tests}/**", "tests/x", true],
  ["**/{test,tests}/**", "pkg/test/x/y", true],
  ["**/{test,tests}/**", "latest/x", false],
  ["**/*.{test,spec}.*", "a/b.spec.ts", true],
  ["{a,{b,c}}.{x,y}", "c.y", true],
  ["{a,{b,c}}.{x,y}", "d.y", false],
  ["a{b", "a{b", true],
  ["a+(b).c", "a+(b).c", true],
  ["a.c", "abc", false],
  ["[x]", "x", false],
  ["**", "anything/at/all", true],
  ["a/**/b", "a/b", true],
  ["a/**/b", "a/x/y/b", true],
  ["a/**/b", "a/xb", false],
  ["**/b", "ab", false],
  ["a*", "a", true],
  ["", "", true],
  ["****/x", "a/b/x", true],
  ["a**/**/x", "abc/d/x", true],
  ["**/*", "x", true],
  ["*/**/*.c", "a/b.c", true],
  ["a/*/c", "a//c", true],
])("%s and %s: %s", (pattern, path, expected) => expect(glob(pattern)(path)).toBe(expected));

test("any of several, also when written with a leading ./", () => {
  const matches = matchesAny(["./tests/*", "ci.yml"]);
  expect(["tests/a", "ci.yml", "src/a"].map(matches)).toEqual([true, true, false]);
  expect(matchesAny([])("x")).toBe(false);
});

test("the two ways to match agree", () => {
  const wild = (pattern: string) => glob(`{${pattern},****no-such-file****}`); // too wild for an expression
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "b", "/", "*", "**/", "?", "."), maxLength: 8 }),
      fc.string({ unit: fc.constantFrom("a", "b", "/", "."), maxLength: 10 }),
      (pattern, path) => wild(pattern)(path) === glob(pattern)(path),
    ),
    { numRuns: 3000 },
  );
});

test("a hostile pattern costs no more than a plain one", () => {
  const pattern = `${"**/a".repeat(20)}${"{a,b}".repeat(20)}x`;
  const began = performance.now();
  expect(glob(pattern)("a/".repeat(200))).toBe(false);
  expect(glob(`${"**a".repeat(30)}b`)("a".repeat(1000))).toBe(false);
  expect(performance.now() - began).toBeLessThan(15_000);
});
