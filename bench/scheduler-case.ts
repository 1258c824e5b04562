// One case in a process of its own: node scheduler-case.js <case> <calls> <repeats> [<peers or database>]. Prints the best
// processor time in milliseconds; for "mean" the mean, for "kept" the bytes that stay on the heap per call.
import { loadPolicy } from "../src/core/call/index.ts";
import { DEFAULTS } from "../src/core/continuation/index.ts";
import { createEngine, type Store } from "../src/engine/index.ts";
import { createRunScheduler, type Scheduler, type Tool, toolBox } from "../src/scheduler/index.ts";
import { memoryStore, openStore } from "../src/store/index.ts";
import { createFakeHost, HOST_KINDS } from "../src/testing/index.ts";
import { type Batch, peer, pQueue } from "./scheduler-peer.ts";

const [name, calls, repeats, path = ""] = process.argv.slice(2);
const n = Number(calls);
const WARM_UP = 2;
const CASES: Readonly<Record<string, () => Promise<Batch>>> = {
  ours: async () => ours("read", memoryStore()),
  "ours on sqlite": async () => ours("read", await openStore({ path })),
  "ours asks": async () => ours("fetch", memoryStore()),
  "ours asks on sqlite": async () => ours("fetch", await openStore({ path })),
  "p-queue": () => pQueue(path),
  peer: () => peer(path, "allow"),
  "peer asks": () => peer(path, "ask_user"),
};

console.debug = () => {}; // the peer reports every policy check through it
if (name === "kept") console.log(await kept());
else if (name === "mean") console.log(await mean(await CASES.ours!()));
else console.log(await best(await CASES[name!]!()));
process.exit(0);

/** For growth: the best of many short batches would leave out the garbage that a long one must collect. */
async function mean(batch: Batch): Promise<number> {
  for (let round = 0; round < WARM_UP; round++) await timed(batch);
  let sum = 0;
  for (let round = 0; round < Number(repeats); round++) sum += await timed(batch);
  return sum / Number(repeats);
}

async function best(batch: Batch): Promise<number> {
  let ms = Number.POSITIVE_INFINITY;
  for (let round = 0; round < Number(repeats); round++) ms = Math.min(ms, await timed(batch));
  return ms;
}

/** Processor time, garbage collection included: what a busy machine does meanwhile does not count. */
async function timed(batch: Batch): Promise<number> {
  const ready = await batch(n);
  const before = process.cpuUsage();
  await ready.run();
  const { user, system } = process.cpuUsage(before);
  await ready.close();
  return (user + system) / 1_000;
}

async function ours(kind: Tool["kind"], store: Store): Promise<Batch> {
  let batches = 0;
  return async (count) => {
    const scheduler = await aScheduler(kind, store);
    let updates = 0;
    scheduler.observe((update) => {
      updates++;
      if (update.type === "call.entered" && update.call.status === "awaiting_approval")
        scheduler.approve(update.call.request.id);
    });
    batches++;
    const requests = Array.from({ length: count }, (_, index) => ({
      id: `${batches}.${index}`,
      tool: "noop",
      args: {},
    }));
    return {
      async run() {
        const results = await scheduler.schedule(requests, new AbortController().signal);
        const isWhole = updates >= 6 * count && results.every(({ status }) => status === "success");
        if (!isWhole) throw new Error("calls were lost");
      },
      close: () => scheduler.dispose(),
    };
  };
}

async function aScheduler(kind: Tool["kind"], store: Store): Promise<Scheduler> {
  const clock = {
    now: () => Date.now(),
    setTimer: (at: number, fire: () => void) => {
      const timer = setTimeout(fire, Math.max(0, at - Date.now()));
      return { cancel: () => clearTimeout(timer) };
    },
  };
  const engine = createEngine({
    store,
    host: createFakeHost({ ...HOST_KINDS.tools, resident: false }),
    clock,
    cwd: "/repo",
    driver: "bench",
    newRunId: () => crypto.randomUUID(),
    context: () => ({ limits: DEFAULTS }),
    birth: () => ({ budget: {}, checks: [], requirements: [] }),
  });
  const session = crypto.randomUUID();
  await engine.tell(session, {
    type: "todos.write",
    write: { mode: "replace", todos: [{ text: "measure" }] },
    by: "model",
  });
  const load = loadPolicy({ root: "/repo" });
  if (!load.ok) throw new Error("the policy is broken");
  const noop: Tool = { name: "noop", kind, claims: () => [], run: async () => "ok" };
  const scheduler = createRunScheduler(engine, session, {
    tools: toolBox([noop]),
    clock,
    policy: load.policy,
    canAsk: () => true,
  });
  return {
    ...scheduler,
    async dispose() {
      await scheduler.dispose();
      engine.dispose();
    },
  };
}

/** What is still on the heap after many calls and a dispose, beside the same without calls. */
async function kept(): Promise<number> {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined) throw new Error("run with --expose-gc");
  const batch = await ours("read", memoryStore());
  await timed(batch);
  gc();
  const before = process.memoryUsage().heapUsed;
  for (let round = 0; round < Number(repeats); round++) await timed(batch);
  gc();
  return Math.max(0, process.memoryUsage().heapUsed - before) / (n * Number(repeats));
}
