// The engine over a store, in a host of your own
import {
  type Capabilities,
  type Checks,
  type Clock,
  cardOf,
  carriageOf,
  createEngine,
  DEFAULTS,
  type Engine,
  type EnginePorts,
  foldStored,
  type Host,
  memoryStore,
  type Notice,
  type Nudge,
  type Opened,
  openRun,
  openStore,
  openTildone,
  record,
  type Settled,
  type Store,
  StoreError,
  speak,
  type Tildone,
  type TildoneOptions,
  UNBORN,
  type Workspace,
} from "../../src/index.ts";

/** A host that stays, starts turns itself and sees everything. */
const capabilities: Capabilities = {
  boundary: "edge",
  holds: { countdownMs: 0, waitMs: 0 },
  resident: true,
  startsTurns: true,
  renews: "never",
  brake: { at: "none", ends: false },
  sees: {
    ...{ abort: true, failure: true, typing: true, background: true },
    ...{ usage: true, mode: true, question: true, calls: true },
  },
};

export const host: Host = {
  name: "example",
  capabilities,
  nudge: async (session: string, { text }: Nudge) => console.log(session, text),
  deliver: async (_session, words) => console.log(words.map(({ text }) => text)),
  show: (_session, notice: Notice) => console.log(notice.type),
  endTurn: (_session, { says }) => console.log(says),
};

const clock: Clock = {
  now: () => Date.now(),
  setTimer: (at, fire) => {
    const timer = setTimeout(fire, Math.max(0, at - Date.now()));
    return { cancel: () => clearTimeout(timer) };
  },
};
const workspace: Workspace = { observe: async () => "the fingerprint of the files" };
const checks: Checks = { run: async () => [], guard: async () => undefined };

/** Everything by hand, with a log in memory. */
export function byHand(store: Store = memoryStore()): Engine {
  const ports: EnginePorts = {
    ...{ store, host, clock, workspace, checks, cwd: process.cwd(), driver: "example" },
    newRunId: () => crypto.randomUUID(),
    context: () => ({ limits: DEFAULTS }),
    birth: (goal) => ({ ...(goal !== undefined && { goal }), budget: {}, checks: [], requirements: [] }),
  };
  return createEngine(ports);
}

/** Or put together as tildone does it: settings, the log on disk, checks and workflows. */
export async function asTildone(): Promise<Tildone> {
  const options: TildoneOptions = { host, cwd: process.cwd(), env: process.env };
  const opened: Opened = await openTildone(options);
  if (!opened.ok) throw new Error(opened.problems.join("\n"));
  return opened.tildone;
}

/** The agent stopped: the engine says what follows. */
export async function stopped(engine: Engine, session: string): Promise<string> {
  const settled: Settled = await engine.settle(session, { type: "turn.ended", turn: "t1", outcome: "completed" });
  if (settled.type === "nudge") return settled.nudge.text;
  if (settled.type === "words") return settled.words.map(({ text }) => text).join("\n");
  return settled.decision?.rule ?? "not decided yet";
}

/** Another process: reads the log, and speaks in your name to a run that is not its own. */
export async function fromOutside(path: string): Promise<void> {
  try {
    const store = await openStore({ path });
    for (const { run: id } of store.runs.list()) {
      const { run, seq } = openRun(store.log, id);
      console.log(cardOf(run, Date.now()), foldStored(UNBORN, store.log.read(id, 0).events) === run);
      speak(store.log, id, { type: "human.hold", now: false }, Date.now());
      record(store.log, id, { run, seq }, "look", { now: Date.now(), limits: DEFAULTS, role: "bystander" });
    }
    store.close();
  } catch (error) {
    if (error instanceof StoreError) console.error(error.message);
    else throw error;
  }
}

/** How a wait would end on that host. */
export const wait = carriageOf(capabilities, { kind: "countdown", forMs: 2_000, isHeld: false });
