import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type NewEvent, NO_USAGE } from "../../core/run/index.ts";
import { openRun } from "../../engine/index.ts";
import type { Row, Word } from "../ports.ts";
import { type LocalLog, openLocalLog } from "./local-log.ts";
import { createWords } from "./words.ts";

const began: Row = {
  ...{ seq: 1, at: 1, by: "engine", v: 1 },
  event: JSON.stringify({
    ...{ type: "run.began", run: "r1", origin: { host: "pi", session: "s", cwd: "/elsewhere" } },
    ...{ budget: {}, checks: [], requirements: [], seesCalls: true },
  }),
};
const card = { run: "r1", host: "pi", session: "s", cwd: "/elsewhere", live: true, began: 1, updated: 1, summary: {} };
const word = (id: number, trigger: unknown, from = '{"via":"terminal"}'): Word => ({
  ...{ id, run: "r1", from, at: 1, trigger: typeof trigger === "string" ? trigger : JSON.stringify(trigger) },
});
let folder: string;
let local: LocalLog;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "words-"));
  local = await openLocalLog(join(folder, "tildone.db"), "r1", "/here", { rows: [began], card });
});
afterEach(() => {
  local.close();
  rmSync(folder, { recursive: true, force: true });
});
const run = () => openRun(local.store.log, "r1").run;

test("each word is applied once, and says where it stands", () => {
  const words = createWords(local.store, "r1", () => 5);
  const hold = word(1, { type: "human.hold", now: false });
  expect(words.apply([hold])).toEqual([{ id: 1, seq: local.last() }]);
  expect(words.apply([hold])).toEqual([]);
  expect(run().ledger.held).toBe(true);
});

test("a hold counts also where its sender cannot be read", () => {
  const words = createWords(local.store, "r1", () => 5);
  expect(words.apply([word(1, { type: "human.hold", now: false }, "{}")])).toEqual([{ id: 1, seq: 2 }]);
  expect(run().ledger.held).toBe(true);
});

test("what cannot be read is refused, leaves nothing in the log, and keeps back no other", () => {
  const words = createWords(local.store, "r1", () => 5);
  const applied = words.apply([
    ...[word(1, "{no json"), word(2, { type: "words.queue", words: { id: 7 } }), word(3, { type: "no.such" })],
    word(4, { type: "human.hold", now: false }),
  ]);
  expect(applied.map(({ id, refused }) => [id, refused !== undefined])).toEqual([
    ...[
      [1, true],
      [2, true],
      [3, true],
      [4, false],
    ],
  ]);
  expect(local.store.log.read("r1", 0).unread).toEqual([]);
  expect(run().ledger.held).toBe(true);
});

test("what comes after the end of the run is refused, and not taken for done", () => {
  local.store.log.transact("r1", local.last(), () => ({
    append: [{ at: 4, by: "engine", v: 1, event: { type: "run.ended", reason: "all_done" } }],
    value: undefined,
  }));
  const words = createWords(local.store, "r1", () => 5);
  expect(words.apply([word(1, { type: "human.extend", budget: { tokens: 9 } })])).toEqual([
    { id: 1, seq: 2, refused: "the run had just ended" },
  ]);
});

const DIGEST = "63517616cb48ff5024af98d180f9c117f68ebd3a65ca45cfb950721b4b64e137";
const asks = (call: string, digest: string): NewEvent => ({
  ...{ at: 2, by: "engine", v: 1 },
  event: { type: "approval.requested", approval: { call, digest, tool: "bash", what: "x", because: "", askedAt: 2 } },
});
const happens = (...append: readonly NewEvent[]) =>
  local.store.log.transact("r1", local.last(), () => ({ append, value: undefined }));
const turnEnds: NewEvent = {
  ...{ at: 3, by: "host", v: 1 },
  event: {
    ...{ type: "turn.ended", turn: "t1", boundary: "b1", outcome: "completed", question: false, activeMs: 1 },
    ...{ usage: NO_USAGE, workspace: "unknown" },
  },
};

const REFUSED = { id: 1, seq: expect.any(Number), refused: "Nothing waits for approval in this run." };

test("an answer that was lost with its machine waits until the repeated turn asks for exactly the same", () => {
  const answer = word(1, { type: "human.answer", call: DIGEST, outcome: "once", words: "" });
  const words = createWords(local.store, "r1", () => 5, [answer]);
  expect(words.apply([answer]), "the turn did not come there yet").toEqual([]);
  happens(asks("c8", DIGEST.replace("6", "7")));
  expect(words.apply([answer]), "another call waits: it is yours to decide").toEqual([]);
  happens(asks("c9", DIGEST));
  expect(words.apply([answer])).toEqual([{ id: 1, seq: local.last() }]);
  expect(run().ledger.approvals.map(({ call }) => call)).toEqual(["c8"]);
});

test("an answer that was lost with its machine is refused once its turn ended without asking", () => {
  const answer = word(1, { type: "human.answer", call: DIGEST, outcome: "once", words: "" });
  const words = createWords(local.store, "r1", () => 5, [answer]);
  expect(words.apply([answer])).toEqual([]);
  happens(turnEnds);
  expect(words.apply([answer])).toEqual([REFUSED]);
});

test("an answer that was lost with its machine is refused once the agent is gone", () => {
  const answer = word(1, { type: "human.answer", call: DIGEST, outcome: "once", words: "" });
  const words = createWords(local.store, "r1", () => 5, [answer]);
  expect(words.applyAll([answer])).toEqual([REFUSED]);
});

test("an answer that comes too late for its call is refused at once", () => {
  const words = createWords(local.store, "r1", () => 5);
  const answer = word(1, { type: "human.answer", call: DIGEST, outcome: "once", words: "" });
  expect(words.apply([answer])).toEqual([REFUSED]);
});
