import { Worker } from "node:worker_threads";
import type { Verdict } from "./kept.ts";
import type { Mutant } from "./mutate.ts";
import type { Answer, Question, Task, Tried } from "./worker.ts";

/** A mistake may make a loop endless: so long beyond what all tests take without one. */
const HANGS_MS = 20_000;
/** Test files are loaded anew for each mistake, and Node keeps what it loaded. */
const RUNS_PER_WORKER = 300;

export type Sources = Task["sources"];

/** Runs every test file without any mistake: none may fail. The fast ones come first. */
export async function tryOut(sources: Sources, files: readonly string[]): Promise<Tried> {
  const worker = start(sources, undefined);
  const answer = await ask(worker, { type: "try", files }, undefined);
  await worker.terminate();
  if (answer?.type !== "tried") throw new Error("the tests did not come to an end");
  const { loading, tries } = answer.tried;
  return { loading, tries: tries.toSorted((a, b) => a.ms - b.ms) };
}

/** Runs the tests with each mistake, in so many workers, until one fails. */
export async function judge(
  sources: Sources,
  mutants: readonly Mutant[],
  { tries, loading }: Tried,
  workers: number,
  judged: (mutant: Mutant, verdict: Verdict) => void,
): Promise<void> {
  const queue = [...mutants];
  const hangs = HANGS_MS + 3 * tries.reduce((sum, { ms }) => sum + ms, 0);
  await Promise.all(Array.from({ length: workers }, work));

  async function work(): Promise<void> {
    let worker: Worker | undefined;
    let runs = 0;
    const stop = async () => {
      await worker?.terminate();
      worker = undefined;
      runs = 0;
    };
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const isLoading = loading.has(mutant.id);
      // While modules load everything may meet it.
      const files = tries.filter(({ reached }) => isLoading || reached.includes(mutant.id)).map(({ file }) => file);
      if (isLoading || runs++ >= RUNS_PER_WORKER) await stop();
      worker ??= start(sources, isLoading ? mutant.id : undefined);
      const answer = await ask(worker, { type: "run", mutant: mutant.id, files }, hangs);
      judged(mutant, verdictOf(answer));
      if (!answer || isLoading) await stop();
    }
    await stop();
  }
}

function verdictOf(answer: Answer | undefined): Verdict {
  if (answer?.type !== "ran") return { status: "killed", by: "it never ends" };
  return answer.killedBy === undefined ? { status: "survived" } : { status: "killed", by: answer.killedBy };
}

function start(sources: Sources, active: number | undefined): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), {
    workerData: { sources, active } satisfies Task,
    resourceLimits: { maxOldGenerationSizeMb: 700 }, // a mistake may make a list endless
  });
}

/** Undefined: it hangs, or died of it. */
function ask(worker: Worker, question: Question, hangs: number | undefined): Promise<Answer | undefined> {
  return new Promise((answered) => {
    const late = hangs === undefined ? undefined : setTimeout(() => done(undefined), hangs);
    const lost = () => done(undefined);
    const done = (answer: Answer | undefined) => {
      clearTimeout(late);
      worker.off("message", done).off("error", lost).off("exit", lost);
      answered(answer);
    };
    worker.on("message", done).on("error", lost).on("exit", lost);
    worker.postMessage(question);
  });
}
