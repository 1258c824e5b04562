import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { bundle } from "../tools/bundle.ts";
import { type Bench, measure, type Result, type Row, table } from "./harness.ts";

const here = import.meta.dirname;
const known = globSync("*.bench.ts", { cwd: here })
  .map((file) => basename(file, ".bench.ts"))
  .sort();
const asked = process.argv.slice(2);
if (asked.includes("--help") || asked.includes("-h")) {
  console.log(`Measures ratios beside a floor of the same run. Prints a table each and writes bench/results/<name>.json.

  npm run bench                all of them
  npm run bench -- store run   these; there are ${known.join(", ")}

It exits with 1 where a target was missed.`);
  process.exit(0);
}
const flag = asked.find((name) => name.startsWith("-"));
if (flag !== undefined) {
  console.error(`Unknown option '${flag}'. See --help.`);
  process.exit(2);
}
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No benchmark named ${unknown.join(", ")}. There are: ${known.join(", ")}.`);
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), "tildone-bench-"));
writeFileSync(join(scratch, "package.json"), '{ "type": "module" }');
try {
  for (const name of asked.length > 0 ? asked : known) await bench(name);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function bench(name: string): Promise<void> {
  const cleanUps: (() => void)[] = [];
  const folder = join(scratch, name);
  mkdirSync(folder);
  try {
    const { default: rowsOf } = (await import(`./${name}.bench.ts`)) as {
      default: (bench: Bench) => Promise<readonly Row[]>;
    };
    const results = await measure(
      await rowsOf({ folder, bundled, defer: (cleanUp) => void cleanUps.unshift(cleanUp) }),
    );
    console.log(`${table(name, results)}\n`);
    write(name, results);
    if (results.some(({ met }) => !met)) process.exitCode = 1;
  } finally {
    for (const cleanUp of cleanUps) cleanUp();
  }
}

async function bundled(name: string): Promise<string> {
  const out = join(scratch, "bundled");
  await bundle({ [name]: join(here, `${name}.ts`) }, out, { alone: true });
  return join(out, `${name}.js`);
}

function write(name: string, results: readonly Result[]): void {
  const folder = join(here, "results");
  mkdirSync(folder, { recursive: true });
  const machine = { node: process.version, platform: process.platform, arch: process.arch, cpus: cpus().length };
  const report = { name, at: new Date().toISOString(), machine, results };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(report, undefined, 2)}\n`);
}
