import { afterAll, beforeAll, expect, test } from "vitest";
import { FLEET_ERRORS, initFleet, openLedger, submitGoal } from "../../src/fleet/index.ts";
import { type Certificates, makeCertificates } from "./certificates.ts";
import { aSubmission } from "./ledgers.ts";
import { startPostgres, type TestPostgres } from "./postgres.ts";

let certificates: Certificates;
let server: TestPostgres;
/** The same, with the certificate of another name. */
let elsewhere: TestPostgres;
beforeAll(async () => {
  certificates = makeCertificates("localhost", "db.example.com");
  [server, elsewhere] = (await Promise.all(certificates.servers.map(startSecure))) as [TestPostgres, TestPostgres];
}, 60_000);
afterAll(async () => {
  await Promise.all([server.stop(), elsewhere.stop()]);
  certificates[Symbol.dispose]();
});

/** Lets its owner in by TLS only. */
async function startSecure({ certificate, key }: Certificates["servers"][number]): Promise<TestPostgres> {
  const started = await startPostgres({
    files: { "server.pem": certificate, "server.key": key },
    settings: { ssl: "on", ssl_cert_file: "server.pem", ssl_key_file: "server.key" },
    hba: ["hostssl all owner 127.0.0.1/32 trust", "host all owner 127.0.0.1/32 reject"],
  });
  await started.sql("CREATE ROLE owner LOGIN");
  await started.sql("CREATE DATABASE fleet OWNER owner");
  return started;
}

const url = (host: string, more = "", { port } = server) => `postgres://owner@${host}:${port}/fleet${more}`;
const verified = (host: string, root = certificates.root, at = server) =>
  url(host, `?sslmode=verify-full&sslrootcert=${root}`, at);

test("verify-full accepts the right name: tables are made, and what is read and queued is encrypted", async () => {
  const access = { url: verified("localhost") };
  await initFleet(access);
  const ledger = await openLedger(access);
  await submitGoal(access, ledger, aSubmission("r1"));
  expect(await ledger.get("r1")).toMatchObject({ state: "queued" });
  const open = await server.sql(`SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
    WHERE usename = 'owner'`);
  expect(open).toEqual([{ ssl: true }]);
  await ledger.close();
});

test.each([
  [
    "a server that has the certificate of another name",
    "tls",
    () => verified("localhost", certificates.root, elsewhere),
  ],
  ["an authority that did not sign it", "tls", () => verified("localhost", certificates.otherRoot)],
  ["no authority", "tls", () => url("localhost", "?sslmode=verify-full")],
  ["an address where a name can be checked", "tls_address", () => verified("127.0.0.1")],
  ["no TLS where the server wants it", "not_let_in", () => url("127.0.0.1")],
] as const)("%s is refused in one sentence", async (_what, code, given) => {
  await expect(openLedger({ url: given() })).rejects.toMatchObject({
    code,
    message: expect.stringContaining(FLEET_ERRORS[code]),
  });
});
