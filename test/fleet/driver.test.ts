import { expect, test } from "vitest";
import { countedTokens, type RunEvent, versionOf } from "../../src/core/run/index.ts";
import { openRun } from "../../src/engine/index.ts";
import { FilesError } from "../../src/fleet/files/index.ts";
import { type Claimed, memoryLedger, type Row } from "../../src/fleet/index.ts";
import { openConversation } from "../../src/fleet/runner/conversation.ts";
import { createDriver, type DriverParts } from "../../src/fleet/runner/driver.ts";
import { LOG_VERSION } from "../../src/fleet/runner/log-version.ts";
import { lostTurns } from "../../src/fleet/runner/lost-spend.ts";
import type { ChildEnd } from "../../src/fleet/runner/why.ts";
import { simulatedFolder, simulatedLog } from "./sim/local-log.ts";

const CWD = "/work";

/** One run that was claimed, on a machine without disks. Its agent is what a test makes of it. */
async function driven(
  files: Partial<DriverParts["files"]> = {},
  before: (claim: Claim) => Promise<void> = async () => {},
) {
  const ledger = memoryLedger(() => 0);
  await ledger.submit({
    ...{ run: "r", goal: "g", repo: "https://e.example/a.git", checks: [], queue: "runs", needs: [], priority: 1 },
    ...{ budget: {}, pr: false, by: "a test" },
  });
  const claim = async (): Promise<Claimed> => {
    const answer = await ledger.claim("r", "w1", LOG_VERSION);
    if (answer.status !== "claimed") throw new Error(answer.status);
    return answer.claimed;
  };
  await before({ claim, ledger });
  const claimed = await claim();
  const local = simulatedLog("r", CWD, { rows: claimed.rows, card: claimed.run.card });
  const ended = Promise.withResolvers<ChildEnd>();
  const began = Promise.withResolvers<void>();
  const drain = new AbortController();
  const driver = createDriver({
    ...{ ledger, claimed, local, lost: await lostTurns(ledger, claimed) },
    files: {
      takeOver: async () => true,
      checkpoint: async () => ({ commit: "c", withheld: [] }),
      result: async () => "c",
      stop: () => {},
      discard: () => {},
      ...files,
    },
    conversation: openConversation(simulatedFolder(), CWD, undefined),
    startAgent: () => {
      began.resolve();
      return { ended: ended.promise, kill: () => ended.resolve({ code: null, said: "" }) };
    },
    papers: async () => ({}),
    tell: () => {},
    drain: drain.signal,
    leaseMs: 5_000,
    now: () => 0,
    wait: async () => {},
  });
  const work = driver.work();
  await began.promise;
  const write = (event: RunEvent, isFirst = false): void =>
    void local.store.log.transact("r", local.last(), () => ({
      append: [{ at: 0, by: "engine", v: versionOf(event.type), event }],
      ...(isFirst && { card: CARD, bind: CARD }),
      value: undefined,
    }));
  return {
    ledger,
    driver,
    drain,
    work,
    begin: () => write(BEGAN, true),
    stop: () => {
      write({ type: "decision.made", boundary: "b", decision: { type: "stop", rule: "held", reason: "held" } });
      ended.resolve({ code: 0, said: "" });
    },
    spent: () => countedTokens(openRun(local.store.log, "r").run.ledger.spent),
  };
}
interface Claim {
  readonly claim: () => Promise<Claimed>;
  readonly ledger: ReturnType<typeof memoryLedger>;
}

const ORIGIN = { host: "own", session: "s", cwd: CWD };
const BEGAN: RunEvent = {
  ...{ type: "run.began", run: "r", origin: ORIGIN, budget: {}, checks: [], requirements: [], seesCalls: true },
};
const CARD = { run: "r", ...ORIGIN, live: true, began: 0, updated: 0, summary: null };
const refusal = () => new FilesError("fenced", "Another worker has this run by now.");

test.each([
  ["it is ours: an older claim pushed late, and it is pushed again", true, "parked"],
  ["another worker has the run: it ends as fenced, and not as died", false, "fenced"],
])("a push at the end is refused, and %s", async (_what, isOurs, ending) => {
  let pushes = 0;
  const { work, begin, stop } = await driven({
    takeOver: async () => isOurs,
    checkpoint: async () => {
      if (++pushes === 1) throw refusal();
      return { commit: "c", withheld: [] };
    },
  });
  begin();
  stop();
  expect(await work).toMatchObject({ type: ending });
});

test("a push at a barrier is refused because another worker has the run: nothing leaves, and it ends as fenced", async () => {
  const { work, begin, driver } = await driven({
    takeOver: async () => false,
    checkpoint: async () => {
      throw refusal();
    },
  });
  begin();
  await expect(driver.atBarrier()).rejects.toThrow("Another worker has this run");
  expect(await work).toEqual({ type: "fenced" });
});

/** Its first turn used 70 tokens and was lost before any checkpoint: the new log begins with nothing. */
const lostFirstTurn = async ({ claim, ledger }: Claim): Promise<void> => {
  const { lease } = await claim();
  const usage = { input: 50, output: 20, cacheRead: 0, cacheWrite: 0, cost: 0 };
  const events: readonly RunEvent[] = [
    BEGAN,
    { type: "turn.started", turn: "t", cause: "nudge" },
    { type: "answer.seen", turn: "t", usage },
  ];
  const rows: readonly Row[] = events.map((event, index) => ({
    ...{ seq: index + 1, at: 0, by: "engine", v: versionOf(event.type), event: JSON.stringify(event) },
  }));
  await ledger.append(lease, { from: 0, rows, card: CARD, applied: [] });
};

test.each<readonly [string, (run: Awaited<ReturnType<typeof driven>>) => unknown]>([
  ["before anything leaves", ({ driver }) => driver.atBarrier()],
  ["as soon as there is a log", ({ driver }) => driver.look()],
  ["also where its agent stops at once", ({ stop, work }) => Promise.all([stop(), work])],
])("what a lost first turn used counts, %s", async (_when, act) => {
  const run = await driven({}, lostFirstTurn);
  run.begin();
  expect(run.spent()).toBe(0);
  await act(run);
  expect(run.spent()).toBe(70);
  run.stop();
  expect(await run.work).toMatchObject({ type: "parked" });
  expect(run.spent(), "once").toBe(70);
});
