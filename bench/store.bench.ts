import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Change, Log, RunCard } from "../src/engine/index.ts";
import { openStore } from "../src/store/index.ts";
import type { Bench, Row } from "./harness.ts";

const PER_CALL = 50;

export default async function (bench: Bench): Promise<readonly Row[]> {
  const store = await openStore({ path: join(bench.folder, "runs.db") });
  const bare = bareDatabase(join(bench.folder, "bare.db"));
  bench.defer(() => store.close());
  bench.defer(() => bare.close());

  const event = { type: "activity.seen", turn: "t12", call: "c".repeat(64), state: "s".repeat(64) } as const;
  const insert = bare.prepare("INSERT INTO events (event) VALUES (?)");
  const floor = () => times(PER_CALL, () => insert.run(JSON.stringify(event)));
  const alone = appender(store.log, "alone");
  const carded = appender(store.log, "carded");

  return [
    {
      name: "append one event durably",
      run: () => times(PER_CALL, () => alone({ append: [{ at: 1, by: "engine", v: 1, event }], value: 0 })),
      floor,
      target: { atLeast: 0.7 },
    },
    {
      name: "append one event and the run's card",
      run: () =>
        times(PER_CALL, () => carded({ append: [{ at: 1, by: "engine", v: 1, event }], value: 0, card: CARD })),
      floor,
      target: { atLeast: 0.7 },
    },
  ];
}

/** Knows how far the log goes, as the process that drives a run does. */
function appender(log: Log, run: string): (change: Change<unknown>) => void {
  let last = log.last(run);
  return (change) => {
    last = log.transact(run, last, () => change).appended.at(-1)!.seq;
  };
}

const CARD: RunCard = {
  run: "carded",
  host: "pi",
  session: "0198c0de",
  cwd: "/home/me/project",
  live: true,
  began: 1_790_000_000_000,
  updated: 1_790_000_000_000,
  summary: { goal: "make the tests pass", done: 3, total: 9, state: "continue", held: false },
};

function bareDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  database.exec("CREATE TABLE events (id INTEGER PRIMARY KEY, event TEXT NOT NULL)");
  return database;
}

/** The time of one of many. */
function times(count: number, work: () => unknown): number {
  const begun = performance.now();
  for (let index = 0; index < count; index++) work();
  return (performance.now() - begun) / count;
}
