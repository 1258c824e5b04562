// node test/sim/scheduler.ts --seeds 20000 [--from 1] | --seed 7
import { parseArgs } from "node:util";
import { playScheduler } from "./scheduler-world.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "2000" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
  },
});
const first = Number(values.seed ?? values.from);
const last = values.seed === undefined ? first + Number(values.seeds) - 1 : first;
if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last)) {
  console.error("Give whole numbers: --seeds 20000, --from 1, --seed 7.");
  process.exit(2);
}

const begun = performance.now();
let failures = 0;
for (let seed = first; seed <= last; seed++) {
  const broken = await playScheduler(seed);
  if (broken.length === 0) continue;
  failures++;
  if (failures <= 10) console.log(`seed ${seed}\n  ${broken.slice(0, 5).join("\n  ")}`);
}
const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
console.log(
  `${last - first + 1} seeds in ${seconds} s: ${failures === 0 ? "every promise kept" : `${failures} broke a promise`}`,
);
process.exit(failures > 0 ? 1 : 0);
