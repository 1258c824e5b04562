import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join, resolve } from "node:path";
import { commandOptions } from "../builders/command-options.ts";
import { createRandom } from "../sim/random.ts";
import { refusedByCompiler } from "./compile.ts";
import { isEquivalent } from "./equivalent.ts";
import { judge, tryOut } from "./judges.ts";
import { openKept } from "./kept.ts";
import { type Mutant, mutate } from "./mutate.ts";
import { lineOf, scoreOf, sentenceOf } from "./report.ts";

/** Less than this is a failure, in percent. */
const LEAST = 90;
const PROGRESS_MS = 15_000;

const HELP = `Plants small mistakes in the core, one at a time, and asks the tests.

  npm run mutants -- --sample 300   so many, drawn by chance that can be repeated
  npm run mutants -- --list         what there is

  --seed <n>      which ones of a sample (1)
  --file <name>   those of one file: rules.ts
  --only <n>      one of them, by its number in --list
  --fresh         judge everything anew instead of continuing where the last run was
  --workers <n>   so many at a time (one for each processor)
  --json          the result for programs

It exits with 1 where less than ${LEAST} % are noticed.`;

const root = resolve(import.meta.dirname, "../..");
const values = commandOptions({
  help: HELP,
  options: {
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    file: { type: "string" },
    only: { type: "string" },
    list: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    fresh: { type: "boolean", default: false },
    workers: { type: "string", default: String(availableParallelism()) },
  },
  whole: ["sample", "seed", "only", "workers"],
});

/** Tables and sentences: the generated docs print them, and the old logs show what a mistake in the forms would break. */
const DATA: ReadonlySet<string> = new Set(["event.ts", "form.ts", "index.ts", "limits.ts", "trigger.ts"]);
const MUTATED = globSync("src/core/{continuation,react,run}/**/*.ts", { cwd: root })
  .filter((file) => !file.endsWith(".test.ts") && !DATA.has(basename(file)))
  .toSorted();
const TESTS = [
  ...globSync("src/core/{continuation,react,run,words,proof,todo,report}/*.test.ts", { cwd: root }).toSorted(),
  ...globSync("src/engine/*.test.ts", { cwd: root }).toSorted(),
  "test/golden.test.ts",
  "test/tables/tables.test.ts",
  "test/mutants/simulated.ts",
];
/** What the tests rest on. */
const BESIDE = globSync("{src/{core,engine,testing},test/{sim,mutants,golden,tables}}/**/*.{ts,jsonl,txt}", {
  cwd: root,
})
  .filter((file) => !MUTATED.includes(file))
  .toSorted();

const sources = Object.fromEntries(MUTATED.map((file) => [file, readFileSync(join(root, file), "utf8")]));
const { texts, mutants } = plant();
const kept = openKept({
  path: join(root, "node_modules/.cache/tildone/mutants.jsonl"),
  sources,
  tests: BESIDE.map((file) => readFileSync(join(root, file), "utf8")),
  fresh: values.fresh,
});
if (values.list) console.log(mutants.map(lineOf).join("\n"));
else await judgeAndReport();

async function judgeAndReport(): Promise<void> {
  const chosen = choose();
  await judgeAll(chosen.filter((mutant) => !kept.get(mutant)));
  report(chosen);
}

function plant(): { readonly texts: Readonly<Record<string, string>>; readonly mutants: readonly Mutant[] } {
  const found: Mutant[] = [];
  const texts = MUTATED.map((file) => {
    const { text, mutants } = mutate(file, sources[file]!, found.length + 1);
    found.push(...mutants);
    return [join(root, file), text] as const;
  });
  return { texts: Object.fromEntries(texts), mutants: found };
}

/** What is asked for. Of a sample each one counts: those that the compiler refuses are drawn in addition. */
function choose(): readonly Mutant[] {
  const { file, only, sample, seed } = values;
  const all = mutants.filter((mutant) => !isEquivalent(mutant) && (file === undefined || mutant.file.endsWith(file)));
  const named = only === undefined ? all : all.filter(({ id }) => id === Number(only));
  const wanted = Math.min(sample === undefined ? named.length : Number(sample), named.length);
  const queue = sample === undefined ? [...named] : shuffled(named, Number(seed));
  const drawn: Mutant[] = [];
  const isCompiled = (mutant: Mutant) => kept.get(mutant)?.status !== "refused";
  while (drawn.filter(isCompiled).length < wanted && queue.length > 0) {
    const more = queue.splice(0, wanted - drawn.filter(isCompiled).length);
    const unknown = more.filter((mutant) => !kept.get(mutant));
    for (const mutant of refusedByCompiler(root, sources, unknown)) kept.keep(mutant, { status: "refused" });
    drawn.push(...more);
  }
  return drawn;
}

function shuffled(from: readonly Mutant[], seed: number): Mutant[] {
  const { next } = createRandom(seed);
  return from
    .map((mutant) => [next(), mutant] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, mutant]) => mutant);
}

async function judgeAll(todo: readonly Mutant[]): Promise<void> {
  if (todo.length === 0) return;
  const tried = await tryOut(
    texts,
    TESTS.map((file) => join(root, file)),
  );
  const failing = tried.tries.flatMap(({ failed }) => failed ?? []);
  if (failing.length > 0) {
    console.error(`These tests fail without any mistake:\n${failing.join("\n")}`);
    process.exit(2);
  }
  let done = 0;
  const tell = () => console.error(`${done} of ${todo.length} judged`);
  const progress = setInterval(tell, PROGRESS_MS);
  await judge(texts, todo, tried, Number(values.workers), (mutant, verdict) => {
    done++;
    kept.keep(mutant, verdict);
  });
  clearInterval(progress);
}

function report(chosen: readonly Mutant[]): void {
  const verdicts = chosen.map((mutant) => kept.get(mutant)).filter((verdict) => verdict !== undefined);
  const score = scoreOf(verdicts, mutants.filter(isEquivalent).length);
  const survivors = chosen.filter((mutant) => kept.get(mutant)?.status === "survived").toSorted((a, b) => a.id - b.id);
  const { sample, seed, file } = values;
  if (values.json) console.log(JSON.stringify({ sample, seed, file, ...score, survivors }, undefined, 2));
  else console.log([...survivors.map(lineOf), sentenceOf(score)].join("\n"));
  process.exitCode = score.score < LEAST ? 1 : 0;
}
