import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openStore } from "../src/store/index.ts";
import type { Bench, Row } from "./harness.ts";

const PER_CALL = 50;

export default async function (bench: Bench): Promise<readonly Row[]> {
  const store = await openStore({ path: join(bench.folder, "runs.db") });
  const bare = bareDatabase(join(bench.folder, "bare.db"));
  bench.defer(() => store.close());
  bench.defer(() => bare.close());

  const event = { type: "activity.seen", turn: "t12", call: "c".repeat(64), state: "s".repeat(64) };
  const append = () =>
    store.log.transact("run", store.log.last("run"), () => ({
      append: [{ at: 1, by: "engine", v: 1, event }],
      value: 0,
    }));
  const insert = bare.prepare("INSERT INTO events (event) VALUES (?)");

  return [
    {
      name: "append one event durably",
      run: () => times(PER_CALL, append),
      floor: () => times(PER_CALL, () => insert.run(JSON.stringify(event))),
      target: { atLeast: 0.7 },
    },
  ];
}

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
