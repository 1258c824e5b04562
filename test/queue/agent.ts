// A small agent in a process of its own: node agent.js <database> <transcript> <where to die>. What the agent has seen stands
// in the transcript, one line each; it dies as if killed, without a last word.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { DEFAULTS } from "../../src/core/continuation/index.ts";
import { createEngine, type Host } from "../../src/engine/index.ts";
import { createMessageQueue } from "../../src/scheduler/index.ts";
import { openStore } from "../../src/store/index.ts";

const [database, transcript, death] = process.argv.slice(2) as [string, string, string];
const die = (where: string) => {
  if (where === death) process.kill(process.pid, "SIGKILL");
};
const seen = existsSync(transcript) ? readFileSync(transcript, "utf8").split("\n").slice(0, -1) : [];

const host: Host = {
  name: "small",
  capabilities: {
    boundary: "edge",
    holds: { countdownMs: 0, waitMs: 0 },
    resident: true,
    startsTurns: true,
    renews: "never",
    brake: { at: "answer", ends: true },
    sees: {
      abort: true,
      failure: true,
      typing: false,
      background: false,
      usage: false,
      mode: false,
      question: false,
      calls: false,
    },
  },
  async deliver(_session, words) {
    die("before delivery");
    for (const [index, { id }] of words.entries()) {
      appendFileSync(transcript, `${id}\n`);
      if (index === 0) die("in the middle of delivery");
    }
    die("delivered, not acknowledged");
    setImmediate(() => void turn("human"));
  },
  async nudge() {
    setImmediate(() => void turn("nudge"));
  },
  show: () => {},
  endTurn: () => {},
};

const store = await openStore({ path: database });
const engine = createEngine({
  store,
  host,
  clock: {
    now: () => Date.now(),
    setTimer: (at, fire) => {
      const timer = setTimeout(fire, Math.max(0, at - Date.now()));
      return { cancel: () => clearTimeout(timer) };
    },
  },
  cwd: "/repo",
  driver: `process ${process.pid}`,
  newRunId: () => "run",
  context: () => ({ limits: { ...DEFAULTS, countdownMs: 0 } }),
  birth: () => ({ budget: {}, checks: [], requirements: [] }),
});
engine.watch((_session, run) => {
  if (run.status === "ended") process.exit(0);
});

if (store.runs.get("run")) engine.open("s", { goOn: true, delivered: seen });
else await firstLife();

async function firstLife(): Promise<void> {
  await engine.tell("s", {
    type: "todos.write",
    write: { mode: "replace", todos: [{ text: "the work" }] },
    by: "model",
  });
  await engine.tell("s", { type: "turn.started", turn: "first", cause: "human" });
  const ids = ["w1", "w2", "w3", "w4"];
  const queue = createMessageQueue(engine, "s", () => ids.shift()!);
  await queue.add("one");
  await queue.add("after everything", "follow-up");
  await queue.add("two");
  await queue.add("three");
  die("queued");
  await engine.settle("s", { type: "turn.ended", turn: "first", outcome: "completed" });
}

/** A turn of the agent: it does what is open and ends. */
async function turn(cause: "human" | "nudge"): Promise<void> {
  die("acknowledged");
  const id = crypto.randomUUID();
  await engine.tell("s", { type: "turn.started", turn: id, cause });
  const todo = engine.run("s")!.plan.todos[0]!;
  if (todo.status !== "completed")
    await engine.tell("s", { type: "todos.edit", edit: { action: "complete", indices: [0] }, by: "model" });
  die("in the last turn");
  await engine.settle("s", { type: "turn.ended", turn: id, outcome: "completed" });
}
