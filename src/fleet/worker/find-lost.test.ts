import { expect, test } from "vitest";
import type { FleetRun, WorkerRow } from "../ports.ts";
import { createLostFinder } from "./find-lost.ts";

const queuedRun = { run: "q", state: "queued" } as FleetRun;
const ofDead = { run: "d", state: "running", driver: "gone" } as FleetRun;
const ofLiving = { run: "l", state: "running", driver: "w2" } as FleetRun;
const unpublished = { run: "u", state: "finished" } as FleetRun;

function finder(queue: Set<string>) {
  return createLostFinder({
    ledger: {
      workers: async () =>
        [
          { id: "w1", silentMs: 1 },
          { id: "w2", silentMs: 1 },
          { id: "gone", silentMs: 99 },
        ] as WorkerRow[],
      list: async () => [queuedRun, ofDead, ofLiving],
      unpublished: async () => [unpublished],
    },
    ...{ self: "w1", leaseMs: 10, driving: new Set<string>(), queued: async () => queue },
  });
}
const names = (runs: readonly FleetRun[]) => runs.map(({ run }) => run);

test("what the queue does not know is lost once it was seen twice", async () => {
  const find = finder(new Set());
  expect(names(await find())).toEqual([]);
  expect(names(await find())).toEqual(["q", "d", "u"]);
  expect(names(await find()), "it was put on the queue").toEqual([]);
});

test("what is on the queue is not lost, and what came there meanwhile neither", async () => {
  const queue = new Set(["q"]);
  const find = finder(queue);
  await find();
  queue.add("u");
  expect(names(await find())).toEqual(["d"]);
});
