import { expect, test } from "vitest";
import type { Trigger } from "../core/react/index.ts";
import { createFakeWorld } from "../testing/index.ts";

const write: Trigger = { type: "todos.write", write: { mode: "append", todos: [{ text: "a" }] }, by: "model" };
const complete: Trigger = { type: "todos.edit", edit: { action: "complete", indices: [0] }, by: "model" };
const given = { birth: { checks: [{ run: "npm test", by: "human" }] } } as const;

const texts = ({ host }: ReturnType<typeof createFakeWorld>) =>
  host.notices.flatMap((notice) => (notice.type === "text" ? [notice.text] : []));

test("two live runs in one directory: the second is warned, and receipts name the other", async () => {
  const first = createFakeWorld(given);
  await first.tell(write);
  const second = first.another({ session: "other", driver: "two" });
  await second.tell(write);
  expect([texts(first), texts(second)]).toEqual([[], [expect.stringContaining("run-1 (fake)")]]);

  const answer = second.tell(complete);
  await first.clock.settle();
  second.checks.pass();
  await answer;
  expect(Object.values(second.run.ledger.receipts).map(({ beside }) => beside)).toEqual([["run-1"]]);
});

test("a run that stopped disturbs no other run", async () => {
  const first = createFakeWorld(given);
  await first.tell(write);
  await first.tell({ type: "human.hold", now: false });
  await first.tell({ type: "turn.ended", turn: "t1", outcome: "completed" });
  const second = first.another({ session: "other", driver: "two" });
  await second.tell(write);
  expect(texts(second)).toEqual([]);
});

test("a run that is over, or was not touched for an hour, disturbs no other run", async () => {
  const first = createFakeWorld(given);
  await first.tell(write);
  await first.clock.advance(3_600_000);
  const second = first.another({ session: "other", driver: "two" });
  await second.tell(write);
  await second.tell({ type: "human.clear" });
  const third = first.another({ session: "third", driver: "three" });
  await third.tell(write);
  expect([texts(second), texts(third)]).toEqual([[], []]);
});
