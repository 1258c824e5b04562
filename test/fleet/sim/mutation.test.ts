// The simulation is worth what it finds: each planted bug must make it fail, with the promise it breaks.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { plant } from "../../sim/plant.ts";
import { MUTANTS } from "./mutants.ts";
import type { Played } from "./world.ts";

const SEEDS = 3000;
const scratch = mkdtempSync(join(tmpdir(), "tildone-fleet-mutants-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }), 60_000);

test.each(MUTANTS)("$name", { timeout: 240_000 }, async (mutant) => {
  const copy = plant(mutant, scratch, ["test/sim", "test/fleet"]);
  const [failure] = await simulate(copy, mutant.from);
  rmSync(copy, { recursive: true, force: true });
  expect(mutant.breaks).toContain(failure?.broken[0]?.promise);
});

function simulate(cwd: string, from = 1): Promise<readonly Pick<Played, "seed" | "broken">[]> {
  const args = ["test/fleet/main.ts", "--sim", String(SEEDS), "--from", String(from), "--first", "--json"];
  return new Promise((done, fail) => {
    execFile(process.execPath, args, { cwd }, (_error, stdout, stderr) =>
      stdout.startsWith("[") ? done(JSON.parse(stdout)) : fail(new Error(`the simulation did not run: ${stderr}`)),
    );
  });
}
