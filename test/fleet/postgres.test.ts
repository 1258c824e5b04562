import { existsSync } from "node:fs";
import pg from "pg";
import { expect, test } from "vitest";
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
