// npm run sim -- --seeds 2000 [--from 1] | --seed 7 | --replay history.json   [--store memory|sqlite] [--json] [--first] [--whole]
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import type { DiskKind } from "./disk.ts";
import { failureText, progressText, type Result, summaryText } from "./report.ts";
import { shrink } from "./shrink.ts";
import { type History, playActions, playSeed } from "./simulate.ts";
import type { Failed, Message, Task } from "./worker.ts";

/** A history takes milliseconds; one that takes this long has no end. */
const HANGS_MS = 60_000;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "2000" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    replay: { type: "string" },
    store: { type: "string", default: "memory" },
    workers: { type: "string", default: String(Math.min(2, availableParallelism())) },
    json: { type: "boolean", default: false },
    /** Stops at the first broken promise instead of looking for others. */
    first: { type: "boolean", default: false },
    /** Leaves histories as long as they were. */
    whole: { type: "boolean", default: false },
  },
});

const store = storeOf(values.store);
const begun = performance.now();
const result = values.replay || values.seed ? await playOne() : await playMany();
console.log(
  values.json ? JSON.stringify(result) : [...result.failures.map(failureText), summaryText(result)].join("\n\n"),
);
process.exit(result.failures.length > 0 ? 1 : 0);

async function playOne(): Promise<Result> {
  const played = values.replay ? await replay(values.replay) : await playSeed(whole("seed"), store);
  const failures = played.violation ? [{ seed: Number(values.seed ?? 0), history: await shrink(played, store) }] : [];
  return { store, seeds: 1, from: Number(values.seed ?? 0), ms: performance.now() - begun, workers: 1, failures };
}

function replay(path: string): Promise<History> {
  const { setup, actions } = JSON.parse(readFileSync(path, "utf8")) as History;
  return playActions(setup, actions, store);
}

/** Each worker takes every n-th seed, so that all of them have their share of long histories. */
async function playMany(): Promise<Result> {
  const [seeds, from, workers] = [whole("seeds"), whole("from"), Math.max(1, whole("workers"))];
  const failures: Failed[] = [];
  const played = new Array<number>(workers).fill(0);
  const progress = setInterval(
    () =>
      showProgress(
        played.reduce((a, b) => a + b, 0),
        seeds,
      ),
    5000,
  );
  const stop = new AbortController();
  await Promise.all(
    played.map((_, index) => {
      const at = new Int32Array(new SharedArrayBuffer(4));
      const task: Task = { from: from + index, to: from + seeds - 1, step: workers, store, at, whole: values.whole };
      return work(task, stop.signal, (message) => {
        if (message.type === "played") played[index] = message.count;
        else tellFailed(failures, message.failed);
        if (message.type === "failed" && values.first) stop.abort();
      });
    }),
  );
  clearInterval(progress);
  const kinds = Map.groupBy(failures, ({ history }) => history.violation?.invariant);
  const firsts = [...kinds.values()].map((same) => ({ ...same[0]!, others: same.slice(1).map(({ seed }) => seed) }));
  const count = played.reduce((a, b) => a + b, 0);
  return { store, seeds: count, from, ms: performance.now() - begun, workers, failures: firsts };
}

/** Said at once: a long run need not come to its end before it is looked at. */
function tellFailed(failures: Failed[], failed: Failed): void {
  failures.push(failed);
  if (!values.json) console.error(`seed ${failed.seed} broke ${failed.history.violation?.invariant}`);
}

function work(task: Task, signal: AbortSignal, tell: (message: Message) => void): Promise<void> {
  return new Promise((done, fail) => {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: task });
    worker.on("message", tell);
    worker.on("error", fail);
    worker.on("exit", () => done());
    signal.addEventListener("abort", () => void worker.terminate());
    const stuck = watchSeed(task.at, (seed) => {
      console.error(`seed ${seed} hangs: npm run sim -- --seed ${seed}`);
      process.exit(1);
    });
    worker.on("exit", () => clearInterval(stuck));
  });
}

function watchSeed(at: Task["at"], hangs: (seed: number) => void): NodeJS.Timeout {
  let seen = -1;
  return setInterval(() => {
    const seed = Atomics.load(at, 0);
    if (seed === seen) hangs(seed);
    seen = seed;
  }, HANGS_MS);
}

function showProgress(count: number, seeds: number): void {
  if (!values.json) console.error(progressText(count, seeds, performance.now() - begun));
}

function whole(name: "seeds" | "from" | "seed" | "workers"): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= 0) return number;
  return refuse(`--${name} takes a whole number, not "${values[name]}".`);
}

function storeOf(name: string): DiskKind {
  if (name === "memory" || name === "sqlite") return name;
  return refuse(`--store takes "memory" or "sqlite", not "${name}".`);
}

function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
