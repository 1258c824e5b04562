import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../src/cli/index.ts";
import { openLedger } from "../../src/fleet/index.ts";
import { fakeIo } from "../builders/fake-io.ts";
import { freePort } from "./free-port.ts";
import { startPostgres, type TestPostgres } from "./postgres.ts";
import { openWire, type Wire } from "./wire.ts";

let server: TestPostgres;
let home: string;
/** Leads to the server, which seems to be PostgreSQL 13. */
let old: Wire;
beforeAll(async () => {
  server = await startPostgres();
  const [row] = await server.sql("SHOW server_version_num");
  const version = String(row!.server_version_num);
  old = await openWire(server.port, {
    rewrite: (bytes) => Buffer.from(bytes.toString("latin1").replace(version, "130022"), "latin1"),
  });
  home = mkdtempSync(join(tmpdir(), "tildone-bad-use-"));
  mkdirSync(join(home, "work"));
}, 60_000);
afterAll(async () => {
  await old[Symbol.asyncDispose]();
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

/** A command on a machine whose settings name that database. */
async function tildone(databaseUrl: string | undefined, ...argv: string[]) {
  const env = { TILDONE_HOME: join(home, "t"), PATH: process.env.PATH };
  const { io, all } = fakeIo({
    env,
    cwd: join(home, "work"),
    home,
    now: Date.now,
    columns: 1000,
    ...(databaseUrl && { databaseUrl }),
  });
  return { code: await run(argv, io), all: all.join("\n") };
}

const prepared = async (): Promise<string> => {
  const url = await server.database();
  expect(await tildone(url, "fleet", "init")).toMatchObject({ code: 0 });
  return url;
};
const as = (url: string, change: (url: URL) => void): string => {
  const changed = new URL(url);
  change(changed);
  return changed.href;
};

test("a database is prepared once, and again is harmless", async () => {
  const url = await server.database();
  expect((await tildone(url, "fleet", "init")).all).toMatch(/^The database is ready: schema tildone, \d+ steps?\./);
  expect((await tildone(url, "fleet", "init")).all).toMatch(/^The database is ready; schema tildone was up to date\./);
  const { code, all } = await tildone(url, "fleet", "status");
  expect(code, all).toBe(0);
  expect(all).toContain("0 waiting");
  expect(all).toContain("none. Start one: tildone worker");
  const { workers, queue } = JSON.parse((await tildone(url, "fleet", "status", "--json")).all);
  expect({ workers, queue }).toEqual({ workers: [], queue: { depth: 0, unserved: [] } });
  const doctor = await tildone(url, "fleet", "doctor");
  expect(doctor.all).toContain("the database answers");
  expect(doctor.code, doctor.all).toBe(0);
});

/** Each is one sentence that says what to do, and holds neither address nor password. */
const WRONG: readonly (readonly [string, RegExp, () => Promise<string | undefined>])[] = [
  ["no database is set", /^tildone: No database is set for the fleet\./, async () => undefined],
  [
    "nobody listens there",
    /^tildone: The database cannot be reached\./,
    async () => `postgres://u:hunter2hunter2@127.0.0.1:${await freePort()}/x`,
  ],
  [
    "no such host",
    /^tildone: The database cannot be reached\./,
    async () => "postgres://u:hunter2hunter2@no-such-host.invalid/x",
  ],
  [
    "no such database",
    /does not exist\. Create it: createdb/,
    async () =>
      as(await server.database(), (url) => {
        url.pathname = "/hunter2hunter2";
      }),
  ],
  ["not prepared", /Run `tildone fleet init` once/, () => server.database()],
  ["tables of a newer tildone", /from a newer tildone\. Update tildone/, newer],
  [
    "a server that is too old",
    /is too old for the fleet\. Version 14 or newer is needed/,
    async () =>
      as(await server.database(), (url) => {
        url.port = String(old.port);
      }),
  ],
  ["no rights", /may not do this\. `tildone fleet init` needs the owner/, stranger],
  [
    "a TLS that the server does not speak",
    /could not be secured\. Check sslmode/,
    async () =>
      as(await prepared(), (url) => {
        url.hostname = "localhost";
        url.searchParams.set("sslmode", "verify-full");
      }),
  ],
];
test.each(WRONG)("%s: one sentence", async (_what, says, urlOf) => {
  const url = await urlOf();
  for (const words of [
    ["fleet", "status"],
    ["fleet", "doctor"],
  ]) {
    const { code, all } = await tildone(url, ...words);
    expect(code, all).toBeGreaterThan(0);
    const said = all.split("\n").find((line) => /^(tildone: |FIX {2})/.test(line)) ?? all;
    expect(said.replace(/^FIX {2}/, "tildone: ")).toMatch(says);
    expect(all).not.toMatch(/hunter2|internal error|\n {4}at /);
  }
});

test("a worker that cannot reach the database ends with one sentence, and can be started again", async () => {
  const url = `postgres://u:hunter2hunter2@127.0.0.1:${await freePort()}/x`;
  for (const _ of [1, 2])
    expect(await tildone(url, "worker", "--allow", "*", "--id", "w1")).toEqual({
      code: 1,
      all: expect.stringMatching(/^tildone: The database cannot be reached\. Check host and port [^\n]+$/),
    });
});

async function newer(): Promise<string> {
  const url = await prepared();
  await server.sql("INSERT INTO tildone.migrations (number) VALUES (9999)", new URL(url).pathname.slice(1));
  return url;
}

async function stranger(): Promise<string> {
  const url = await prepared();
  const name = `stranger_${Math.floor(Math.random() * 1e9)}`;
  await server.sql(`CREATE ROLE ${name} LOGIN PASSWORD 'hunter2hunter2'`);
  return as(url, (changed) => {
    changed.username = name;
    changed.password = "hunter2hunter2";
  });
}

test("the role of workers reads and writes, and is told that it cannot prepare", async () => {
  const url = await prepared();
  const name = `worker_${Math.floor(Math.random() * 1e9)}`;
  await server.sql(`CREATE ROLE ${name} LOGIN PASSWORD 'hunter2hunter2'`);
  expect((await tildone(url, "fleet", "init", "--worker-role", name)).all).toContain(
    `${name} may read and write there`,
  );
  const own = as(url, (changed) => {
    changed.username = name;
    changed.password = "hunter2hunter2";
  });
  expect(await tildone(own, "fleet", "status")).toMatchObject({ code: 0 });
  await server.sql("DELETE FROM tildone.migrations", new URL(url).pathname.slice(1));
  const { code, all } = await tildone(own, "fleet", "init");
  expect(code).toBe(1);
  expect(all).toMatch(/^tildone: The user of the database URL may not do this\./);
});

test("an address that is none of PostgreSQL: commands say why the fleet is missing, and go on without it", async () => {
  const { code, all } = await tildone("mysql://me:hidden-word@db.example/fleet", "status");
  expect(code).toBe(0);
  expect(all).toMatch(/^Runs of the fleet are not shown\. TILDONE_DATABASE_URL: must be the address of a PostgreSQL/);
  expect(all).not.toContain("hidden-word");
});

test("a command without a run says which runs of the fleet it could mean", async () => {
  const url = await prepared();
  const { run: id } = JSON.parse(
    (await tildone(url, "submit", "x", "--repo", "https://e.example/a.git", "--json")).all,
  );
  expect(await tildone(url, "why")).toMatchObject({
    code: 2,
    all: expect.stringMatching(new RegExp(`Active elsewhere: ${id} of the fleet\\. Name one\\.$`)),
  });
});

test("a run that has no log yet says everywhere what it waits for", async () => {
  const url = await prepared();
  const { run: id } = JSON.parse(
    (await tildone(url, "submit", "x", "--repo", "https://e.example/a.git", "--json")).all,
  );
  expect(await tildone(url, "log", id)).toEqual({
    code: 0,
    all: `${id} has no events yet. It is queued: No worker serves the queue "runs" now. Start one: tildone worker`,
  });
  expect((await tildone(url, "log", id, "--json")).all).toBe("");
  const ledger = await openLedger({ url });
  const answer = await ledger.claim(id, "w1", 1_000_000);
  const why = "Waiting for the repository: https://e.example/a.git cannot be reached: nothing listens there.";
  await ledger.waits({ run: id, epoch: answer.status === "claimed" ? answer.claimed.lease.epoch : 0 }, why);
  await ledger.close();
  for (const words of [
    ["status", id],
    ["why", id],
    ["log", id],
    ["report", id],
    ["fleet", "status"],
  ]) {
    const { code, all } = await tildone(url, ...words);
    expect(code, all).toBe(0);
    expect(all).toContain(why);
  }
  expect(JSON.parse((await tildone(url, "fleet", "status", "--json")).all).open[0].why).toBe(why);
});

test("what is said to a run that has not begun, is over or does not exist", async () => {
  const url = await prepared();
  const submitted = await tildone(url, "submit", "x", "--repo", "https://e.example/a.git", "--json");
  const { run: id } = JSON.parse(submitted.all);
  const ledger = await openLedger({ url });
  const said = async () => (await ledger.words(id)).map(({ trigger }) => JSON.parse(trigger).type);
  const later = { code: 0, all: `${id} has not begun yet; this is applied when it does.` };
  expect(await tildone(url, "say", "--run", id, "hi")).toEqual(later);
  expect(await tildone(url, "extend", id, "--tokens", "5")).toEqual(later);
  expect(await tildone(url, "unhold", id)).toEqual(later);
  const held = await tildone(url, "hold", id);
  expect(held).toEqual({ code: 0, all: `${later.all}\nTo continue: tildone unhold ${id}` });
  const heard = ["words.queue", "human.extend", "human.unhold", "human.hold"];
  expect(await said()).toEqual(heard);
  for (const words of [
    ["accept", id],
    ["approve", "--run", id],
    ["deny", "--run", id],
    ["todo", "add", "y", "--run", id],
  ]) {
    const { code, all } = await tildone(url, ...words);
    expect([code, all]).toEqual([
      1,
      expect.stringMatching(/^tildone: [^\n]*has not begun yet, so there is nothing to/),
    ]);
  }
  expect(await said(), "and nothing of that was recorded").toEqual(heard);

  expect(await tildone(url, "cancel", id)).toEqual({
    code: 0,
    all: `Cancelled ${id}. Its log stays: tildone report ${id}`,
  });
  expect(await tildone(url, "cancel", id)).toEqual({ code: 0, all: `${id} is already over.` });
  for (const words of [
    ["hold", id],
    ["unhold", id],
  ])
    expect(await tildone(url, ...words)).toEqual({ code: 0, all: expect.stringMatching(/^Already ended: [^\n]+$/) });
  for (const words of [
    ["say", "--run", id, "hi"],
    ["extend", id, "--tokens", "5"],
    ["accept", id],
  ])
    expect(await tildone(url, ...words)).toEqual({
      code: 1,
      all: `tildone: ${id} was cancelled; nothing more can be said to it. Submit a new goal: tildone submit`,
    });
  for (const words of [
    ["hold", "nosuch"],
    ["unhold", "nosuch"],
    ["say", "--run", "nosuch", "hi"],
    ["log", "nosuch"],
    ["report", "nosuch"],
    ["cancel", "nosuch"],
  ])
    expect(await tildone(url, ...words)).toEqual({
      code: 2,
      all: expect.stringMatching(
        /^tildone: (?:There is|The fleet has) no run "nosuch"\. See tildone (?:status --all|fleet status)\.$/,
      ),
    });
  await ledger.close();
});
