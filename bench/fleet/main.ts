import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { commandOptions } from "../../test/builders/command-options.ts";
import { build } from "../build.ts";
import { table } from "../harness.ts";
import { append } from "./append.ts";
import { barrier } from "./barrier.ts";
import { failover } from "./failover.ts";
import { growth } from "./growth.ts";
import { idle } from "./idle.ts";
import { lag } from "./lag.ts";
import { many } from "./many.ts";
import type { Part } from "./part.ts";
import { start } from "./start.ts";

const PARTS: Readonly<Record<string, Part>> = { barrier, append, lag, failover, idle, many, growth, start };

const HELP = `Measures what a fleet costs, each figure beside a floor measured in the same run. Prints a table per part and writes
bench/results/fleet-<part>.json.

  npm run bench:fleet -- [options]

  --only barrier,lag   these parts; there are ${Object.keys(PARTS).join(", ")}
  --runs <n>           with many: runs (100)
  --workers <n>        with many: workers (4)
  --slots <n>          with many: slots of each worker (2)
  --finished <n>       with growth: finished runs (10000)

It exits with 1 where a target was missed.`;

const values = commandOptions({
  help: HELP,
  whole: ["runs", "workers", "slots", "finished"],
  options: {
    only: { type: "string", default: Object.keys(PARTS).join(",") },
    runs: { type: "string", default: "100" },
    workers: { type: "string", default: "4" },
    slots: { type: "string", default: "2" },
    finished: { type: "string", default: "10000" },
  },
});
const names = values.only.split(",");
const unknown = names.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`No part named ${unknown.join(", ")}. There are: ${Object.keys(PARTS).join(", ")}.`);
  process.exit(2);
}
const options = {
  runs: Number(values.runs),
  workers: Number(values.workers),
  slots: Number(values.slots),
  finished: Number(values.finished),
};
const folder = join(import.meta.dirname, "../results");
mkdirSync(folder, { recursive: true });
build();
for (const name of names) {
  const { results, says } = await PARTS[name]!(options);
  const load = loadavg()[0]!.toFixed(1);
  console.log(table(`fleet: ${name}`, results));
  for (const line of says) console.log(`  ${line}`);
  console.log(`  load ${load} on ${cpus().length} processors\n`);
  writeFileSync(
    join(folder, `fleet-${name}.json`),
    `${JSON.stringify({ name, at: new Date().toISOString(), load, options, says, results }, undefined, 2)}\n`,
  );
  if (results.some(({ met }) => !met)) process.exitCode = 1;
}
