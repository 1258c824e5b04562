import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runsOfLedger } from "../../../src/cli/fleet/fleet-home.ts";
import type { Trigger } from "../../../src/core/react/index.ts";
import { cardOf } from "../../../src/engine/index.ts";
import { FleetError, type Lease, type Ledger, memoryLedger, type Row } from "../../../src/fleet/index.ts";
import type { Answered, Board, Change, InboxItem, RunPage, Saying } from "../../../src/serve/index.ts";
import type { History } from "../../../src/testing/index.ts";
import { aSubmission } from "../../fleet/ledgers.ts";
import { type AServer, aServer } from "./a-server.ts";
import { changes } from "./changes.ts";
import { aLife, anApproval, asking, digestFor, keep } from "./runs.ts";

const AWAY = new FleetError("unreachable", "ECONNREFUSED");
let ledger: Ledger;
let isAway = false;
let cancelled: string[];
let place: AServer;

beforeEach(async () => {
  ledger = memoryLedger();
  isAway = false;
  cancelled = [];
  await ledger.beat({ id: "w1", version: "1", labels: [], queues: ["runs"], slots: 2, busy: 1, draining: false });
  place = await aServer({
    fleet: () =>
      runsOfLedger(reached(ledger), Date.now, {
        wake: async () => {},
        cancel: (run) => {
          cancelled.push(run);
          return ledger.cancel(run, "you");
        },
      }),
  });
});
afterEach(() => place[Symbol.asyncDispose]());

/** A database that may be away. */
const reached = (inner: Ledger): Ledger =>
  new Proxy(inner, {
    get: (of, name) => {
      const method = Reflect.get(of, name) as (...given: unknown[]) => unknown;
      return (...given: unknown[]) => (isAway && name !== "close" ? Promise.reject(AWAY) : method(...given));
    },
  });

const json = async <T>(response: Response): Promise<T> => (await response.json()) as T;
const board = async () => json<Board>(await place.get("/api/board"));
const page = async (run: string) => json<RunPage>(await place.get(`/api/runs/${run}`));
let clicks = 0;
const tell = (run: string, saying: Saying, id = `click-${++clicks}-of-fleet`) =>
  place.post(`/api/runs/${run}/tell`, { id, saying });
const told = async (run: string, saying: Saying, id?: string) => json<Answered>(await tell(run, saying, id));

const rowsOf = (life: History, after = 0): readonly Row[] =>
  life.envelopes.slice(after).map(({ seq, at, by, v, event }) => ({ seq, at, by, v, event: JSON.stringify(event) }));

/** A worker has it and wrote what happened. */
async function driven(life: History): Promise<Lease> {
  const { id } = life.run;
  await ledger.submit(aSubmission(id, { goal: life.run.goal ?? "", repo: "https://example.com/team/app.git" }));
  const answer = await ledger.claim(id, "w1", 1_000);
  if (answer.status !== "claimed") throw new Error(answer.status);
  await ledger.append(answer.claimed.lease, {
    ...{ from: 0, rows: rowsOf(life), card: cardOf(life.run, Date.now()), applied: [] },
  });
  return answer.claimed.lease;
}

const triggers = async (run: string) =>
  (await ledger.words(run)).map(({ trigger }) => (JSON.parse(trigger) as Trigger).type);

const askingLife = (run: string): History => {
  const life = aLife({ run, goal: "Release it", cwd: "/var/worker/runs/x/work" }).writes("Tag", "Push").starts(0);
  return asking(life, anApproval("call-push", "git push", { shows: "command", editable: true }));
};

test("the board has runs of both, and what waits in each", async () => {
  keep(place.store, aLife({ run: "here-1", goal: "Work here" }).writes("one"));
  await driven(askingLife("fleet-1"));
  await ledger.submit(aSubmission("fleet-2", { goal: "Wait for a worker" }));
  await ledger.submit(aSubmission("here-1", { goal: "One of the fleet by the name of one here" }));
  const { rows, inbox, hasFleet, away } = await board();
  expect([hasFleet, away]).toEqual([true, undefined]);
  expect(rows.map(({ run, isOfFleet, cwd, goal }) => [run, isOfFleet ?? false, cwd, goal]).sort()).toEqual([
    ["fleet-1", true, "https://example.com/team/app.git", "Release it"],
    ["fleet-2", true, "https://example.test/repo.git", "Wait for a worker"],
    ["here-1", false, "/home/you/shop", "Work here"],
  ]);
  expect(inbox.map(({ run, id }) => [run, id])).toEqual([["fleet-1", digestFor("call-push")]]);
});

test("a run of the fleet is told whole, also before a worker began it", async () => {
  await driven(askingLife("fleet-1"));
  await ledger.submit(aSubmission("fleet-2", { goal: "Wait for a worker" }));
  const begun = await page("fleet-1");
  expect([begun.todos.length, begun.inbox.length, begun.row.isOfFleet]).toEqual([2, 1, true]);
  const queued = await page("fleet-2");
  expect([queued.goal, queued.todos.length, queued.row.label]).toEqual(["Wait for a worker", 0, "queued"]);
  expect((await json<{ text: string }>(await place.get("/api/runs/fleet-1/report"))).text).toContain("Release it");
});

describe("what you say reaches the inbox of the run", () => {
  const answer = ({ id = "" }: InboxItem): Saying => ({ type: "answer", ask: id, outcome: "once", words: "" });

  test("an approval, once, also when the click arrives twice", async () => {
    await driven(askingLife("fleet-1"));
    const [item] = (await board()).inbox;
    expect(await told("fleet-1", answer(item!), "the-same-click")).toMatchObject({ status: "done" });
    expect(await told("fleet-1", answer(item!), "the-same-click")).toMatchObject({ status: "done" });
    expect(await triggers("fleet-1")).toEqual(["human.answer"]);
    expect(await told("fleet-1", answer(item!))).toMatchObject({ status: "taken" });
    const [word] = await ledger.words("fleet-1");
    expect(JSON.parse(word!.from)).toMatchObject({ via: "page", request: "the-same-click" });
  });

  test("hold, message, todo and budget; todos are named by their id", async () => {
    const life = askingLife("fleet-1");
    await driven(life);
    const [first] = (await page("fleet-1")).todos;
    const sayings: readonly Saying[] = [
      { type: "hold", now: false },
      { type: "say", text: "use tabs", later: false },
      { type: "mark", todo: first!.id, as: "drop" },
      { type: "extend", budget: { tokens: 1000 } },
    ];
    for (const saying of sayings) expect(await told("fleet-1", saying), saying.type).toMatchObject({ status: "done" });
    expect(await triggers("fleet-1")).toEqual(["human.hold", "words.queue", "todos.human_edit", "human.extend"]);
    expect(await told("fleet-1", { type: "mark", todo: "gone", as: "drop" })).toMatchObject({ status: "refused" });
  });

  test("what needs files is refused with where they are", async () => {
    await driven(askingLife("fleet-1"));
    expect(await told("fleet-1", { type: "undo" })).toEqual({
      status: "refused",
      text: "fleet-1 is a run of the fleet, and its files are with its worker. Its result is the branch tildone/fleet-1.",
    });
    const diff = await place.get("/api/runs/fleet-1/diff/anything");
    expect([diff.status, (await json<{ message: string }>(diff)).message]).toEqual([
      409,
      expect.stringContaining("branch tildone/fleet-1"),
    ]);
  });

  test("cancel ends it for good; a run of this machine is only held", async () => {
    keep(place.store, aLife({ run: "here-1", goal: "Work here" }).writes("one"));
    await driven(askingLife("fleet-1"));
    expect(await told("fleet-1", { type: "cancel" })).toMatchObject({ status: "done" });
    expect([cancelled, (await ledger.get("fleet-1"))?.state]).toEqual([["fleet-1"], "cancelled"]);
    expect(await told("fleet-1", { type: "cancel" })).toMatchObject({ status: "unchanged" });
    expect(await told("here-1", { type: "cancel" })).toMatchObject({ status: "refused" });
  });
});

test("a change of a run of the fleet reaches an open page", async () => {
  const life = aLife({ run: "fleet-1", goal: "Move" }).writes("one", "two");
  const lease = await driven(life);
  const { last } = await board();
  const before = life.envelopes.length;
  life.starts(0).works().completes(0);
  await ledger.append(lease, {
    ...{ from: before, rows: rowsOf(life, before), card: cardOf(life.run, Date.now()), applied: [] },
  });
  const heard: Change[] = [];
  for await (const { change } of changes(place, last)) {
    heard.push(change);
    if (change.type === "run" && change.row.done === 1) break;
  }
  expect(heard.every((change) => change.type === "run" && change.row.run === "fleet-1")).toBe(true);
});

test("while the database is away the page says so, shows this machine's runs, and refuses nothing for good", async () => {
  keep(place.store, aLife({ run: "here-1", goal: "Work here" }).writes("one"));
  await driven(askingLife("fleet-1"));
  const { last } = await board();
  const heard = changes(place, last);
  isAway = true;
  expect((await heard.next()).value?.change).toEqual({ type: "fleet", away: AWAY.message });
  const during = await board();
  expect([during.away, during.rows.map(({ run }) => run).sort()]).toEqual([AWAY.message, ["fleet-1", "here-1"]]);
  expect(await told("here-1", { type: "hold", now: false })).toMatchObject({ status: "done" });
  expect((await heard.next()).value?.change).toMatchObject({ type: "run", row: { run: "here-1" } });
  const refused = await tell("fleet-1", { type: "hold", now: false }, "said-while-away");
  expect([refused.status, await refused.json()]).toEqual([503, { message: AWAY.message }]);
  isAway = false;
  expect((await heard.next()).value?.change).toEqual({ type: "fleet" });
  await heard.return(undefined);
  expect(await told("fleet-1", { type: "hold", now: false }, "said-while-away")).toMatchObject({ status: "done" });
  expect(place.failures).toEqual([]);
});
