import { expect, test } from "vitest";
import { shadowsRunner } from "./python-modules.ts";

test.each([
  ["ast.py", true],
  ["pytest_extra.py", true],
  ["json/__init__.py", true],
  ["tests/iniconfig.py", true],
  ["calc/types.py", false],
  ["calculator.py", false],
])("%s: %s", (path, isShadow) => {
  expect(shadowsRunner(path, (folder) => folder === "." || folder === "tests")).toBe(isShadow);
});
