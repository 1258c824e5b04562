import { expect, test } from "vitest";
import { lacksItsEnd, passedAsWhole } from "./says-its-end.ts";

test.each([
  [false, "python3 -m pytest -q", "1 passed in 0.02s"],
  [false, "pytest", "===== 3 passed, 1 skipped in 1.20s ====="],
  [true, "python3 -m pytest -q", ""],
  [false, "node --test a.js", "ℹ pass 1\nℹ fail 0"],
  [false, "node --test a.js", "# pass 1\n# fail 0"],
  [true, "node --test a.js", "✔ adds"],
  [false, "vitest run", " Test Files  1 passed (1)\n      Tests  1 passed (1)"],
  [true, "vitest run", " RUN  v4"],
  [false, "cargo test", "running 1 test\ntest result: ok. 1 passed"],
  [true, "cargo test", "running 0 tests\ntest result: ok. 0 passed\nrunning 1 test"],
  [false, "sh check.sh", ""],
])("%s: %s: %s", (expected, command, output) => {
  expect(lacksItsEnd([command.split(" ")], output)).toBe(expected);
});

test("names files that passed as one test", () => {
  const output = "✔ /room/test/a.test.js (41.2ms)\n✔ adds (1ms)\nok 1 - test/b.test.mjs\nnot ok 2 - test/c.test.js";
  expect(passedAsWhole(output)).toEqual(["/room/test/a.test.js", "test/b.test.mjs"]);
});
