import { expect, test } from "vitest";
import type { Trigger } from "../../core/react/index.ts";
import { NO_USAGE } from "../../core/run/index.ts";
import { createSessionRun } from "./session-run.ts";

test("before a list each answer is judged by what it used itself, in the next turn, too", async () => {
  const heard: Trigger[] = [];
  const run = createSessionRun(
    { run: () => undefined, tell: async () => ({ type: "ignored", why: "no_run" }) } as never,
    "s",
    { heard: async (trigger) => void heard.push(trigger), over: () => {}, run: () => undefined },
  );
  const sum = (output: number) => run.tell({ type: "answer.seen", usage: { ...NO_USAGE, output } });
  await run.tell({ type: "turn.started", turn: "t1" });
  await sum(40);
  await sum(100);
  await run.tell({ type: "turn.ended", turn: "t1", outcome: "completed" });
  await run.tell({ type: "turn.started", turn: "t2" });
  await sum(110);
  expect(heard.flatMap((each) => (each.type === "answer.seen" ? [each.usage?.output] : []))).toEqual([40, 60, 10]);
});
