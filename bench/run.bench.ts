import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { DEFAULTS } from "../src/core/continuation/index.ts";
import { FOLD_VERSION, UNBORN } from "../src/core/run/index.ts";
import { foldStored, openRun, record } from "../src/engine/index.ts";
import { openStore } from "../src/store/index.ts";
import type { Bench, Row } from "./harness.ts";
import { longRun, RUN } from "./long-run.ts";

const LONG = 100_000;
const SHORT = 100;

export default async function (bench: Bench): Promise<readonly Row[]> {
  const long = await storeOf(bench, "long", LONG);
  const short = await storeOf(bench, "short", SHORT);
  const bare = new DatabaseSync(long.path);
  bench.defer(() => bare.close());
  const rows = bare.prepare("SELECT seq, at, by, v, event FROM events WHERE run = ? ORDER BY seq");

  const decider = join(bench.folder, "decide.mjs");
  writeFileSync(decider, DECIDER(pathToFileURL(bench.compiled()).href, long.path));
  const empty = join(bench.folder, "empty.mjs");
  writeFileSync(empty, "");

  return [
    {
      name: "read and fold 100,000 events",
      run: () => void foldStored(UNBORN, long.store.log.read(RUN, 0).events),
      floor: () => rows.all(RUN).map(({ event }) => JSON.parse(event as string)),
      target: { atMost: 2 },
    },
    {
      name: "new process: open it and decide",
      run: () => node(decider),
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
    const end = { type: "turn.ended", turn: `more-${++turn}`, outcome: "completed", text: "Done so far." } as const;
    const { known: next, reaction } = record(store.log, RUN, known, end, {
      now: card.updated + turn * 1000,
      limits: DEFAULTS,
      role: "driver",
    });
    if (reaction?.reply.type !== "decided") throw new Error("nothing was decided");
    known = next;
  };
  return { path, store, oneMore };
}

/** What a hook process does: open the log, find its run, tell it that the turn ended. */
const DECIDER = (dist: string, path: string): string => `
import { DEFAULTS } from "${dist}/core/continuation/index.js";
import { decide } from "${dist}/core/continuation/index.js";
import { openRun } from "${dist}/engine/index.js";
import { openStore } from "${dist}/store/index.js";
const store = await openStore({ path: ${JSON.stringify(path)} });
const card = store.runs.find("pi", "0198c0de");
const { run } = openRun(store.log, card.run);
process.stdout.write(decide(run, DEFAULTS, card.updated).type);
store.close();
`;

function node(script: string): void {
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}
