import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import type { Collected } from "./test-api.ts";

/** Modules with mistakes in them, and the mutant that is on from the beginning, if any. */
export interface Task {
  readonly sources: Readonly<Record<string, string>>;
  readonly active: number | undefined;
}

export type Question =
  | { readonly type: "try"; readonly files: readonly string[] }
  | { readonly type: "run"; readonly mutant: number; readonly files: readonly string[] };

export type Answer =
  | { readonly type: "tried"; readonly tried: Tried }
  | { readonly type: "ran"; readonly mutant: number; readonly killedBy?: string };

export interface Tried {
  /** Mistakes that take effect while the modules load: only a fresh process shows them. */
  readonly loading: ReadonlySet<number>;
  readonly tries: readonly Try[];
}

/** A test file without any mistake: how long it takes, and which mistakes it would meet. */
export interface Try {
  readonly file: string;
  readonly ms: number;
  readonly reached: readonly number[];
  readonly failed?: string;
}

const { sources, active: fromTheBeginning } = workerData as Task;
const api = new URL("./test-api.ts", import.meta.url).href;
let active = fromTheBeginning;
let reached = new Set<number>();
let runs = 0;
const LATE_MS = 20_000;

Object.assign(globalThis, {
  isMutant(id: number): boolean {
    reached.add(id);
    return id === active;
  },
});

registerHooks({
  resolve: (name, context, next) =>
    name === "vitest" && context.parentURL !== api ? { url: api, shortCircuit: true } : next(name, context),
  load(url, context, next) {
    const path = url.startsWith("file:") ? fileURLToPath(url) : "";
    const source = sources[path];
    if (source === undefined) return next(url, context);
    return { format: "module-typescript", source, shortCircuit: true };
  },
});

process.env.TILDONE_PROPERTIES = "1"; // a verdict is the same each time
const { collect } = (await import(api)) as typeof import("./test-api.ts");

parentPort?.on("message", async (question: Question) => {
  if (question.type === "try") {
    for (const path of Object.keys(sources)) await import(pathToFileURL(path).href);
    const loading = reached;
    const tries: Try[] = [];
    for (const file of question.files) tries.push(await tryOut(file));
    tell({ type: "tried", tried: { loading, tries } });
    return;
  }
  active = question.mutant;
  const killedBy = await firstFailure(question.files);
  active = fromTheBeginning;
  tell({ type: "ran", mutant: question.mutant, ...(killedBy !== undefined && { killedBy }) });
});

async function tryOut(file: string): Promise<Try> {
  reached = new Set();
  const begun = performance.now();
  const failed = await failureIn(file);
  return { file, ms: performance.now() - begun, reached: [...reached], ...(failed !== undefined && { failed }) };
}

async function firstFailure(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const failed = await failureIn(file);
    if (failed !== undefined) return failed;
  }
  return undefined;
}

/** The first test of the file that fails. Tables of situations are built while the file loads: it is loaded anew each time. */
async function failureIn(file: string): Promise<string | undefined> {
  const name = file.slice(file.lastIndexOf("/") + 1);
  collect();
  try {
    await import(`${pathToFileURL(file).href}?run=${++runs}`);
  } catch (error) {
    return `${name} while it loads: ${String(error).slice(0, 200)}`;
  }
  const { tests, end } = collect();
  const failed = await failing(tests);
  for (const hook of end) await hook();
  return failed === undefined ? undefined : `${name}: ${failed}`;
}

async function failing(tests: readonly Collected[]): Promise<string | undefined> {
  for (const { name, run } of tests) {
    try {
      await inTime(run());
    } catch (error) {
      return `${name} (${String(error).slice(0, 300)})`;
    }
  }
  return undefined;
}

/** A test that waits for what never comes has failed. */
function inTime(done: unknown): Promise<unknown> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("it waits for what never comes")), LATE_MS);
  return Promise.race([done, late.promise]).finally(() => clearTimeout(timer));
}

function tell(answer: Answer): void {
  parentPort?.postMessage(answer);
}

process.on("unhandledRejection", () => {}); // a mistake may leave a promise behind; the test that waits for it says so
