import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { isRunning } from "../../src/machine/index.ts";
import { startPostgres } from "./postgres.ts";

test.each(["debian", "embedded"] as const)(
  "%s: starts, restarts, stands still, and leaves nothing behind",
  async (from) => {
    const server = await startPostgres({ from, durable: true });
    try {
      const database = await server.database();
      const client = new pg.Client({ connectionString: database });
      const cut = new Promise((done) => client.on("error", done));
      await client.connect();
      await client.query("CREATE TABLE kept AS SELECT 7 AS n");
      await server.restart();
      await cut;
      const name = new URL(database).pathname.slice(1);
      expect(await server.sql("SELECT n FROM kept", name)).toEqual([{ n: 7 }]);
      server.pause();
      const late = server.sql("SELECT n FROM kept", name);
      const first = await Promise.race([late, new Promise((done) => setTimeout(() => done("no answer"), 150))]);
      expect(first).toBe("no answer");
      server.resume();
      expect(await late).toEqual([{ n: 7 }]);
    } finally {
      await server.stop();
    }
    expect(existsSync(server.folder)).toBe(false);
  },
);

test("a terminal that hangs up leaves no server behind", async () => {
  const program = `
    import { startPostgres } from "./test/fleet/postgres.ts";
    console.log((await startPostgres()).folder);
    setInterval(() => {}, 1000);`;
  const terminal = spawn(process.execPath, ["--input-type=module-typescript", "--eval", program], {
    detached: true, // a group of its own, as in a terminal
    stdio: ["ignore", "pipe", "inherit"],
  });
  const folder = await new Promise<string>((done) => terminal.stdout.once("data", (line) => done(`${line}`.trim())));
  const server = Number(readFileSync(join(folder, "data/postmaster.pid"), "utf8").split("\n")[0]);
  expect(isRunning(server)).toBe(true);
  process.kill(-terminal.pid!, "SIGHUP");
  await vi.waitFor(() => expect(isRunning(server)).toBe(false), { timeout: 10_000 });
  rmSync(folder, { recursive: true });
});
