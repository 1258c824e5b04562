import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DEFAULTS } from "../src/core/continuation/index.ts";
import { FOLD_VERSION } from "../src/core/run/index.ts";
import { type Log, openRun, record } from "../src/engine/index.ts";
import { openStore } from "../src/store/index.ts";
import type { Bench, Row } from "./harness.ts";
import { longRun, RUN, SESSION } from "./long-run.ts";

const LONG = 100_000;
const SHORT = 100;
/** A run that is nudged for as long as we measure. */
const LIMITS = { ...DEFAULTS, nudgedTurns: Number.POSITIVE_INFINITY };

export default async function (bench: Bench): Promise<readonly Row[]> {
  const long = await storeOf(bench, "long", LONG);
  const short = await storeOf(bench, "short", SHORT);
  const bare = new DatabaseSync(long.path);
  bench.defer(() => bare.close());
  const withoutSnapshots: Log = { ...long.store.log, loadSnapshot: () => undefined, saveSnapshot: () => {} };
  const rows = bare.prepare("SELECT seq, at, by, v, event FROM events WHERE run = ? ORDER BY seq");

  const decideOnce = await bench.bundled("decide-once");
  const empty = join(bench.folder, "empty.mjs");
  writeFileSync(empty, "");

  return [
    {
      name: "read and fold 100,000 events",
      run: () => {
        if (openRun(withoutSnapshots, RUN).seq < LONG) throw new Error("not all of it was read");
      },
      floor: () => rows.all(RUN).map(({ event }) => JSON.parse(event as string)),
      target: { atMost: 2 },
    },
    {
      name: "new process: open it and decide",
      run: () => node(decideOnce, long.path, ...SESSION),
      floor: () => node(empty),
      target: { atMost: 1.5 },
    },
    {
      name: "one more event: 100,000 to 100",
      run: long.oneMore,
      floor: short.oneMore,
      target: { atMost: 1.3 },
      repeat: 200,
    },
  ];
}

/** A run of that length in a database of its own, and the process that drives it. */
async function storeOf(bench: Bench, name: string, length: number) {
  const path = join(bench.folder, `${name}.db`);
  const store = await openStore({ path });
  bench.defer(() => store.close());
  const { events, run, card } = longRun(length);
  store.log.transact(RUN, 0, () => ({ append: events, value: 0, card, bind: card }));
  store.log.saveSnapshot(RUN, { seq: events.length, version: FOLD_VERSION, state: run });

  let known = openRun(store.log, RUN);
  let turn = 0;
  const oneMore = () => {
    turn++;
    const context = { now: card.updated + turn * 1000, limits: LIMITS, role: "driver" } as const;
    const end = { type: "turn.ended", turn: `more-${turn}`, workspace: `more-${turn}`, outcome: "completed" } as const;
    const { known: next, reaction } = record(store.log, RUN, known, end, context);
    if (reaction?.reply.type !== "decided") throw new Error("nothing was decided");
    known = next;
  };
  return { path, store, oneMore };
}

function node(script: string, ...given: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [script, ...given], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr || `${script} ended with ${status}`);
}
