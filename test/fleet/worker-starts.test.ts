// A worker whose database goes away while it starts: one sentence, an exit code, and nothing that the next start would stumble over.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { initFleet } from "../../src/fleet/index.ts";
import { canStartPostgres, startPostgres, type TestPostgres } from "./postgres.ts";
import { openWire } from "./wire.ts";

const TILDONE = join(import.meta.dirname, "programs/tildone.ts");

let server: TestPostgres;
let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "tildone-worker-starts-"));
  if (canStartPostgres()) server = await startPostgres();
}, 60_000);
afterAll(async () => {
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

/** Until it ends, or works: then it is told to end. */
function startWorker(url: string, args = [TILDONE, "worker", "--allow", "*", "--id", "w1"], options = {}) {
  const env = { PATH: process.env.PATH, HOME: home, TILDONE_HOME: join(home, "t"), TILDONE_DATABASE_URL: url };
  const child = spawn(process.execPath, args, {
    cwd: home,
    env: { ...env, WORKER: JSON.stringify({ id: "w1", state: join(home, "state"), ...options }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: string[] = [];
  child.stdout.setEncoding("utf8").once("data", (text: string) => {
    said.push(text);
    child.kill("SIGTERM");
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.push(...text.split("\n").filter((line) => line !== "" && !line.startsWith("{")));
  });
  return new Promise<{ readonly code: number | null; readonly said: string }>((done) =>
    child.once("close", (code) => done({ code, said: said.join("\n") })),
  );
}

test.skipIf(!canStartPostgres()).each([
  ["connects", /SELECT current_setting/],
  ["looks at the tables", /migrations/],
  ["takes its name", /pg_try_advisory_lock/],
  ["says that it is there", /INSERT INTO tildone\.workers/],
  ["opens the queue", /tildone_dbos/],
])(
  "the database goes away while a worker %s: one sentence, and it can be started again",
  { timeout: 120_000 },
  async (_when, shape) => {
    const url = await server.database();
    await initFleet({ url });
    await using wire = await openWire(server.port);
    const through = url.replace(`:${server.port}/`, `:${wire.port}/`);
    wire.refuseAt(shape);
    expect(await startWorker(through)).toEqual({
      code: 1,
      said: expect.stringMatching(
        /^tildone: The database (?:cannot be reached|went away while the worker started)\. [^\n]+$/,
      ),
    });
    wire.join();
    expect(await startWorker(through)).toEqual({ code: 0, said: expect.stringMatching(/^Worker w1 works on runs /) });
  },
);

test.skipIf(!canStartPostgres())(
  "a database that falls silent while the queue opens: it does not wait without end",
  async () => {
    const url = await server.database();
    await initFleet({ url });
    await using wire = await openWire(server.port);
    void wire.loseAnswerTo(/tildone_dbos/);
    const through = url.replace(`:${server.port}/`, `:${wire.port}/`);
    const program = join(import.meta.dirname, "programs/worker.ts");
    expect(await startWorker(through, [program], { launchMs: 500 })).toEqual({
      code: 1,
      said: expect.stringContaining("WorkerError: The database went away while the worker started."),
    });
  },
  60_000,
);
