import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { measure } from "../harness.ts";
import { cpuShare, pause, residentMemory } from "../process-usage.ts";
import { type BuiltWorld, databaseOf, openBuiltWorld } from "./built-world.ts";
import { traffic } from "./database-load.ts";
import type { Part } from "./part.ts";

/** A pool closes what it did not need for 10 s. */
const SETTLE_MS = 15_000;
const WATCH_MS = 20_000;

/** A worker without anything to do, beside a process that only runs DBOS with the same queue. */
export const idle: Part = async () => {
  await using world = await openBuiltWorld();
  const plain = await watched(world, [join(import.meta.dirname, "plain-dbos.mjs")]);
  const worker = await watched(world, [resolve("bin/tildone.js"), "worker", "--json", "--allow", "*", "--slots", "2"]);
  const row = (name: string, of: (each: Idle) => number, atMost: number, unit: "tx/s" | "conn" | "MiB" | "%") => ({
    ...{ name, run: () => of(worker), floor: () => of(plain), target: { atMost }, repeat: 1, unit },
  });
  return {
    results: await measure(
      [
        row("transactions", ({ transactions }) => transactions, 1.5, "tx/s"),
        row("connections", ({ connections }) => connections, 3, "conn"),
        row("memory", ({ memory }) => memory, 1.5, "MiB"),
        row("processor", ({ cpu }) => cpu, 3, "%"),
      ],
      0,
    ),
    says: [
      `over ${WATCH_MS / 1000} s; the database is busy with it for ${worker.activeMs.toFixed(1)} ms a second (plain DBOS: ${plain.activeMs.toFixed(1)})`,
    ],
  };
};

interface Idle {
  readonly transactions: number;
  readonly activeMs: number;
  readonly connections: number;
  readonly memory: number;
  readonly cpu: number;
}

async function watched(world: BuiltWorld, args: readonly string[]): Promise<Idle> {
  const others = new Set((await traffic(world.postgres, databaseOf(world))).connections);
  const child = spawn(process.execPath, args, {
    env: {
      PATH: process.env.PATH,
      HOME: world.root,
      TILDONE_HOME: join(world.root, "tildone"),
      TILDONE_DATABASE_URL: world.url,
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    await started(child);
    await pause(SETTLE_MS);
    const before = await traffic(world.postgres, databaseOf(world));
    const began = performance.now();
    const cpu = await cpuShare(child.pid!, WATCH_MS);
    const after = await traffic(world.postgres, databaseOf(world));
    const seconds = (performance.now() - began) / 1000;
    return {
      transactions: (after.transactions - before.transactions) / seconds,
      activeMs: (after.activeMs - before.activeMs) / seconds,
      connections: after.connections.filter((pid) => !others.has(pid)).length,
      memory: residentMemory(child.pid!),
      cpu: cpu * 100,
    };
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}

/** It says so in its first line. */
async function started(child: ChildProcess): Promise<void> {
  const early = once(child, "exit").then(([code]) => {
    throw new Error(`it ended with ${String(code)} before it started`);
  });
  await Promise.race([once(child.stdout!, "data"), early]);
  early.catch(() => {});
}
