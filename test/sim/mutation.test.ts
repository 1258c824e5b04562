// The simulation is worth what it finds: each planted bug must make it fail, with the promise it breaks.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { MUTANTS } from "./mutants.ts";
import { plant } from "./plant.ts";
import type { Result } from "./report.ts";

const SEEDS = 4000;
const TESTS = ["test/sim"];
const scratch = mkdtempSync(join(tmpdir(), "tildone-mutants-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }), 60_000);

test.each(MUTANTS)("$name", { timeout: 180_000 }, async (mutant) => {
  const copy = plant(mutant, scratch, TESTS);
  const { failures } = await simulate(copy, "--seeds", String(SEEDS), "--first", "--whole");
  rmSync(copy, { recursive: true, force: true }); // all of them at the end would take longer than a hook may
  expect(mutant.breaks).toContain(failures[0]?.history.violation?.invariant);
});

test("a shortened history breaks the same promise in the same way", { timeout: 180_000 }, async () => {
  const copy = plant({ ...MUTANTS[0]!, name: "played again" }, scratch, TESTS);
  const [failure] = (await simulate(copy, "--seeds", String(SEEDS), "--first")).failures;
  const file = join(copy, "history.json");
  writeFileSync(file, JSON.stringify(failure?.history));
  expect((await simulate(copy, "--replay", file)).failures[0]?.history).toEqual(failure?.history);
  expect(failure?.history.actions.length).toBeLessThan(12);
});

async function simulate(copy: string, ...args: readonly string[]): Promise<Result> {
  const child = spawn(process.execPath, ["test/sim/main.ts", "--json", "--workers", "1", ...args], { cwd: copy });
  const chunks: string[] = [];
  child.stdout.on("data", (chunk) => chunks.push(String(chunk)));
  child.stderr.on("data", (chunk) => chunks.push(String(chunk)));
  await new Promise((done) => child.on("close", done));
  const text = chunks.join("");
  if (!text.startsWith("{")) throw new Error(`the simulation did not run: ${text.slice(0, 2000)}`);
  return JSON.parse(text) as Result;
}
