import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../src/cli/index.ts";
import { OUTPUTS } from "../../tools/json-shapes.ts";
import { fakeIo } from "../builders/fake-io.ts";
import { jsonMistakes } from "../builders/json-mistakes.ts";
import { startPostgres, type TestPostgres } from "./postgres.ts";

let server: TestPostgres;
let home: string;
let databaseUrl: string;
beforeAll(async () => {
  server = await startPostgres();
  databaseUrl = await server.database();
  home = mkdtempSync(join(tmpdir(), "tildone-fleet-json-"));
  mkdirSync(join(home, "work"));
});
afterAll(async () => {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

async function printed(...argv: string[]): Promise<Record<string, unknown>> {
  const env = { TILDONE_HOME: join(home, "t"), PATH: process.env.PATH };
  const { io, out, err } = fakeIo({ env, cwd: join(home, "work"), home, now: Date.now, databaseUrl });
  await run([...argv, "--json"], io);
  try {
    return JSON.parse(out.join("\n")) as Record<string, unknown>;
  } catch {
    throw new Error(`tildone ${argv.join(" ")} printed no JSON: ${[...out, ...err].join("\n")}`);
  }
}

const asTheReferenceSays = (typed: string, value: unknown): void =>
  expect(jsonMistakes(OUTPUTS.find((output) => output.typed === typed)!.shape, [value]), typed).toEqual([]);

test("what the commands of a fleet print is what the reference says", async () => {
  asTheReferenceSays("tildone fleet init --json", await printed("fleet", "init"));
  const submitted = await printed("submit", "fix the tests", "--repo", "https://git.example/team/app.git");
  asTheReferenceSays("tildone submit --json", submitted);
  const status = await printed("fleet", "status");
  asTheReferenceSays("tildone fleet status --json", status);
  expect(status).toMatchObject({ queue: { depth: 1 } });
  asTheReferenceSays("tildone fleet doctor --json", await printed("fleet", "doctor"));
  asTheReferenceSays("tildone cancel --json", await printed("cancel", String(submitted.run)));
});
