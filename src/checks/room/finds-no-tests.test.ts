import { expect, test } from "vitest";
import { findsNoTests } from "./finds-no-tests.ts";

test.each([
  [true, "No test files found, exiting with code 1"],
  [true, "no tests ran in 0.01s"],
  [true, "collected 0 items"],
  [true, "sh: 0: cannot open test/new-*.sh: No such file"],
  [true, "Error: Cannot find module '/tmp/room/test/new-sum.sh'"],
  [false, "collected 0 items / 1 error"],
  [false, "Cannot find module '../src/sum.js'"],
  [false, "sh: 1: sum: not found"],
  [false, "test/old.sh: No such file or directory"],
  [false, "1 failed"],
])("%s: %s", (expected, line) => {
  expect(findsNoTests(`begins\n${line}\nends`, ["test/new-sum.sh"])).toBe(expected);
});
