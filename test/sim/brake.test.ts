import { expect, test } from "vitest";
import { playBrakes } from "./brake-world.ts";

/** More with SIM_BRAKES=20000. */
const SEEDS = Number(process.env.SIM_BRAKES ?? 200);

test("no turn outlives its limits in a few hundred worlds", { timeout: 60_000 + SEEDS * 200 }, async () => {
  for (let seed = 1; seed <= SEEDS; seed++)
    expect({ seed, broken: await playBrakes(seed) }).toEqual({ seed, broken: [] });
});
