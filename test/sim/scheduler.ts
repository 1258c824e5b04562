import { commandOptions } from "../builders/command-options.ts";
import { playScheduler } from "./scheduler-world.ts";

const HELP = `Plays the scheduler under random histories.

  node test/sim/scheduler.ts --seeds 20000   so many of them (2000)
  node test/sim/scheduler.ts --seed 7        one of them again

  --from <n>   the first seed (1)

It exits with 1 where a promise was broken.`;

const values = commandOptions({
  help: HELP,
  options: {
    seeds: { type: "string", default: "2000" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
  },
  whole: ["seeds", "from", "seed"],
});
const first = Number(values.seed ?? values.from);
const last = values.seed === undefined ? first + Number(values.seeds) - 1 : first;

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
