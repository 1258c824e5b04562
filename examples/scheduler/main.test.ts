import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("the example asks, denies, waits its turn and cuts off, and answers in order", () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["examples/scheduler/main.ts"], {
    encoding: "utf8",
    timeout: 15_000,
  });
  expect(status, stderr).toBe(0);
  const lines = stdout.trim().split("\n");
  expect(lines.filter((line) => line.startsWith("asked"))).toEqual([
    "asked: write 9 characters to notes.txt",
    "asked: write 2 characters to other.txt",
  ]);
  expect(lines.filter((line) => /^\d/.test(line))).toEqual([
    "1: buy milk",
    "2: done",
    "3: buy bread",
    "4: cancelled: The user denied it. not today",
    "5: error: Keys are none of your business.",
    '6: error: There is no tool "raed". Did you mean read?',
    "7: error: path: must be a text",
    "8: error: The tool did not finish in time.",
  ]);
  const log = lines.filter((line) => line.startsWith("log")).flatMap((line) => line.slice(5).split(", "));
  expect(log).toEqual([
    "approval.requested",
    "approval.requested",
    "approval.answered",
    "approval.answered",
    "call.intended",
    "call.settled",
    "batch.settled",
  ]);
});
