import { expect, test } from "vitest";
import type { FleetRun } from "../ports.ts";
import { createLocalSlots } from "./local-slots.ts";

const run = (queue: string, ...needs: string[]) => ({ queue, needs }) as unknown as FleetRun;

function world(slots: number) {
  const queues = [{ name: "runs" }, { name: "runs:gpu,linux" }] as { name: string; workerConcurrency?: number }[];
  let isOpen = true;
  const local = createLocalSlots(slots, queues, () => isOpen);
  const takes = () => queues.map(({ workerConcurrency }) => workerConcurrency);
  const close = () => {
    isOpen = false;
    local.spread();
  };
  return { local, takes, close };
}

test("all queues share the slots: each may take what is free beside what it has", () => {
  const { local, takes } = world(3);
  local.spread();
  expect(takes()).toEqual([3, 3]);
  local.enter(run("runs"));
  local.enter(run("runs", "linux", "gpu"));
  expect([takes(), local.busy()]).toEqual([[2, 2], 2]);
  local.exit(run("runs"));
  expect(takes()).toEqual([2, 3]);
});

test("a run that comes when all are taken waits until one is free", async () => {
  const { local } = world(1);
  expect(local.enter(run("runs"))).toBeUndefined();
  let isIn = false;
  const second = local.enter(run("runs", "gpu", "linux"))!.then(() => {
    isIn = true;
  });
  await Promise.resolve();
  expect(isIn).toBe(false);
  local.exit(run("runs"));
  await second;
  expect(local.busy()).toBe(1);
});

test("a worker that drains takes nothing more", () => {
  const { local, takes, close } = world(2);
  local.enter(run("runs"));
  close();
  expect(takes()).toEqual([0, 0]);
});
