import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("the example moves a clock, holds a world, asks a model, plays a persona and tries a store", () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["examples/testing/main.ts"], {
    encoding: "utf8",
    timeout: 15_000,
  });
  expect(status, stderr).toBe(0);
  expect(stdout.trim().split("\n")).toEqual([
    "clock: it is 3000",
    "world: nudge: Todos remain: 0/1 done, 1 remaining. Continue with them.",
    "world: settled: stop held",
    'model: it was asked "hello", and said Good day.',
    expect.stringMatching(/^persona: .+: \w+ after [1-9]\d* nudges, as it should: true$/),
    expect.stringMatching(/^store: [1-9]\d* clauses kept, \d+ skipped, of \d+$/),
  ]);
});
