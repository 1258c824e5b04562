import { expect, test } from "vitest";
import { memoryLedger } from "../ledger/index.ts";
import type { Ledger, Row, Submission } from "../ports.ts";
import { createProtocol } from "./protocol.ts";

const SUBMISSION: Submission = {
  ...{
    run: "r1run",
    goal: "g",
    repo: "/r",
    checks: [],
    queue: "runs",
    needs: [],
    priority: 1,
    budget: {},
    pr: false,
    by: "t",
  },
};
const BATCH = 3;
const row = (seq: number): Row => ({ seq, at: seq, by: "engine", v: 1, event: `{"type":"t${seq}"}` });

/** A driver with a local log of so many rows. */
async function driver(ledger: Ledger, name: string) {
  const answer = await ledger.claim("r1run", name, 1_000);
  if (answer.status !== "claimed") throw new Error(answer.status);
  const local = { rows: [...answer.claimed.rows] };
  const kept: string[] = [];
  const protocol = createProtocol({
    ledger,
    lease: answer.claimed.lease,
    from: answer.claimed.run.seq,
    local: { rowsAfter: (seq) => local.rows.filter((each) => each.seq > seq).slice(0, BATCH), card: () => undefined },
    keep: async () => {
      kept.push(`c${kept.length + 1}`);
      return { commit: kept.at(-1), length: 0 };
    },
    insist: (act) => act(),
  });
  return { protocol, local, kept, claimed: answer.claimed };
}

async function fleet() {
  const ledger = memoryLedger();
  await ledger.submit(SUBMISSION);
  return ledger;
}

test("what was appended counts only with a barrier; the next driver starts there", async () => {
  const ledger = await fleet();
  const one = await driver(ledger, "one");
  one.local.rows.push(row(1), row(2));
  expect(await one.protocol.barrier()).toBe("written");
  one.local.rows.push(row(3));
  expect(await one.protocol.append()).toBe("written");
  expect((await ledger.get("r1run"))?.seq).toBe(3);
  const two = await driver(ledger, "two");
  expect(two.claimed.rows.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(two.claimed.run.checkpoint?.commit).toBe("c1");
});

test("who was overtaken says nothing any more, and keeps no files either", async () => {
  const ledger = await fleet();
  const one = await driver(ledger, "one");
  await driver(ledger, "two");
  one.local.rows.push(row(1));
  expect(await one.protocol.append()).toBe("fenced");
  expect(await one.protocol.barrier()).toBe("fenced");
  expect(one.kept).toEqual([]);
  expect((await ledger.get("r1run"))?.seq).toBe(0);
});

test("a database that forgot what it confirmed is told again", async () => {
  const ledger = await fleet();
  let isForgetful = false;
  const forgetful: Ledger = {
    ...ledger,
    append: async (lease, news) => (isForgetful ? { status: "written" } : ledger.append(lease, news)),
  };
  const one = await driver(forgetful, "one");
  one.local.rows.push(row(1));
  await one.protocol.append();
  isForgetful = true;
  one.local.rows.push(row(2));
  await one.protocol.append(); // confirmed, and lost in a crash
  isForgetful = false;
  one.local.rows.push(row(3));
  expect(await one.protocol.barrier()).toBe("written");
  expect((await ledger.rows("r1run", 0, 10)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test("a word is marked with the rows it stands in, once", async () => {
  const ledger = await fleet();
  await ledger.say({ run: "r1run", trigger: '{"type":"human.hold"}', from: "{}" });
  const one = await driver(ledger, "one");
  one.local.rows.push(row(1), row(2));
  one.protocol.applies({ id: one.claimed.words[0]!.id, seq: 2 });
  await one.protocol.append();
  expect(await ledger.words("r1run")).toMatchObject([{ appliedSeq: 2 }]);
});

test("a barrier marks the whole log, also where it is told in parts", async () => {
  const ledger = await fleet();
  const one = await driver(ledger, "one");
  one.local.rows.push(...Array.from({ length: 2 * BATCH + 1 }, (_, index) => row(index + 1)));
  expect(await one.protocol.barrier()).toBe("written");
  expect((await ledger.get("r1run"))?.checkpoint).toMatchObject({ seq: 2 * BATCH + 1, commit: "c1" });
});

test("deaths count until a claim has come from one checkpoint to the next", async () => {
  const ledger = await fleet();
  const attempts = async () => (await ledger.get("r1run"))?.attempts;
  const one = await driver(ledger, "one");
  one.local.rows.push(row(1));
  await one.protocol.barrier();
  await one.protocol.barrier(); // nothing happened in between
  expect(await attempts()).toBe(1);
  one.local.rows.push(row(2));
  await one.protocol.barrier();
  expect(await attempts()).toBe(0);
});
