import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Trigger } from "../../src/core/react/index.ts";
import { fold, isUnread, type NewEvent, readRow } from "../../src/core/run/index.ts";
import { cardOf, createReader, type Drivers, type Reader, rowOf } from "../../src/engine/index.ts";
import { FleetError, type Lease, type Ledger, openMirror, type Row, tellFleet } from "../../src/fleet/index.ts";
import { openStore } from "../../src/store/index.ts";
import { aSubmission, ledgerKinds } from "./ledgers.ts";

const GOLDEN = join(import.meta.dirname, "../golden/0.1.0");
const STORIES = readdirSync(GOLDEN)
  .filter((file) => file.endsWith(".jsonl"))
  .map((file) => basename(file, ".jsonl"));
const NOW = 5_000_000;
const NOBODY = { of: () => [] } as unknown as Drivers;

/** The rows of a story, renamed: together the stories hold every event there is. */
function rowsOf(story: string, run: string): readonly Row[] {
  const text = readFileSync(join(GOLDEN, `${story}.jsonl`), "utf8").replaceAll('"run-1"', `"${run}"`);
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const { seq, at, by, v, event } = JSON.parse(line) as Row & { event: unknown };
      return { seq, at, by, v, event: JSON.stringify(event) };
    });
}

const cardAfter = (rows: readonly Row[]) => {
  const read = rows.map((row) => readRow({ ...row, event: JSON.parse(row.event) }));
  return cardOf(fold(read.flatMap((row) => (isUnread(row) ? [] : [row]))), rows.at(-1)?.at ?? 0);
};

async function told(reader: Reader, run: string) {
  const entries: unknown[] = [];
  for await (const entry of reader.entries(run)) entries.push(entry);
  const read = await reader.read(run);
  return {
    // Elsewhere the folder of its worker means nothing: the repository stands in its place.
    status: read && { ...read.view, cwd: undefined },
    why: read?.run,
    card: read && { ...read.card, cwd: undefined },
    seen: read?.seen,
    log: entries,
    report: await reader.report(run),
  };
}

async function claimed(ledger: Ledger, run: string, driver = "w1"): Promise<Lease> {
  const answer = await ledger.claim(run, driver, 1_000);
  if (answer.status !== "claimed") throw new Error(answer.status);
  return answer.claimed.lease;
}

const beat = (ledger: Ledger, id = "w1") =>
  ledger.beat({ id, version: "1", labels: [], queues: [], slots: 1, busy: 1, draining: false });

const kinds = ledgerKinds();
afterAll(() => kinds.PostgreSQL.close(), 120_000);

describe.each(Object.entries(kinds))("the fleet's runs read from %s", (_kind, { open }) => {
  const mirrorOf = (ledger: Ledger) =>
    openMirror(
      ledger,
      () => NOW,
      () => ({}),
    );

  test("status, why, log and report are those of SQLite, for every event there is, half-way and at the end", async () => {
    const ledger = await open();
    const folder = mkdtempSync(join(tmpdir(), "tildone-mirror-"));
    const store = await openStore({ path: join(folder, "runs.db") });
    const local = createReader(
      store,
      NOBODY,
      () => NOW,
      () => ({}),
    );
    try {
      const mirror = mirrorOf(ledger);
      await beat(ledger);
      for (const [index, story] of STORIES.entries()) {
        const run = `run-${index + 1}`;
        const rows = rowsOf(story, run);
        await ledger.submit(aSubmission(run));
        const lease = await claimed(ledger, run);
        const half = Math.floor(rows.length / 2);
        for (const [from, to] of [
          [0, half],
          [half, rows.length],
        ] as const) {
          const part = rows.slice(from, to);
          const card = cardAfter(rows.slice(0, to));
          const append = part.map(({ seq: _, event, ...row }) => ({ ...row, event: JSON.parse(event) })) as NewEvent[];
          store.log.transact(run, from, () => ({ append, value: 0, card, bind: card }));
          expect(await ledger.append(lease, { from, rows: part, card, applied: [] })).toEqual({ status: "written" });
          expect(await told(mirror.reader, run), `${story} up to ${to}`).toEqual(await told(local, run));
        }
      }
      const names = (cards: readonly { run: string }[]) => cards.map(({ run }) => run);
      expect(names(await mirror.reader.cards())).toEqual(names(await local.cards()));
    } finally {
      store.close();
      rmSync(folder, { recursive: true, force: true });
      await ledger.close();
    }
  });

  test("a run that another worker took over is read anew, and lost events are gone", async () => {
    const ledger = await open();
    const { reader } = mirrorOf(ledger);
    const rows = rowsOf(STORIES[0]!, "r");
    await ledger.submit(aSubmission("r"));
    const first = await claimed(ledger, "r");
    const [kept, lost] = [rows.slice(0, 4), rows.slice(4, 8)];
    const card = cardAfter(kept);
    await ledger.barrier(first, { from: 0, rows: kept, card, applied: [], survived: true, mark: { seq: 4, bytes: 0 } });
    await ledger.append(first, { from: 4, rows: lost, card: cardAfter(rows.slice(0, 8)), applied: [] });
    expect((await told(reader, "r")).log.length).toBe(8);
    const second = await claimed(ledger, "r", "w2");
    expect((await told(reader, "r")).log.length).toBe(4);
    expect((await reader.read("r"))?.card).toEqual({ ...card, cwd: "https://example.test/repo.git" });
    const other = [{ ...rows[4]!, event: JSON.stringify({ type: "human.held", now: false }) }];
    await ledger.append(second, { from: 4, rows: other, applied: [] });
    const { log, why } = await told(reader, "r");
    expect([log.length, why?.ledger.held]).toEqual([5, true]);
    await ledger.close();
  });

  test("a run that was cancelled or given up is over: nothing waits, and its report says so", async () => {
    const ledger = await open();
    const { reader } = mirrorOf(ledger);
    const story = STORIES.findLast((each) =>
      rowsOf(each, "r").some(({ event }) => event.includes("approval.requested")),
    )!;
    const all = rowsOf(story, "r");
    const rows = all.slice(0, all.findIndex(({ event }) => event.includes("approval.requested")) + 1);
    await beat(ledger);
    for (const run of ["r", "begun", "queued"]) await ledger.submit(aSubmission(run));
    const lease = await claimed(ledger, "r");
    await ledger.append(lease, { from: 0, rows, card: cardAfter(rows), applied: [] });
    expect((await reader.read("r"))?.view.asks.length).toBe(1);
    for (const run of ["r", "queued"]) await ledger.cancel(run, "you@desk");
    for (let claims = 0; claims < 3; claims++) await claimed(ledger, "begun");
    expect((await ledger.claim("begun", "w1", 1_000)).status).toBe("poisoned");
    for (const [run, word, says] of [
      ["r", "cancelled", "Cancelled by you@desk."],
      ["queued", "cancelled", "Cancelled by you@desk."],
      ["begun", "given up", "3 workers died on it without reaching a checkpoint."],
    ]) {
      const read = (await reader.read(run!))!;
      expect([read.card.live, read.view.status, read.view.state.word, read.view.state.says, read.view.asks]).toEqual([
        ...[false, "ended", word, says, []],
      ]);
    }
    const { submittedAt } = (await ledger.get("queued"))!;
    expect((await reader.read("queued"))?.view.began).toBe(submittedAt);
    expect(await reader.report("queued")).toMatchObject({ run: "queued", goal: "Make it work", began: submittedAt });
    expect((await reader.report("r"))?.verdict).toEqual({ reason: "cancelled", says: "Cancelled by you@desk." });
    const cards = await reader.cards();
    expect(cards.map((card) => [card.live, (card.summary as { held: boolean }).held])).toEqual([
      [false, false],
      [false, false],
      [false, false],
    ]);
    await ledger.close();
  });

  test("what waits for a worker, or stopped before its log could say why, says so", async () => {
    const ledger = await open();
    const { reader } = mirrorOf(ledger);
    for (const run of ["queued", "starting", "away", "parked", "held"]) await ledger.submit(aSubmission(run));
    await claimed(ledger, "starting");
    await ledger.waits(
      await claimed(ledger, "away"),
      "Waiting for the repository: https://x.example/a.git cannot be reached.",
    );
    await ledger.park(await claimed(ledger, "parked"), "prepare failed (exit 1): no such tool");
    const lease = await claimed(ledger, "held");
    const rows = rowsOf(STORIES[0]!, "held").slice(0, 4);
    const held = [...rows, { ...rows[3]!, seq: 5, event: JSON.stringify({ type: "human.held", now: false }) }];
    await ledger.barrier(lease, {
      ...{ from: 0, rows: held, card: cardAfter(held), applied: [], mark: { seq: 5, bytes: 0 } },
      survived: true,
    });
    await ledger.park(lease, "held");
    const stands = async (run: string) => {
      const { view, card } = (await reader.read(run))!;
      return [view.state.word, view.state.actsNext, rowOf(card, [], NOW, 1e12).group, rowOf(card, [], NOW, 1e12).label];
    };
    expect(await stands("queued")).toEqual(["queued", "nobody", "running", "queued"]);
    expect(await stands("starting")).toEqual(["starting", "nobody", "running", "starting"]);
    expect(await stands("away")).toEqual(["waiting", "nobody", "running", "waiting"]);
    expect((await reader.read("away"))?.view.decision?.says).toBe(
      "Waiting for the repository: https://x.example/a.git cannot be reached.",
    );
    expect(await stands("parked")).toEqual(["stopped", "you", "needs_you", "stopped"]);
    expect(await stands("held")).toEqual(["held", "you", "needs_you", "on hold"]);
    expect((await reader.read("parked"))?.view.state.says).toBe(
      'Prepare failed (exit 1): no such tool. Fix that, then: `tildone say --run parked "continue"`. Or end it: `tildone cancel parked`.',
    );
    await ledger.say({ run: "held", trigger: '{"type":"human.unhold"}', from: "null" });
    expect((await stands("held"))[0], "it was woken, and no worker has it yet").toBe("queued");
    await ledger.close();
  });

  test("a run whose worker fell silent is shown as cut off; one that is queued is not", async () => {
    const ledger = await open();
    const { reader } = mirrorOf(ledger);
    const rows = rowsOf(STORIES[0]!, "r").slice(0, 6);
    await ledger.submit(aSubmission("r"));
    expect((await reader.read("r"))?.seen.isGone).toBe(false);
    const lease = await claimed(ledger, "r", "w9");
    await ledger.append(lease, { from: 0, rows, card: cardAfter(rows), applied: [] });
    expect((await reader.read("r"))?.seen.isGone, "no beat was ever heard").toBe(true);
    expect((await reader.read("r"))?.view.state).toMatchObject({
      ...{ word: "cut off", actsNext: "nobody" },
      says: "Its worker is not heard of. Another worker continues from the last checkpoint.",
    });
    await beat(ledger, "w9");
    expect((await reader.read("r"))?.seen.isGone).toBe(false);
    await ledger.close();
  });

  test("a run without a log has its goal, its state and a view", async () => {
    const ledger = await open();
    const { reader } = mirrorOf(ledger);
    await ledger.submit(aSubmission("r", { goal: "Fix the parser" }));
    const [card] = await reader.cards();
    expect([card?.run, card?.live, card?.cwd]).toEqual(["r", true, "https://example.test/repo.git"]);
    const { run, view } = (await reader.read("r"))!;
    expect([run.goal, view.count.text]).toEqual(["Fix the parser", "0/0 done"]);
    expect(await reader.read("nobody")).toBeUndefined();
    await ledger.close();
  });

  test("what was read stays readable while the database is away; what never was says why", async () => {
    const ledger = await open();
    const rows = rowsOf(STORIES[0]!, "r").slice(0, 6);
    for (const run of ["r", "queued", "unread"]) await ledger.submit(aSubmission(run));
    for (const run of ["r", "unread"])
      await ledger.append(await claimed(ledger, run), { from: 0, rows, card: cardAfter(rows), applied: [] });
    let isAway = false;
    const { reader } = mirrorOf(
      new Proxy(ledger, {
        get: (of, name) =>
          isAway ? () => Promise.reject(new FleetError("unreachable")) : Reflect.get(of, name, of).bind(of),
      }),
    );
    await reader.cards();
    const before = [await told(reader, "r"), await told(reader, "queued")];
    isAway = true;
    expect([await told(reader, "r"), await told(reader, "queued")]).toEqual(before);
    await expect(reader.read("unread")).rejects.toThrow("cannot be reached");
    await ledger.close();
  });

  test("positions name what moved, and miss neither a takeover nor a run that was removed", async () => {
    const ledger = await open();
    let now = NOW;
    const { positions } = openMirror(
      ledger,
      () => now,
      () => ({}),
    );
    const rows = rowsOf(STORIES[0]!, "r").slice(0, 4);
    await ledger.submit(aSubmission("r"));
    await ledger.submit(aSubmission("other"));
    const first = await positions();
    expect([...first.keys()].sort()).toEqual(["other", "r"]);
    expect(await positions()).toEqual(first);
    const lease = await claimed(ledger, "r");
    await ledger.append(lease, { from: 0, rows, card: cardAfter(rows), applied: [] });
    const second = await positions();
    expect([second.get("r") === first.get("r"), second.get("other") === first.get("other")]).toEqual([false, true]);
    await claimed(ledger, "r", "w2");
    const third = await positions();
    expect(third.get("r")).not.toBe(second.get("r"));
    await ledger.cancel("other", "you");
    await ledger.remove(["other"]);
    now += 60_000;
    expect([...(await positions()).keys()]).toEqual(["r"]);
    await ledger.close();
  });

  test("an answer names exactly the call that you saw, so that it holds for no other", async () => {
    const ledger = await open();
    const { copy } = mirrorOf(ledger);
    const [began] = rowsOf(STORIES[0]!, "r");
    const approval = { call: "c1", digest: "d".repeat(64), tool: "bash", what: "x", because: "", askedAt: 2 };
    const asks = { ...began!, seq: 2, event: JSON.stringify({ type: "approval.requested", approval }) };
    await ledger.submit(aSubmission("r"));
    const lease = await claimed(ledger, "r");
    await ledger.append(lease, { from: 0, rows: [began!, asks], card: cardAfter([began!, asks]), applied: [] });
    const answer: Trigger = { type: "human.answer", outcome: "once", words: "" };
    const told = await tellFleet({ ledger, copy, run: "r", now: NOW, wake: async () => {} }, answer);
    expect(told.status).toBe("done");
    const [word] = await ledger.words("r");
    expect(JSON.parse(word!.trigger)).toEqual({ ...answer, call: approval.digest });
    await ledger.close();
  });

  test("words are answered at once, reach the inbox, and wake a run that waits", async () => {
    const ledger = await open();
    const { copy } = mirrorOf(ledger);
    const woken: string[] = [];
    const wake = async (run: string, generation: number) => void woken.push(`${run}.${generation}`);
    const tell = (trigger: Trigger, run = "r") => tellFleet({ ledger, copy, run, now: NOW, wake }, trigger);
    const hold: Trigger = { type: "human.hold", now: false };
    const unhold: Trigger = { type: "human.unhold" };
    const rows = rowsOf(STORIES[0]!, "r").slice(0, 3);
    expect((await tell(hold)).status).toBe("refused");
    await ledger.submit(aSubmission("r"));
    expect((await tell({ type: "words.queue", words: { id: "w", text: "x", kind: "steer" } })).status).toBe(
      "unchanged",
    );
    const lease = await claimed(ledger, "r");
    await ledger.barrier(lease, {
      from: 0,
      rows,
      card: cardAfter(rows),
      applied: [],
      survived: true,
      mark: { seq: 3, bytes: 0 },
    });
    expect((await tell(unhold)).status, "nothing is held").toBe("unchanged");
    expect((await tell(hold)).status).toBe("done");
    expect((await tell(hold)).status, "the hold is still on its way").toBe("unchanged");
    expect((await tell(unhold)).status, "and can be taken back").toBe("done");
    expect((await ledger.words("r")).map(({ trigger }) => (JSON.parse(trigger) as Trigger).type)).toEqual([
      "words.queue",
      "human.hold",
      "human.unhold",
    ]);
    const waiting = await ledger.words("r");
    await ledger.append(lease, { from: 3, rows: [], applied: waiting.map(({ id }) => ({ id, seq: 3 })) });
    expect(await ledger.park(lease, "held")).toEqual({ status: "written" });
    expect(woken).toEqual([]);
    expect((await tell(hold)).status).toBe("done");
    expect(woken).toEqual(["r.2"]);
    await ledger.cancel("r", "you");
    expect(await tell(hold)).toMatchObject({ status: "refused", code: "run_over" });
    await ledger.close();
  });
});
