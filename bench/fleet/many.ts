import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fleetGit } from "../../src/fleet/files/index.ts";
import { stopsAfterEachItem } from "../../test/e2e/pi/models.ts";
import type { Machine } from "../../test/fleet/fleet-world.ts";
import { measure, median, p95 } from "../harness.ts";
import { pause, residentMemory } from "../process-usage.ts";
import { BUILT, type BuiltWorld, databaseOf, lagsOf, openBuiltWorld } from "./built-world.ts";
import { traffic } from "./database-load.ts";
import type { Part } from "./part.ts";

const ITEMS = 3;

/** Many runs on a few workers, beside the same runs by `tildone run` alone, without any database. */
export const many: Part = async ({ runs: count, workers, slots }) => {
  await using world = await openBuiltWorld();
  world.model.play(stopsAfterEachItem(ITEMS));
  const atOnce = workers * slots;
  const crowd = Math.min(count, 2 * atOnce);
  const before = await floors(world, crowd, atOnce);

  const machines = Array.from({ length: workers }, (_, index) => world.workBuilt(`w${index}`, { slots }));
  await world.started(machines);
  const quiet = await traffic(world.postgres, databaseOf(world));
  const seen = watch(world, machines);
  const began = performance.now();
  const runs = await Promise.all(Array.from({ length: count }, () => world.submit()));
  for (const run of runs) await world.ended(run);
  const took = performance.now() - began;
  seen.stop();
  const busy = await traffic(world.postgres, databaseOf(world));
  await world.until("all branches", () => branches(world) === count);
  const problems = (await Promise.all(runs.map((run) => world.judge(run, ITEMS)))).flat();
  if (problems.length > 0) throw new Error(problems.join("\n"));

  for (const machine of machines) machine.signal("SIGKILL");
  const after = await floors(world, crowd, atOnce);
  const alone = (before.alone + after.alone) / 2;
  const together = ((before.together + after.together) / 2) * (count / crowd);

  const lags = await lagsOf(world);
  const [size] = await world.query<{ bytes: string; events: number }>(
    `SELECT sum(pg_total_relation_size(oid)) AS bytes, (SELECT count(*)::int FROM tildone.events) AS events
     FROM pg_class WHERE relkind = 'r' AND relnamespace::regnamespace::text LIKE 'tildone%'`,
  );
  const seconds = took / 1000;
  const results = await measure(
    [
      {
        name: `${count} runs on ${workers} workers`,
        run: () => seconds,
        floor: () => together / 1000,
        target: { atMost: 2.5 },
        repeat: 1,
        unit: "s",
      },
      {
        name: `the same, beside one alone x ${count} / ${atOnce}`,
        run: () => seconds,
        floor: () => (alone * count) / atOnce / 1000,
        target: { atMost: (2.5 * atOnce) / Math.min(atOnce, cpus().length) },
        repeat: 1,
        unit: "s",
      },
    ],
    0,
  );
  const per = (value: number) => (value / count).toFixed(0);
  return {
    results,
    says: [
      `${count} of ${count} as they should be: every step once, every branch pushed`,
      `the floor of the first row: ${crowd} of \`tildone run\`, ${atOnce} at a time; of the second: one alone takes ${(alone / 1000).toFixed(1)} s; both before and after it`,
      `${per(busy.transactions - quiet.transactions)} transactions a run, ${((busy.transactions - quiet.transactions) / seconds).toFixed(0)} a second; at most ${seen.connections()} connections (${workers} workers, ${atOnce} slots)`,
      `lag p50 ${median(lags).toFixed(0)} ms, p95 ${p95(lags).toFixed(0)} ms; ${per(size!.events)} events and ${per(Number(size!.bytes) / 1000)} kB of tables a run; a runner has up to ${seen.memory.runner.toFixed(0)} MiB, its agent ${seen.memory.agent.toFixed(0)}`,
    ],
  };
};

/** Milliseconds of one run alone, and of a crowd. */
async function floors(world: BuiltWorld, crowd: number, atOnce: number) {
  const alone = (await plainRuns(world, 3, 1)) / 3;
  return { alone, together: await plainRuns(world, crowd, atOnce) };
}

/** Milliseconds for so many, some at a time: a clone, an agent, a pushed branch. */
async function plainRuns(world: BuiltWorld, count: number, atOnce: number): Promise<number> {
  const began = performance.now();
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await plainRun(world, `plain-${crypto.randomUUID()}`);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return performance.now() - began;
}

async function plainRun(world: BuiltWorld, name: string): Promise<void> {
  const home = join(world.root, name);
  const work = join(home, "work");
  mkdirSync(home);
  await git("clone", "-q", world.remote, work);
  const [node, tildone] = BUILT.tildone;
  const child = spawn(
    node!,
    [
      tildone!,
      "run",
      "make the files",
      "--base-url",
      `${world.model.url}/v1`,
      "--model",
      "scripted",
      "--approval",
      "yolo",
    ],
    {
      cwd: work,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        TILDONE_HOME: join(home, "tildone"),
        PI_CODING_AGENT_DIR: join(home, "pi"),
        PI_OFFLINE: "1",
        TILDONE_API_KEY: "key",
      },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const code = await new Promise<number | null>((done) => child.on("close", done));
  if (code !== 0) throw new Error(`tildone run ended with ${code}: ${said}`);
  await git("-C", work, "add", "-A");
  await git("-C", work, "commit", "-qm", "made");
  await git("-C", work, "push", "-q", "origin", `HEAD:refs/heads/plain/${name}`);
}

/** The model answers from this process: nothing may block it. */
async function git(...args: readonly string[]): Promise<void> {
  const answer = await plainGit(args);
  if (answer.status === "failed") throw new Error(answer.problem);
}
const plainGit = fleetGit(process.env);

const branches = (world: BuiltWorld): number =>
  world.git(world.remote, "for-each-ref", "refs/heads/tildone/").split("\n").filter(Boolean).length;

/** The most connections, and the largest process of each kind, twice a second. */
function watch(world: BuiltWorld, machines: readonly Machine[]) {
  let connections = 0;
  const memory = { runner: 0, agent: 0 };
  let isOver = false;
  const look = async (): Promise<void> => {
    connections = Math.max(connections, (await traffic(world.postgres, databaseOf(world))).connections.length);
    for (const pid of machines.flatMap((machine) => machine.pids())) {
      const kind = kindOf(pid);
      if (kind) memory[kind] = Math.max(memory[kind], residentMemory(pid));
    }
  };
  void (async () => {
    for (; !isOver; await pause(500)) await look().catch(() => {}); // a process may end while it is looked at
  })();
  return {
    connections: () => connections,
    memory,
    stop: () => {
      isOver = true;
    },
  };
}

function kindOf(pid: number): "runner" | "agent" | undefined {
  const [program, script, command] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  if (program !== process.execPath) return undefined;
  if (script === BUILT.runner[1]) return "runner";
  return script === BUILT.tildone[1] && command === "run" ? "agent" : undefined;
}
