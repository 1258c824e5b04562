import { expect, test } from "vitest";
import { playScheduler } from "./scheduler-world.ts";

test("two hundred simulated worlds keep every promise of the scheduler", async () => {
  for (let seed = 1; seed <= 200; seed++)
    expect({ seed, broken: await playScheduler(seed) }).toEqual({ seed, broken: [] });
});
