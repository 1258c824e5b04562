// npm run bench [-- name...]: measures bench/*.bench.ts, prints a table each and writes bench/results/<name>.json.
// Exits with 1 when a target was missed.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { type Bench, measure, type Result, type Row, table } from "./harness.ts";

const here = import.meta.dirname;
const known = globSync("*.bench.ts", { cwd: here })
  .map((file) => basename(file, ".bench.ts"))
  .sort();
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No benchmark named ${unknown.join(", ")}. There are: ${known.join(", ")}.`);
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), "tildone-bench-"));
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
      await rowsOf({ folder, compiled, defer: (cleanUp) => void cleanUps.unshift(cleanUp) }),
    );
    console.log(`${table(name, results)}\n`);
    write(name, results);
    if (results.some(({ met }) => !met)) process.exitCode = 1;
  } finally {
    for (const cleanUp of cleanUps) cleanUp();
  }
}

function compiled(): string {
  const out = join(scratch, "dist");
  if (globSync(join(out, "index.js")).length > 0) return out;
  const root = resolve(here, "..");
  const { status } = spawnSync("tsc", ["-p", "tsconfig.build.json", "--outDir", out], { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("The package does not compile; `npm run build` shows why.");
  writeFileSync(join(scratch, "package.json"), '{ "type": "module" }');
  symlinkSync(join(root, "node_modules"), join(scratch, "node_modules"));
  return out;
}

function write(name: string, results: readonly Result[]): void {
  const folder = join(here, "results");
  mkdirSync(folder, { recursive: true });
  const machine = { node: process.version, platform: process.platform, arch: process.arch, cpus: cpus().length };
  const report = { name, at: new Date().toISOString(), machine, results };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(report, undefined, 2)}\n`);
}
