import { afterAll, beforeAll, expect, test } from "vitest";
import { initFleet, type Ledger, openLedger, type Row } from "../../src/fleet/index.ts";
import { aSubmission } from "./ledgers.ts";
import { startPostgres, type TestPostgres } from "./postgres.ts";
import { openWitness, type Witness } from "./witness.ts";

let server: TestPostgres;
let witness: Witness;
let ledger: Ledger;
let name: string;
beforeAll(async () => {
  server = await startPostgres();
  const url = await server.database();
  name = new URL(url).pathname.slice(1);
  await initFleet({ url, ownTablesOnly: true });
  witness = await openWitness(server, url);
  ledger = await openLedger({ url });
}, 60_000);
afterAll(async () => {
  await ledger.close();
  await server.stop();
});

const row = (seq: number, type = "x"): Row => ({ seq, at: seq, by: "engine", v: 1, event: JSON.stringify({ type }) });

async function claimed(run: string, machine: string) {
  const answer = await ledger.claim(run, machine, 1);
  if (answer.status !== "claimed") throw new Error(answer.status);
  return answer.claimed.lease;
}

test("what workers may do is no violation, and claims are written down as they happen", async () => {
  const began = Date.now();
  await ledger.submit(aSubmission("r"));
  const first = await claimed("r", "m1");
  await ledger.barrier(first, { from: 0, rows: [row(1)], applied: [], mark: { seq: 1, bytes: 0 }, survived: true });
  await ledger.append(first, { from: 1, rows: [row(2, "nudge.intended")], applied: [] });
  const second = await claimed("r", "m2");
  expect(await witness.claimsWithoutProgress("r")).toBe(1);
  await ledger.append(second, { from: 1, rows: [row(2, "nudge.intended")], applied: [] });
  await ledger.cancel("r", "you");
  expect(await witness.violations("r")).toEqual([]);
  expect(await witness.nudges()).toEqual([
    { run: "r", epoch: 1, count: 1 },
    { run: "r", epoch: 2, count: 1 },
  ]);
  const changes = await witness.changes();
  expect(changes.map(({ run, epoch, machine }) => [run, epoch, machine])).toEqual([
    ["r", 1, "m1"],
    ["r", 2, "m2"],
    ["r", 3, undefined],
  ]);
  expect(changes.every(({ at }) => at >= began - 1_000 && at <= Date.now() + 1_000)).toBe(true);
});

/** What a fleet would write whose fences were broken, one mistake each. */
test.each([
  [
    "an event of an older claim",
    "INSERT INTO tildone.events VALUES ($, 3, 1, 0, 'engine', 1, '{}')",
    "claim 1 wrote event 3 after claim 2",
  ],
  [
    "a checkpoint that goes back",
    "UPDATE tildone.runs SET checkpoint_seq = 1 WHERE run = $",
    "its checkpoint went back from 2 to 1",
  ],
  [
    "an event behind the checkpoint is lost",
    "DELETE FROM tildone.events WHERE run = $ AND seq = 2",
    "event 2 was lost, and the checkpoint is at 2",
  ],
  [
    "an event behind the checkpoint is changed",
    "UPDATE tildone.events SET event = '{}' WHERE run = $ AND seq = 1",
    "event 1 was lost, and the checkpoint is at 2",
  ],
  ["an older claim comes back", "UPDATE tildone.runs SET epoch = 1 WHERE run = $", "claim 1 followed claim 2"],
  [
    "a run that was over is driven again",
    "UPDATE tildone.runs SET state = 'finished' WHERE run = $; UPDATE tildone.runs SET state = 'running' WHERE run = $",
    "it was finished, and became running",
  ],
])("%s is seen", async (what, statement, says) => {
  const run = what.replaceAll(/[^a-z]/g, "");
  await ledger.submit(aSubmission(run));
  await claimed(run, "m1");
  const lease = await claimed(run, "m2");
  await ledger.barrier(lease, {
    from: 0,
    rows: [row(1), row(2)],
    applied: [],
    mark: { seq: 2, bytes: 0 },
    survived: true,
  });
  expect(await witness.violations(run)).toEqual([]);
  await server.sql(statement.replaceAll("$", `'${run}'`), name);
  expect(await witness.violations(run)).toEqual([`${run}: ${says}`]);
});
