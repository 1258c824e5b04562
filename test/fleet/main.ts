// npm run test:fleet: the failure matrix. --short: its core. --faults 200 [--seed 7]: random faults on a fleet at work.
// --sim 20000 [--from 1] [--store memory|postgres] [--first]: simulated fleets, without processes; one is played again with --sim 1 --from SEED.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    faults: { type: "string" },
    seed: { type: "string", default: "1" },
    machines: { type: "string", default: "3" },
    short: { type: "boolean", default: false },
    only: { type: "string" },
    sim: { type: "string" },
    from: { type: "string", default: "1" },
    store: { type: "string", default: "memory" },
    first: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

if (values.faults !== undefined) {
  const { runFaults } = await import("./faults.ts");
  const result = await runFaults({
    faults: Number(values.faults),
    seed: Number(values.seed),
    machines: Number(values.machines),
    say: (line) => console.log(line),
  });
  console.log(JSON.stringify(result, null, 2));
  process.exit(result.problems.length === 0 ? 0 : 1);
}
if (values.sim !== undefined) {
  const { playSeeds } = await import("./sim/play-seeds.ts");
  const [seeds, from] = [Number(values.sim), Number(values.from)];
  const { store } = values;
  if (!Number.isSafeInteger(seeds) || !Number.isSafeInteger(from) || (store !== "memory" && store !== "postgres")) {
    console.error("Give whole numbers and a store: --sim 20000 --from 1 --store memory (or postgres).");
    process.exit(2);
  }
  const failed = await playSeeds({
    seeds,
    from,
    store,
    first: values.first,
    ...(!values.json && { say: console.log }),
  });
  if (values.json) console.log(JSON.stringify(failed.map(({ seed, broken }) => ({ seed, broken }))));
  process.exit(failed.length === 0 ? 0 : 1);
}
const SHORT = "dies in the middle|stood still finds|each heard once|one sentence";
const name = values.only ?? (values.short ? SHORT : undefined);
const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config",
    "test/fleet/vitest.config.ts",
    ...(name === undefined ? [] : ["-t", name]),
  ],
  { stdio: "inherit" },
);
process.exit(status ?? 1);
