import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { initFleet, openLedger, submitGoal } from "../../../src/fleet/index.ts";
import { type Certificates, makeCertificates } from "../certificates.ts";
import { useWorld } from "../use-world.ts";

const LONG = { timeout: 240_000 };
let certificates: Certificates | undefined;
const fleet = useWorld(() => {
  certificates = makeCertificates("localhost");
  const { certificate, key } = certificates.servers[0]!;
  return {
    files: { "server.pem": certificate, "server.key": key },
    settings: { ssl: "on", ssl_cert_file: "server.pem", ssl_key_file: "server.key" },
  };
});
const { published } = fleet;
afterAll(() => certificates?.[Symbol.dispose]());

/** The database as a role that may change no table sees it, by a connection whose other end is proven. */
const urlOf = (role: string): string => {
  const { port } = fleet.world.postgres;
  const name = new URL(fleet.world.url).pathname;
  return `postgres://${role}@localhost:${port}${name}?sslmode=verify-full&sslrootcert=${certificates!.root}`;
};

async function statement(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test("a worker without any right to change tables does all of its work, over TLS", LONG, async () => {
  await fleet.world.postgres.sql("CREATE ROLE tildone_worker LOGIN");
  await initFleet({ url: fleet.world.url, workerRole: "tildone_worker" });
  const url = urlOf("tildone_worker");
  const [machine] = [fleet.world.work("a1", {}, { TILDONE_DATABASE_URL: url })];
  const run = await fleet.world.submit();
  await fleet.world.until("its driver", async () => (await fleet.world.ledger.get(run))?.state === "running");
  const connections = await fleet.world.postgres.sql(
    "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'tildone_worker'",
  );
  expect(connections).toEqual([{ ssl: true }]);
  expect(await published(run)).toEqual([]);
  expect(machine!.lines.filter(({ level }) => level === "error")).toEqual([]);
  for (const schema of ["tildone", "tildone_dbos", "public"])
    await expect(statement(url, `CREATE TABLE ${schema}.mine ()`)).rejects.toMatchObject({ code: "42501" });
  for (const change of [
    "DROP TABLE tildone.runs",
    "ALTER TABLE tildone.runs ADD COLUMN x int",
    "INSERT INTO tildone.migrations (number) VALUES (99)",
  ])
    await expect(statement(url, change)).rejects.toMatchObject({ code: "42501" });
});

test("tenants: each has a schema, a role and workers, and sees nothing of the other", LONG, async () => {
  const teams = ["team_a", "team_b"] as const;
  for (const schema of teams) {
    await fleet.world.postgres.sql(`CREATE ROLE ${schema} LOGIN`);
    await initFleet({ url: fleet.world.url, schema, workerRole: schema });
  }
  const access = (schema: (typeof teams)[number]) => ({ url: urlOf(schema), schema });
  const [a, b] = [await openLedger(access("team_a")), await openLedger(access("team_b"))];
  try {
    await submitGoal(access("team_a"), a, fleet.world.aGoal({ run: "of-a" }));
    await submitGoal(access("team_b"), b, fleet.world.aGoal({ run: "of-b" }));
    fleet.world.work("b1", { access: access("team_a") });
    await fleet.world.until("the end of a", async () => (await a.get("of-a"))?.state === "finished");
    expect(await a.get("of-b")).toBeUndefined();
    expect(await b.get("of-b")).toMatchObject({ state: "queued", epoch: 0 });
    expect(await b.get("of-a")).toBeUndefined();
    for (const table of ["team_b.runs", "team_b.events", "team_b_dbos.workflow_status"])
      await expect(statement(urlOf("team_a"), `SELECT * FROM ${table}`)).rejects.toMatchObject({ code: "42501" });
    await expect(openLedger({ url: urlOf("team_a"), schema: "team_b" })).rejects.toMatchObject({ code: "no_rights" });
    fleet.world.work("b2", { access: access("team_b") });
    await fleet.world.until("the end of b", async () => (await b.get("of-b"))?.state === "finished");
  } finally {
    await Promise.all([a.close(), b.close()]);
  }
});

test("what looks like a secret is on no ref of the repository", LONG, async () => {
  const key = `sk-ant-api03-${"Ab3".repeat(30)}`;
  const secrets = `echo A=1 > .env; echo ${key} > notes.txt; echo x > server.pem; echo ok > fine.txt`;
  fleet.world.model.play((_request, count) =>
    count === 1
      ? {
          calls: [
            ["write_todos", { mode: "replace", todos: [{ text: "write" }] }],
            ["bash", { command: secrets }],
            ["edit_todos", { action: "complete", indices: [0] }],
          ],
        }
      : { text: "ok" },
  );
  const machine = fleet.world.work("c1");
  const run = await fleet.world.submit();
  await fleet.world.until("published", () =>
    machine.lines.find((line) => line.type === "run.published" && line.run === run),
  );
  const { remote } = fleet.world;
  const commits = fleet.world.git(remote, "rev-list", "--all").trim().split("\n");
  const files = commits.flatMap((commit) =>
    fleet.world.git(remote, "ls-tree", "-r", "--name-only", commit).trim().split("\n"),
  );
  expect(new Set(files)).toContain("fine.txt");
  expect(files.filter((name) => /env|notes|pem/.test(name))).toEqual([]);
  expect(fleet.world.git(remote, "show", `tildone/${run}:fine.txt`)).toBe("ok\n");
  expect(machine.lines.find(({ says }) => says?.includes("looks like a secret: notes.txt"))).toBeDefined();
});
