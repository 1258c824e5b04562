// Machines of a fleet as processes with homes of their own: real workers, a real PostgreSQL, a model on loopback, one remote.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Trigger } from "../../src/core/react/index.ts";
import {
  enqueue,
  type FleetState,
  initFleet,
  type Ledger,
  openLedger,
  type Submission,
  submitGoal,
} from "../../src/fleet/index.ts";
import { type ModelRequest, type ScriptedModel, type Step, startScriptedModel } from "../../src/testing/index.ts";
import { stopsAfterEachItem } from "../e2e/pi/models.ts";
import { type GitServer, serveGit } from "./git-server.ts";
import { createRunJudge } from "./judge-run.ts";
import { type PostgresOptions, startPostgres, type TestPostgres } from "./postgres.ts";
import { openWire, type Wire } from "./wire.ts";
import { openWitness, type Witness } from "./witness.ts";

export interface Line {
  readonly at: string;
  readonly type?: string;
  readonly run?: string;
  readonly says?: string;
  readonly epoch?: number;
  readonly lost?: number;
  readonly [more: string]: unknown;
}

export interface Machine {
  readonly id: string;
  readonly home: string;
  readonly lines: readonly Line[];
  readonly process: ChildProcess;
  /** Resolves with its exit code. */
  readonly exited: Promise<number | null>;
  /** Every process of this machine: the worker, its runners, their agents. */
  pids(): readonly number[];
  signal(name: NodeJS.Signals, which?: "all" | "worker" | "runners" | "agents"): number;
}

/** What one machine is connected by. */
export interface Wires {
  readonly database: Wire;
  readonly remote: Wire;
}

export const LEASE_MS = 5_000;

/** How every machine calls the repository; its own git settings say where that is. */
const ADDRESS = "git://fleet.invalid/";

export interface WorldOptions extends PostgresOptions {
  /** Without it nothing is measured but the fleet: the database writes nothing down for the judge. */
  readonly unwatched?: boolean;
}

export async function openWorld({ unwatched = false, ...options }: WorldOptions = {}) {
  const postgres: TestPostgres = await startPostgres({ durable: true, ...options });
  const url = await postgres.database();
  await initFleet({ url });
  const witness: Witness | undefined = unwatched ? undefined : await openWitness(postgres, url);
  const root = mkdtempSync(join(tmpdir(), "tildone-fleet-"));
  const remote = join(root, "remote.git");
  const ledger: Ledger = await openLedger({ url });
  const machines: Machine[] = [];
  const wires = new Map<string, Wires>();
  let served: Promise<GitServer> | undefined;
  const model: ScriptedModel = await startScriptedModel(stopsAfterEachItem(3));
  makeRemote();
  let count = 0;

  return {
    postgres,
    url,
    witness,
    root,
    remote,
    /** As goals name it. */
    repo: `${ADDRESS}remote.git`,
    ledger,
    model,
    machines,
    git,
    wire,
    work,
    aGoal,
    submit,
    say,
    until,
    ...createRunJudge({ ledger, witness, remote, git }),
    [Symbol.asyncDispose]: async () => {
      for (const machine of machines) machine.signal("SIGKILL");
      postgres.resume();
      for (const { database, remote } of wires.values())
        await Promise.all([database[Symbol.asyncDispose](), remote[Symbol.asyncDispose]()]);
      await (await served)?.[Symbol.asyncDispose]();
      await ledger.close().catch(() => {});
      await model.close();
      await postgres.stop();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };

  function makeRemote(): void {
    const seed = join(root, "seed");
    mkdirSync(seed);
    git(root, "init", "-q", "--bare", "-b", "main", remote);
    git(seed, "init", "-q", "-b", "main");
    writeFileSync(join(seed, "README"), "a project\n");
    git(seed, "add", "-A");
    git(seed, "commit", "-qm", "first");
    git(seed, "push", "-q", remote, "main");
  }

  function git(cwd: string, ...args: readonly string[]): string {
    const who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "safe.directory=*"];
    return execFileSync("git", [...who, ...args], {
      cwd,
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: root },
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** Connects a machine, before it starts, by wires that can be cut. */
  async function wire(id: string): Promise<Wires> {
    served ??= serveGit(root);
    const made = { database: await openWire(postgres.port), remote: await openWire((await served).port) };
    wires.set(id, made);
    return made;
  }

  /** A worker on a machine of its own. The same name again is the same machine, started anew. */
  function work(id: string, options: object = {}, variables: Readonly<Record<string, string>> = {}): Machine {
    const home = join(root, id);
    mkdirSync(home, { recursive: true });
    const ports = wires.get(id);
    const repositories = ports ? `git://127.0.0.1:${ports.remote.port}/` : `${root}/`;
    writeFileSync(join(home, ".gitconfig"), `[url "${repositories}"]\n\tinsteadOf = ${ADDRESS}\n`);
    const child = spawn(process.execPath, [join(import.meta.dirname, "programs/worker.ts")], {
      env: {
        PATH: process.env.PATH,
        HOME: home,
        TILDONE_HOME: join(home, "tildone"),
        PI_CODING_AGENT_DIR: join(home, "pi"),
        PI_OFFLINE: "1",
        TILDONE_API_KEY: `key-of-${id}`,
        TILDONE_DATABASE_URL: ports ? url.replace(`:${postgres.port}/`, `:${ports.database.port}/`) : url,
        ...variables,
        WORKER: JSON.stringify({ id, state: join(home, "state"), leaseMs: LEASE_MS, ...options }),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const lines: Line[] = [];
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        if (process.env.TILDONE_FLEET_LOG) process.stderr.write(`${part}\n`);
        if (part.startsWith("{")) lines.push(JSON.parse(part) as Line);
      }
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (process.env.TILDONE_FLEET_LOG) process.stderr.write(text);
      lines.push({ at: new Date().toISOString(), type: "stderr", says: text });
    });
    const exited = new Promise<number | null>((done) => child.on("exit", done));
    const machine: Machine = {
      id,
      home,
      lines,
      process: child,
      exited,
      pids: () => processesOf(home),
      signal: (name, which = "all") => {
        const all = processesOf(home);
        const pids =
          which === "all" ? all : all.filter((pid) => (which === "worker" ? pid === child.pid : kindOf(pid) === which));
        for (const pid of pids) signalOne(pid, name);
        return pids.length;
      },
    };
    machines.push(machine);
    return machine;
  }

  async function submit(more: Partial<Submission> = {}): Promise<string> {
    const submission = aGoal(more);
    await submitGoal({ url }, ledger, submission);
    return submission.run;
  }

  function aGoal(more: Partial<Submission> = {}): Submission {
    return {
      run: `run${String(++count).padStart(5, "0")}`,
      goal: "make the files",
      repo: `${ADDRESS}remote.git`,
      checks: [],
      queue: "runs",
      needs: [],
      priority: 5,
      budget: {},
      pr: false,
      by: "a test",
      baseUrl: `${model.url}/v1`,
      model: "scripted",
      approval: "yolo",
      ...more,
    };
  }

  /** As a command says it: written down, and a run that waited for it is put on the queue. */
  async function say(run: string, trigger: Trigger): Promise<void> {
    const said = await ledger.say({ run, trigger: JSON.stringify(trigger), from: '{"via":"terminal"}' });
    if ("wake" in said && said.wake) await enqueue({ url }, run, said.wake.generation, ledger);
  }

  /** Asks until it is so; what was seen last is in the error. */
  async function until<T>(
    what: string,
    ask: () => Promise<T | undefined | false> | T | undefined | false,
    ms = 120_000,
  ): Promise<T> {
    const end = Date.now() + ms;
    for (;;) {
      const found = await (async () => ask())().catch(() => undefined);
      if (found !== undefined && found !== false) return found;
      if (Date.now() > end) throw new Error(`${what} did not happen in ${ms / 1000} s:\n${lastLines()}`);
      await new Promise((done) => setTimeout(done, 100));
    }
  }

  function lastLines(): string {
    return machines
      .map(
        ({ id, lines }) =>
          `${id}:\n${lines
            .slice(-12)
            .map((line) => `  ${JSON.stringify(line).slice(0, 300)}`)
            .join("\n")}`,
      )
      .join("\n");
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Until its run is over, one way or the other. */
export const isOver = (state: FleetState | undefined): boolean =>
  state === "finished" || state === "poisoned" || state === "cancelled";

/** Each item takes a few requests, and each answer this long: there is a middle of a turn to be killed in. */
export function slowly(items: number, ms: number): (request: ModelRequest) => Step {
  const works = stopsAfterEachItem(items);
  return (request) => ({ ...works(request), after: new Promise((done) => setTimeout(done, ms)) });
}

/** All that carry its home and what they started, also those whose parent is gone. A number alone may be another process's by now. */
function processesOf(home: string): readonly number[] {
  const parents = new Map<number, number[]>();
  const all: number[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    const stat = pid > 0 ? attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8")) : undefined;
    const [status, parent] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? ["Z"];
    if (status === "Z") continue;
    parents.set(Number(parent), [...(parents.get(Number(parent)) ?? []), pid]);
    const variables = attempt(() => readFileSync(`/proc/${pid}/environ`, "utf8")) ?? "";
    if (variables.split("\0").includes(`HOME=${home}`)) all.push(pid);
  }
  for (const pid of all) all.push(...(parents.get(pid) ?? []).filter((child) => !all.includes(child)));
  return all;
}

function kindOf(pid: number): "runners" | "agents" | "other" {
  const line = attempt(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")) ?? "";
  if (line.includes("programs/runner.ts")) return "runners";
  return line.includes("programs/tildone.ts") ? "agents" : "other";
}

function signalOne(pid: number, name: NodeJS.Signals): void {
  attempt(() => process.kill(pid, name));
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
