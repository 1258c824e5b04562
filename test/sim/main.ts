import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { commandOptions } from "../builders/command-options.ts";
import type { DiskKind } from "./disk.ts";
import { failureText, progressText, type Result, summaryText } from "./report.ts";
import { shrink } from "./shrink.ts";
import { type History, playActions, playSeed } from "./simulate.ts";
import type { Failed, Message, Task } from "./worker.ts";

/** A history takes milliseconds; one that takes this long has no end. */
const HANGS_MS = 60_000;

const HELP = `Plays the engine under random histories, crashes and second drivers.

  npm run sim -- --seeds 2000             so many histories (2000)
  npm run sim -- --seed 7                 one of them again
  npm run sim -- --replay history.json    one that was written down

  --from <n>              the first seed (1)
  --store memory|sqlite   where the log is kept (memory)
  --workers <n>           threads (2 at the most)
  --first                 stop at the first broken promise instead of looking for others
  --whole                 leave histories as long as they were
  --json                  the result for programs

It exits with 1 where a promise was broken.`;

const values = commandOptions({
  help: HELP,
  options: {
    seeds: { type: "string", default: "2000" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    replay: { type: "string" },
    store: { type: "string", default: "memory" },
    workers: { type: "string", default: String(Math.min(2, availableParallelism())) },
    json: { type: "boolean", default: false },
    first: { type: "boolean", default: false },
    whole: { type: "boolean", default: false },
  },
  whole: ["seeds", "from", "seed", "workers"],
  oneOf: { store: ["memory", "sqlite"] },
});

const store: DiskKind = values.store === "sqlite" ? "sqlite" : "memory";
const begun = performance.now();
const result = values.replay || values.seed ? await playOne() : await playMany();
console.log(
  values.json ? JSON.stringify(result) : [...result.failures.map(failureText), summaryText(result)].join("\n\n"),
);
process.exit(result.failures.length > 0 ? 1 : 0);

async function playOne(): Promise<Result> {
  const played = values.replay ? await replay(values.replay) : await playSeed(Number(values.seed), store);
  const failures = played.violation ? [{ seed: Number(values.seed ?? 0), history: await shrink(played, store) }] : [];
  return { store, seeds: 1, from: Number(values.seed ?? 0), ms: performance.now() - begun, workers: 1, failures };
}

function replay(path: string): Promise<History> {
  const { setup, actions } = JSON.parse(readFileSync(path, "utf8")) as History;
  return playActions(setup, actions, store);
}

/** Each worker takes every n-th seed, so that all of them have their share of long histories. */
async function playMany(): Promise<Result> {
  const [seeds, from, workers] = [Number(values.seeds), Number(values.from), Math.max(1, Number(values.workers))];
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
