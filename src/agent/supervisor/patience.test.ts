import { expect, test } from "vitest";
import { aRun, todos } from "../../testing/index.ts";
import { afterProcess, isSpent, MOST_PROCESSES, PATIENT } from "./patience.ts";

/** A run of 500 todos after so many of them, each in a conversation of its own or all in one. */
function runAfter(settled: number, conversation: number) {
  const statuses = Array.from({ length: 500 }, (_, at) =>
    at < settled ? ("completed" as const) : ("not_started" as const),
  );
  const run = aRun({ todos: todos(...statuses) });
  return { ...run, ledger: { ...run.ledger, conversation: { ...run.ledger.conversation, number: conversation } } };
}

const startedFor = (after: (count: number) => ReturnType<typeof runAfter> | undefined): number => {
  let [patience, count] = [PATIENT, 0];
  while (!isSpent(patience) && count < 1_000) patience = afterProcess(patience, after(count++));
  return count;
};

test.each([
  ["500 todos, each in a process of its own", 1_000, (count: number) => runAfter(Math.min(500, count + 1), count + 1)],
  ["two processes for each todo", 1_000, (count: number) => runAfter(Math.min(500, count >> 1), (count >> 1) + 1)],
  ["a host that never gets to a run", MOST_PROCESSES, () => undefined],
  ["a run that stands", MOST_PROCESSES + 1, () => runAfter(3, 1)],
  ["a todo that is completed and reopened", MOST_PROCESSES + 2, (count: number) => runAfter(count % 2, 1)],
])("%s is started %i times", (_what, times, after) => {
  expect(startedFor(after)).toBe(times);
});
