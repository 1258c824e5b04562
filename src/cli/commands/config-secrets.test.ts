import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fakeIo } from "../../../test/builders/fake-io.ts";
import { loadConfig } from "../../config/index.ts";
import { redact, secretsOf, withoutPrivate } from "../../core/secret/index.ts";
import { run } from "../index.ts";

const SECRET = "postgresql://tildone:hunter2-is-long@db.example.com:5432/fleet";
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tildone-secrets-"));
  mkdirSync(join(home, "project/.tildone"), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function config(databaseUrl: string | undefined, ...words: string[]) {
  const env = { TILDONE_HOME: join(home, "t") };
  const { io, all } = fakeIo({ env, cwd: join(home, "project"), home, ...(databaseUrl && { databaseUrl }) });
  return { code: await run(["config", ...words], io), all: all.join("\n") };
}

test.each([
  ["from the environment", SECRET],
  ["from your file", undefined],
])("no view of the settings prints the address of the database %s", async (_where, databaseUrl) => {
  if (databaseUrl === undefined) await config(undefined, "set", "database.url", SECRET);
  const views = [["--changed"], ["--json"], ["explain", "database.url"], ["get", "database.url"], ["list"]];
  for (const words of views) {
    const { code, all } = await config(databaseUrl, ...words);
    expect(code, all).toBe(0);
    expect(all).not.toMatch(/hunter2|db\.example/);
    expect(all).toContain("postgresql://…");
  }
});

test("an address that cannot be one is refused without being printed", async () => {
  const { code, all } = await config("mysql://root:hunter2-is-long@db.example.com/x");
  expect(code).toBe(2);
  expect(all).toContain("TILDONE_DATABASE_URL: must be the address of a PostgreSQL database");
  expect(all).not.toMatch(/hunter2|db\.example/);
  const set = await config(undefined, "set", "database.url", "hunter2-is-long");
  expect(set.all).toContain("must be the address of a PostgreSQL database");
  expect(set.all).not.toContain("hunter2");
});

test.each([
  ["database.url", `database:\n  url: ${SECRET}\n`],
  ["fleet.allow", 'fleet:\n  allow: ["*"]\n'],
  ["fleet.labels", "fleet:\n  labels: [gpu]\n"],
  ["fleet.slots", "fleet:\n  slots: 200\n"],
  ["fleet.clones", "fleet:\n  clones: 0\n"],
])("a project never sets %s, also if it is trusted", async (key, text) => {
  writeFileSync(join(home, "project/.tildone/config.yaml"), text);
  const env = { TILDONE_HOME: join(home, "t") };
  const { io } = fakeIo({ env, cwd: join(home, "project"), home });
  await run(["trust", "--yes"], io);
  const loaded = await loadConfig({ env, cwd: join(home, "project"), home });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  expect(loaded.project?.standing).toBe("trusted");
  expect(loaded.config.fleet).toEqual({ schema: "tildone", allow: [], clones: 20, slots: 2, labels: [] });
  expect(loaded.warnings).toEqual([expect.objectContaining({ code: "users_alone", key })]);
});

test("no process that is not ours is started with it, and its value is redacted", () => {
  const env = { PATH: "/bin", TILDONE_DATABASE_URL: SECRET };
  expect(withoutPrivate(env)).toEqual({ PATH: "/bin" });
  expect(redact(`connect ${SECRET} failed`, secretsOf(env))).not.toMatch(/hunter2|db\.example/);
});

test("your own file keeps it, readable by you alone", async () => {
  await config(undefined, "set", "database.url", SECRET);
  expect(readFileSync(join(home, "t/config.yaml"), "utf8")).toContain(SECRET);
});
