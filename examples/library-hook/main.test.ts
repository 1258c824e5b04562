import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("the example waits for the background task, then works through its list and ends", () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["examples/library-hook/main.ts"], {
    encoding: "utf8",
    timeout: 15_000,
  });
  expect(status, stderr).toBe(0);
  const lines = stdout.split("\n").filter((line) => /^(idle|done|>)/.test(line));
  expect(lines).toEqual([
    "idle: waiting (background)",
    "> Todos remain: 0/3 done, 3 remaining. Continue with them.",
    "done: write the parser",
    "idle: counting_down (todo)",
    "> Todos remain: 1/3 done, 2 remaining. Continue with them.",
    "done: write its tests",
    "idle: counting_down (todo)",
    "> Todos remain: 2/3 done, 1 remaining. Continue with them.",
    "done: update the readme",
    "idle: stopped (done_unproven)",
  ]);
  expect(stdout).toContain("[Todo Continuation] Resuming in 1s... (3 tasks remaining)");
});
