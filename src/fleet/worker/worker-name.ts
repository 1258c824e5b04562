import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../ledger/index.ts";
import { lockWorker } from "./worker-lock.ts";
import { WorkerError } from "./worker-options.ts";

/** The name that this folder keeps. */
export function keptName(state: string): string {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const file = join(state, "worker-id");
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  const machine = hostname()
    .split(".")[0]!
    .slice(0, 30)
    .replace(/[^A-Za-z0-9-]/g, "-");
  const made = `${machine || "worker"}-${randomUUID().slice(0, 6)}`;
  writeFileSync(file, made, { mode: 0o600 });
  return made;
}

/** On this machine; gives what lets go of it. */
export function holdHere(state: string, id: string): () => void {
  const lock = lockWorker(state, id);
  if ("heldBy" in lock) throw new WorkerError(takenBy(id, `process ${lock.heldBy}`));
  return lock.release;
}

/** In the whole fleet: a worker of that name on another machine would take the runs of this one. It is held by a connection. */
export async function holdInFleet(database: Database, id: string) {
  const client = await database.connect();
  for (let tries = 0; ; tries++) {
    const { rows } = await client.query<{ got: boolean }>("SELECT pg_try_advisory_lock(hashtext($1)) AS got", [
      `${database.schema} worker ${id}`,
    ]);
    if (rows[0]?.got) return client;
    if (tries === 10) {
      await client.end();
      throw new WorkerError(takenBy(id, "another machine"));
    }
    await sleep(300); // the one before may just have died
  }
}

const takenBy = (id: string, where: string): string =>
  `A worker named ${id} is already running (${where}). Stop it, or start this one with another --id and --state.`;
