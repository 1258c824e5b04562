import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { directories } from "../../config/index.ts";
import { attempt, processStart } from "../../machine/index.ts";
import { Failure, type Given, has, JSON_OPTION, number, UsageError } from "../command.ts";
import { exampleLines } from "../help.ts";
import type { Io } from "../io.ts";
import { jsonLine } from "../json.ts";
import { packaged } from "../packaged.ts";
import { readUp, removeUp, type UpFile, writeUp } from "./up-file.ts";

export const UP_OPTIONS = {
  ...JSON_OPTION,
  allow: {
    type: "string",
    value: "url",
    multiple: true,
    says: "up: a repository whose goals may run, `*` for any text; repeatable; default: all, because only you can submit.",
  },
  workers: { type: "string", value: "n", says: "up: how many workers; default: 2." },
} as const;

const LOOK_MS = 100;
const PATIENCE_MS = 90_000;
/** Longer than a worker waits for its turns. */
const STOPPING_MS = 150_000;
/** After so long it says what it waits for. */
const SAYS_MS = 3_000;
const SCHEMA = "tildone";

const stateOf = (io: Io): string => directories({ env: io.env, home: io.home }).state;
const logOf = (state: string): string => join(state, "fleet", "up.log");

/** Starts a database and workers on this machine, and says how to use them. They stay when this command ends. */
export async function fleetUp(given: Given, io: Io): Promise<number> {
  const state = stateOf(io);
  const before = readUp(state);
  if (before) {
    io.out(
      has(given, "json")
        ? jsonLine(factsOf(before))
        : `The fleet of this machine is up already: ${before.workers.join(", ")}.`,
    );
    if (!has(given, "json")) for (const line of nextLines(io)) io.out(line);
    return 0;
  }
  const count = number(given, "workers") ?? 2;
  if (!Number.isInteger(count) || count < 1 || count > 16)
    throw new UsageError("--workers is a whole number from 1 to 16.");
  const allow = given.options.allow;
  const patterns = Array.isArray(allow) && allow.length > 0 ? (allow as readonly string[]) : ["*"];
  mkdirSync(join(state, "fleet"), { recursive: true });
  const log = openSync(logOf(state), "w", 0o600);
  const args = ["fleet", "keep", "--workers", String(count), ...patterns.flatMap((one) => ["--allow", one])];
  const keeper = spawn(process.execPath, [packaged("tildone.js"), ...args], {
    cwd: io.cwd,
    env: { ...io.env },
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  if (!has(given, "json")) io.out("Starting PostgreSQL and the workers …");
  const up = await waited(state, keeper, io);
  keeper.unref();
  io.out(
    has(given, "json")
      ? jsonLine(factsOf(up))
      : `The fleet is up: a database of its own and ${up.workers.length} workers on this machine.`,
  );
  if (!has(given, "json")) for (const line of nextLines(io)) io.out(line);
  return 0;
}

/** Never the address of the database. */
const factsOf = ({ workers, keeper }: UpFile) => ({ up: true, workers, keeper });

const nextLines = (io: Io): readonly string[] =>
  exampleLines(
    [
      ['tildone submit "fix the tests" --repo . --check "npm test"', "give it a goal"],
      ["tildone top", "watch; also: tildone fleet status"],
      ["tildone fleet down", "stop all of it"],
    ],
    io.columns,
  );

async function waited(state: string, keeper: ChildProcess, io: Io): Promise<UpFile> {
  let exit: number | null | undefined;
  keeper.once("exit", (code) => {
    exit = code;
  });
  for (const until = io.now() + PATIENCE_MS; io.now() < until; await io.pause(LOOK_MS)) {
    const up = readUp(state);
    if (up) return up;
    if (exit !== undefined || io.signal.aborted) break;
  }
  if (exit === undefined) keeper.kill("SIGTERM");
  const lines = attempt(() => readFileSync(logOf(state), "utf8").split("\n")) ?? [];
  const said = lines.find((line) => line.startsWith("tildone: ")) ?? "";
  throw new Failure(said === "" ? `It did not start. See ${logOf(state)}.` : said.replace(/^tildone: /, ""));
}

/** Stops exactly what `up` started: its keeper ends workers and database, and says when it is done by being gone. */
export async function fleetDown(given: Given, io: Io): Promise<number> {
  const state = stateOf(io);
  const up = readUp(state);
  if (!up) {
    io.out(
      has(given, "json")
        ? jsonLine({ up: false })
        : "Nothing to stop: tildone fleet up started nothing that still runs.",
    );
    return 0;
  }
  process.kill(up.keeper, "SIGTERM");
  if (!has(given, "json")) io.out("Stopping: running turns finish first …");
  const asked = io.now();
  let hasSaid = has(given, "json");
  for (; io.now() < asked + STOPPING_MS && !io.signal.aborted; await io.pause(LOOK_MS)) {
    if (!hasSaid && io.now() > asked + SAYS_MS) {
      hasSaid = true;
      for (const line of await waitsFor(up)) io.out(line);
    }
    if (processStart(up.keeper) !== up.started) {
      io.out(
        has(given, "json")
          ? jsonLine({ up: false })
          : "Stopped. Runs and their logs stay; tildone fleet up continues them.",
      );
      return 0;
    }
  }
  throw new Failure(
    `The keeper (process ${up.keeper}) has not ended yet. See ${logOf(state)}; again: tildone fleet down`,
  );
}

/** The runs whose turns are not over yet. */
async function waitsFor({ url, schema }: UpFile): Promise<readonly string[]> {
  const { FleetError, openLedger } = await import("../../fleet/index.ts");
  try {
    const ledger = await openLedger({ url, schema });
    const runs = await ledger.list({ states: ["running"] }).finally(() => ledger.close());
    return runs.map(({ run, outcome }) => `Waiting for ${run}: ${outcome ?? "its turn is not over."}`);
  } catch (error) {
    if (error instanceof FleetError) return []; // it may be stopped by now
    throw error;
  }
}

/** The process behind `up`: it starts database and workers, and stays with them until it is told to end. */
export async function fleetKeep(given: Given, io: Io): Promise<number> {
  const state = stateOf(io);
  const { initFleet, localFolder, startLocalPostgres } = await import("../../fleet/index.ts");
  const folder = localFolder(state);
  const postgres = await startLocalPostgres({ folder, password: passwordIn(state), port: 0 });
  const workers: ChildProcess[] = [];
  let hasDatabase = true;
  try {
    await initFleet({ url: postgres.url, schema: SCHEMA });
    const names = Array.from({ length: number(given, "workers") ?? 2 }, (_, index) => `here-${index + 1}`);
    for (const name of names) workers.push(startWorker(name, state, postgres.url, given, io));
    await Promise.all(workers.map(ready));
    const started = processStart(process.pid);
    if (started === undefined) throw new Failure("This process cannot find itself in the list of processes.");
    writeUp(state, { url: postgres.url, schema: SCHEMA, keeper: process.pid, started, workers: names });
    const told = new Promise<"told">((done) =>
      io.signal.aborted ? done("told") : io.signal.addEventListener("abort", () => done("told"), { once: true }),
    );
    if ((await Promise.race([told, postgres.ended])) === "told") return 0;
    hasDatabase = false;
    throw new Failure("PostgreSQL ended, so the workers end, too. Start them again: tildone fleet up");
  } finally {
    // Without a database a turn cannot be made safe: it is repeated from its checkpoint.
    for (const worker of workers) worker.kill(hasDatabase ? "SIGTERM" : "SIGKILL");
    await Promise.all(workers.map(ended));
    await postgres.stop();
    removeUp(state);
  }
}

/** Kept beside the data: they belong together. */
function passwordIn(state: string): string {
  const file = join(state, "fleet", "password");
  const known = attempt(() => readFileSync(file, "utf8").trim());
  if (known) return known;
  const fresh = randomBytes(24).toString("hex");
  writeFileSync(file, `${fresh}\n`, { mode: 0o600 });
  return fresh;
}

function startWorker(name: string, state: string, url: string, given: Given, io: Io): ChildProcess {
  const allow = Array.isArray(given.options.allow) ? (given.options.allow as readonly string[]) : [];
  const args = [
    "worker",
    "--json",
    "--id",
    name,
    "--state",
    join(state, "fleet", name),
    ...allow.flatMap((one) => ["--allow", one]),
  ];
  return spawn(process.execPath, [packaged("tildone.js"), ...args], {
    cwd: state,
    env: { ...io.env, TILDONE_DATABASE_URL: url, TILDONE_FLEET_SCHEMA: SCHEMA },
    stdio: ["ignore", "pipe", "inherit", "ipc"], // it ends when this process is gone
  });
}

/** It prints one line when it works. */
const ready = (worker: ChildProcess): Promise<void> =>
  new Promise((done, fail) => {
    worker.stdout?.once("data", () => done());
    worker.stdout?.resume();
    worker.once("exit", (code) => fail(new Failure(`a worker ended with ${code ?? "a signal"} before it began.`)));
  });

const ended = (worker: ChildProcess): Promise<void> =>
  new Promise((done) => {
    if (worker.exitCode !== null || worker.signalCode !== null) done();
    else worker.once("exit", () => done());
  });
