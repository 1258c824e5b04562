import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTildone, type Tildone } from "../../compose/index.ts";
import type { Trigger } from "../../core/react/index.ts";
import type { Run } from "../../core/run/index.ts";
import type { Host, Store } from "../../engine/index.ts";
import { memoryStore } from "../../store/index.ts";
import { createFakeClock, createFakeHost, type FakeClock, HOST_KINDS } from "../../testing/index.ts";
import { betweenProcesses, type LastTurn } from "./between-processes.ts";

const SESSION = "one";
const HOST = "claude-code";
let home: string;
let store: Store;
let clock: FakeClock;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "between-"));
  store = memoryStore();
  clock = createFakeClock(1_800_000_000_000);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function open(host: Host): Promise<Tildone> {
  const env = { HOME: home, TILDONE_HOME: join(home, "tildone") };
  const opened = await openTildone({ host, cwd: home, env, home, goal: "Mend it", driver: "d", clock, store });
  if (!opened.ok) throw new Error(opened.problems.join(" "));
  return opened.tildone;
}

/** The process of the host: its hooks tell this, and then it is gone. */
async function dies(...told: readonly Trigger[]): Promise<void> {
  const { engine, dispose } = await open({ ...createFakeHost(HOST_KINDS.hook), name: HOST });
  for (const trigger of [BORN, LIST, { type: "turn.started", turn: "1", cause: "human" } as const, ...told])
    await engine.tell(SESSION, trigger);
  dispose();
}
const BORN: Trigger = { type: "goal.set" };
const LIST: Trigger = { type: "todos.mirror", items: [{ text: "mend it" }], by: "model" };

const nextAfter = (last: LastTurn, { by = open, onWait = (_run: Run): void => {} } = {}) =>
  betweenProcesses(last, { session: SESSION, open: by, name: HOST, program: { adapter: "hook" }, onWait });

test("a compaction that the process began is not waited for", async () => {
  await dies({ type: "compaction.began" });
  const next = await nextAfter({ outcome: "failed", failure: { kind: "context_full", message: "Prompt is too long" } });
  expect(next).toMatchObject({ type: "over", run: { ledger: { decision: { type: "stop", reason: "context_full" } } } });
});

test("agents that worked in its background are not waited for", async () => {
  await dies({ type: "background.changed", agents: 1, awaited: 0 });
  expect(await nextAfter({ outcome: "completed" })).toMatchObject({ type: "prompt" });
});

describe("a host that is gone while one of its hooks still runs", () => {
  const LIMITED: LastTurn = {
    outcome: "failed",
    failure: { kind: "rate_limit", message: "Your quota is used up.", resetAt: 1_800_000_001_000 },
  };
  const hookTells = async (told: Trigger) => {
    const { engine, dispose } = await open({ ...createFakeHost(HOST_KINDS.hook), name: HOST });
    await engine.tell(SESSION, told);
    dispose();
  };

  test("its hook is first, while the supervisor looks at the files", async () => {
    await dies();
    const beaten = async (host: Host): Promise<Tildone> => {
      const tildone = await open(host);
      const tell: Tildone["engine"]["tell"] = async (session, trigger) => {
        if (trigger.type === "turn.ended") await hookTells({ type: "turn.ended", ...LIMITED });
        return tildone.engine.tell(session, trigger);
      };
      return { ...tildone, engine: { ...tildone.engine, tell } };
    };
    const { promise: isWaiting, resolve: onWait } = Promise.withResolvers<Run>();
    const next = nextAfter(LIMITED, { by: beaten, onWait });
    expect((await isWaiting).ledger.boundary).toMatchObject({ status: "waiting" });
    await clock.advance(60_000);
    expect(await Promise.race([next, "nobody wakes it"])).toMatchObject({ type: "prompt" });
  });

  test("its hook is last, and parks the wait of the supervisor", async () => {
    await dies();
    const { promise: isWaiting, resolve: onWait } = Promise.withResolvers<Run>();
    const next = nextAfter(LIMITED, { onWait });
    const { id } = (await isWaiting).ledger.boundary!;
    await hookTells({ type: "wait.parked", boundary: id, waker: "the next event of this session" });
    await clock.advance(60_000);
    expect(await Promise.race([next, "nobody wakes it"])).toMatchObject({ type: "prompt" });
  });
});
