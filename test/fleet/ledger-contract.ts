import assert from "node:assert/strict";
import type { RunCard } from "../../src/engine/index.ts";
import type { Attempt, Barrier, Claimed, FleetState, Lease, Ledger, News, Row, Word } from "../../src/fleet/index.ts";
import { aSubmission } from "./ledgers.ts";

/** One promise of a ledger, and how it is checked on an empty one. */
export interface LedgerClause {
  readonly name: string;
  /** Throws when the promise is broken. */
  check(ledger: Ledger): Promise<void>;
}

const VERSION = 7;

/** What every ledger promises. An implementation is done when each clause passes. */
export const LEDGER_CONTRACT: readonly LedgerClause[] = [
  {
    name: "an unknown run is unknown to every question",
    async check(ledger) {
      const lease = { run: "r", epoch: 1 };
      assert.equal(await ledger.get("r"), undefined);
      assert.deepEqual(await ledger.list(), []);
      assert.deepEqual(await ledger.counts(0), []);
      assert.deepEqual(await ledger.rows("r", 0, 10), []);
      assert.deepEqual(await ledger.lostRows("r"), []);
      assert.deepEqual(await ledger.words("r"), []);
      assert.deepEqual(await ledger.claim("r", "w", VERSION), { status: "unknown" });
      assert.deepEqual(await ledger.say({ run: "r", trigger: "{}", from: "null" }), { status: "unknown" });
      assert.deepEqual(await ledger.append(lease, news(0, 1)), { status: "fenced" });
      assert.deepEqual(await ledger.barrier(lease, barrier(0, 1)), { status: "fenced" });
      assert.deepEqual(await ledger.finish(lease, { outcome: "all_done" }), { status: "fenced" });
      assert.deepEqual(await ledger.park(lease, "held"), { status: "fenced" });
      assert.deepEqual(await ledger.handBack(lease), { status: "fenced" });
      assert.equal(await ledger.holds(lease), false);
      assert.equal(await ledger.cancel("r", "you"), false);
      assert.deepEqual(await ledger.papers("r"), {});
    },
  },
  {
    name: "what is submitted reads back as it was, with everything that people write",
    async check(ledger) {
      const given = aSubmission("r", {
        goal: 'quotes " NUL \0 half \ud83d pair 🙂',
        ref: "main",
        checks: ["npm test", "a\0b"],
        prepare: "npm ci",
        plan: "- [ ] one\n",
        needs: ["gpu", "linux"],
        priority: 3,
        budget: { tokens: 10, cost: 0.5, minutes: 3 },
        host: "x",
        model: "m",
        by: "A \udc00 B",
      });
      await ledger.submit(given);
      const { submittedAt, updatedAt, ...run } = (await ledger.get("r"))!;
      assert.deepEqual(run, {
        ...given,
        state: "queued",
        epoch: 0,
        seq: 0,
        attempts: 0,
        generation: 1,
        eventVersion: 0,
      });
      assert.ok(submittedAt > 0 && updatedAt >= submittedAt);
    },
  },
  {
    name: "a submission that is said twice is one, and the first stays",
    async check(ledger) {
      await ledger.submit(aSubmission("r", { goal: "first" }));
      await claim(ledger, "r");
      await ledger.submit(aSubmission("r", { goal: "second" }));
      const run = await ledger.get("r");
      assert.deepEqual([run?.goal, run?.state, run?.epoch], ["first", "running", 1]);
    },
  },
  {
    name: "a name that could be a path or an option is refused",
    async check(ledger) {
      for (const run of ["", "../x", "-x", "a/b", "a b", "a.lock", "x".repeat(101)])
        await assert.rejects(ledger.submit(aSubmission(run)), /cannot be the name/);
    },
  },
  {
    name: "runs are listed by their last change, by state, up to a limit, and counted",
    async check(ledger) {
      for (const run of ["a", "b", "c"]) await ledger.submit(aSubmission(run));
      await later(ledger, "c");
      await claim(ledger, "a");
      const names = async (filter?: Parameters<Ledger["list"]>[0]) => (await ledger.list(filter)).map(({ run }) => run);
      assert.equal((await names())[0], "a");
      assert.deepEqual((await names()).toSorted(), ["a", "b", "c"]);
      assert.deepEqual(await names({ states: ["running"] }), ["a"]);
      assert.deepEqual(await names({ limit: 1 }), ["a"]);
      const { updatedAt } = (await ledger.get("a"))!;
      assert.deepEqual(await names({ changedAfter: updatedAt }), []);
      assert.deepEqual(await names({ changedAfter: updatedAt - 0.001 }), ["a"]);
      assert.deepEqual(await ledger.counts(0), [
        { state: "queued", count: 2 },
        { state: "running", count: 1 },
      ]);
    },
  },
  {
    name: "counts what is not over, and what became so lately",
    async check(ledger) {
      for (const run of ["a", "b", "c", "d"]) await ledger.submit(aSubmission(run));
      await ledger.cancel("a", "you");
      const { updatedAt } = (await ledger.get("a"))!;
      const open = { state: "queued", count: 3 };
      assert.deepEqual(await ledger.counts(updatedAt - 1), [{ state: "cancelled", count: 1 }, open]);
      assert.deepEqual(await ledger.counts(updatedAt), [open]);
    },
  },
  {
    name: "a claim gives what was submitted, and nothing else before anything happened",
    async check(ledger) {
      const claimed = await claimedNew(ledger);
      const { run, lease, conversation, ...rest } = claimed;
      assert.deepEqual(lease, { run: "r", epoch: 1 });
      assert.deepEqual([run.state, run.driver, run.attempts, run.eventVersion], ["running", "w1", 1, VERSION]);
      assert.equal(conversation.length, 0);
      assert.deepEqual(rest, { rows: [], words: [], lost: 0, lostSpend: { tokens: 0, cost: 0, minutes: 0 } });
      assert.equal(await ledger.holds(lease), true);
    },
  },
  {
    name: "events are kept as they were: NUL, halves of pairs, fractions of time",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      const texts = ['nul \0 in "text"', "high \ud83d alone", "low \ude00 alone", "🙂", "\\u0000", "é"];
      const rows = texts.map(
        (text, index): Row => ({
          ...row(index + 1),
          at: 1_790_000_000_123.5 + index,
          event: JSON.stringify({ type: "x", text }),
        }),
      );
      assert.deepEqual(await ledger.append(lease, { from: 0, rows, applied: [] }), { status: "written" });
      assert.deepEqual(await ledger.rows("r", 0, 100), rows);
    },
  },
  {
    name: "raw text that no database keeps is kept as the same JSON",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      const raw = `{"text":"\ud800 and \0"}`;
      await ledger.append(lease, { from: 0, rows: [{ ...row(1), event: raw }], applied: [] });
      const [kept] = await ledger.rows("r", 0, 1);
      assert.deepEqual(JSON.parse(kept!.event), { text: "\ud800 and \0" });
    },
  },
  {
    name: "rows are read after a position and up to a limit",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      await ledger.append(lease, news(0, 5));
      assert.deepEqual(seqs(await ledger.rows("r", 2, 2)), [3, 4]);
      assert.deepEqual(seqs(await ledger.rows("r", 5, 2)), []);
      assert.equal((await ledger.get("r"))?.seq, 5);
    },
  },
  {
    name: "a batch of 5,000 events and 4 MB of conversation is one write",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      const bytes = new Uint8Array(4_000_000).map((_, index) => index % 251);
      const all = { ...barrier(0, 5_000), mark: { seq: 5_000, bytes: bytes.length }, conversation: { at: 0, bytes } };
      assert.deepEqual(await ledger.barrier(lease, all), { status: "written" });
      const again = await claim(ledger, "r", "w2");
      assert.equal(again.rows.length, 5_000);
      assert.ok(Buffer.from(again.conversation).equals(Buffer.from(bytes)));
    },
  },
  {
    name: "an event of 2 MB is kept whole",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      const event = JSON.stringify({ type: "x", text: "é🙂\0".repeat(200_000) });
      await ledger.append(lease, { from: 0, rows: [{ ...row(1), event }], applied: [] });
      assert.equal((await ledger.rows("r", 0, 1))[0]?.event, event);
    },
  },
  {
    name: "what is said again because its answer was lost changes nothing",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      for (const _ of [1, 2]) assert.deepEqual(await ledger.append(lease, news(0, 3)), { status: "written" });
      const full = {
        ...barrier(3, 2),
        mark: { seq: 5, commit: "c1", bytes: 3 },
        conversation: { at: 0, bytes: bytesOf("abc") },
      };
      for (const _ of [1, 2]) assert.deepEqual(await ledger.barrier(lease, full), { status: "written" });
      assert.deepEqual(seqs(await ledger.rows("r", 0, 100)), [1, 2, 3, 4, 5]);
      const again = await claim(ledger, "r");
      assert.equal(Buffer.from(again.conversation).toString(), "abc");
      assert.deepEqual(again.run.checkpoint, { seq: 5, commit: "c1", bytes: 3 });
    },
  },
  {
    name: "a batch that grew while its answer was lost adds what is new",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      await ledger.append(lease, news(0, 2));
      assert.deepEqual(await ledger.append(lease, news(0, 4)), { status: "written" });
      assert.deepEqual(await ledger.append(lease, news(0, 1)), { status: "written" }, "an older one, late");
      assert.deepEqual(seqs(await ledger.rows("r", 0, 100)), [1, 2, 3, 4]);
      assert.equal((await ledger.get("r"))?.seq, 4);
    },
  },
  {
    name: "an older write that comes late takes back neither card nor checkpoint",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      await ledger.barrier(lease, { ...barrier(0, 2), card: card("old"), mark: { seq: 2, commit: "c1", bytes: 1 } });
      await ledger.barrier(lease, { ...barrier(2, 2), card: card("new"), mark: { seq: 4, commit: "c2", bytes: 2 } });
      await ledger.barrier(lease, { ...barrier(0, 2), card: card("old"), mark: { seq: 2, commit: "c1", bytes: 1 } });
      const run = await ledger.get("r");
      assert.deepEqual([run?.card, run?.checkpoint], [card("new"), { seq: 4, commit: "c2", bytes: 2 }]);
    },
  },
  {
    name: "rows with a gap, and a mark beyond them, are mistakes and write nothing",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      await assert.rejects(ledger.append(lease, news(3, 1)));
      await assert.rejects(ledger.append(lease, { from: 0, rows: [row(1), row(3)], applied: [] }));
      await assert.rejects(ledger.append(lease, { from: 0, rows: [row(2)], applied: [] }));
      await assert.rejects(ledger.barrier(lease, { ...barrier(0, 1), mark: { seq: 2, bytes: 0 } }));
      assert.deepEqual(await ledger.rows("r", 0, 10), []);
    },
  },
  {
    name: "a claim goes back to the checkpoint: log, card and conversation; what came after it is lost and kept aside",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      await ledger.append(lease, news(0, 1));
      await ledger.barrier(lease, {
        ...barrier(1, 2),
        card: card("at the mark"),
        mark: { seq: 3, commit: "c1", bytes: 4 },
        session: "s/\ud800.jsonl",
        conversation: { at: 0, bytes: bytesOf("abcd") },
      });
      await ledger.append(lease, { ...news(3, 2), card: card("after it") });
      assert.deepEqual((await ledger.get("r"))?.card, card("after it"));
      const { run, rows, lost, conversation, session } = await claim(ledger, "r", "w2");
      assert.deepEqual([seqs(rows), lost, run.seq, run.driver], [[1, 2, 3], 2, 3, "w2"]);
      assert.deepEqual([Buffer.from(conversation).toString(), session], ["abcd", "s/\ud800.jsonl"]);
      assert.deepEqual([run.card, run.checkpoint], [card("at the mark"), { seq: 3, commit: "c1", bytes: 4 }]);
      assert.deepEqual(
        (await ledger.lostRows("r")).map(({ seq, epoch }) => [seq, epoch]),
        [
          [4, 1],
          [5, 1],
        ],
      );
      assert.deepEqual((await ledger.get("r"))?.card, card("at the mark"));
    },
  },
  {
    name: "without any checkpoint a claim begins anew, without a card",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      await ledger.append(lease, { ...news(0, 3), card: card("x") });
      const again = await claim(ledger, "r");
      assert.deepEqual([again.rows, again.lost, again.run.card, again.run.checkpoint], [[], 3, undefined, undefined]);
    },
  },
  {
    name: "events of an older driver are never mixed with those of a newer one",
    async check(ledger) {
      const first = (await claimedNew(ledger)).lease;
      await ledger.append(first, news(0, 2));
      const second = (await claim(ledger, "r", "w2")).lease;
      assert.deepEqual(await ledger.append(first, news(2, 1)), { status: "fenced" });
      assert.deepEqual(await ledger.append(first, news(0, 3)), { status: "fenced" });
      assert.deepEqual(await ledger.append(second, { from: 0, rows: [{ ...row(1), by: "second" }], applied: [] }), {
        status: "written",
      });
      assert.deepEqual(
        (await ledger.rows("r", 0, 9)).map(({ seq, by }) => [seq, by]),
        [[1, "second"]],
      );
    },
  },
  {
    name: "a run that is running says what it waits for, until it waits no more or is let go of",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      const outcome = async () => (await ledger.get("r"))?.outcome;
      assert.deepEqual(await ledger.waits(lease, "x \0 is away"), { status: "written" });
      assert.equal(await outcome(), "x \0 is away");
      await ledger.waits(lease, undefined);
      assert.equal(await outcome(), undefined);
      await ledger.waits(lease, "away");
      const next = (await claim(ledger, "r", "w2")).lease;
      assert.equal(await outcome(), undefined);
      assert.deepEqual(await ledger.waits(lease, "late"), { status: "fenced" });
      await ledger.waits(next, "away");
      await ledger.handBack(next);
      assert.equal(await outcome(), undefined);
      assert.deepEqual(await ledger.waits(next, "late"), { status: "fenced" });
      assert.equal(await outcome(), undefined);
    },
  },
  {
    name: "who is fenced off writes, marks, parks, finishes, applies and hands back nothing",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      const word = await said(ledger, "r", "hold");
      const now = (await claim(ledger, "r", "w2")).lease;
      const before = await ledger.get("r");
      const applied = [{ id: word, seq: 1 }];
      const fenced = { status: "fenced" };
      assert.deepEqual(await ledger.append(lease, { ...news(0, 1), applied }), fenced);
      const conversation = { at: 0, bytes: bytesOf("x") };
      assert.deepEqual(await ledger.barrier(lease, { ...barrier(0, 1), applied, conversation, session: "s" }), fenced);
      assert.deepEqual(await ledger.finish(lease, { outcome: "all_done", resultCommit: "c" }), fenced);
      assert.deepEqual(await ledger.park(lease, "held"), fenced);
      assert.deepEqual(await ledger.handBack(lease), fenced);
      assert.equal(await ledger.holds(lease), false);
      assert.equal(await ledger.holds(now), true);
      assert.deepEqual(await ledger.get("r"), before);
      assert.deepEqual(await open(ledger), [word]);
      assert.deepEqual(await ledger.rows("r", 0, 9), []);
    },
  },
  {
    name: "a conversation grows, and is replaced from where it was rewritten",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      const say = (seq: number, at: number, text: string) =>
        ledger.barrier(lease, {
          ...barrier(seq - 1, 1),
          mark: { seq, bytes: at + text.length },
          conversation: { at, bytes: bytesOf(text) },
        });
      await say(1, 0, "one ");
      await say(2, 4, "two ");
      await say(3, 8, "three");
      await say(4, 6, "XY"); // within the second piece
      await ledger.barrier(lease, { ...barrier(4, 1), mark: { seq: 5, bytes: 8 } }); // nothing new of it
      assert.equal(Buffer.from((await claim(ledger, "r")).conversation).toString(), "one twXY");
      const again = await claim(ledger, "r");
      await ledger.barrier(again.lease, {
        ...barrier(5, 1),
        mark: { seq: 6, bytes: 3 },
        conversation: { at: 0, bytes: bytesOf("new") },
      });
      assert.equal(Buffer.from((await claim(ledger, "r")).conversation).toString(), "new");
    },
  },
  {
    name: "an emptied conversation is empty",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      const mark = (seq: number, bytes: number) => ({ ...barrier(seq - 1, 1), mark: { seq, bytes } });
      await ledger.barrier(lease, { ...mark(1, 3), conversation: { at: 0, bytes: bytesOf("abc") } });
      await ledger.barrier(lease, { ...mark(2, 0), conversation: { at: 0, bytes: bytesOf("") } });
      assert.equal((await claim(ledger, "r")).conversation.length, 0);
    },
  },
  {
    name: "what was said is open until it is applied, in its order, and what is refused says why",
    async check(ledger) {
      await ledger.submit(aSubmission("r"));
      const first = await said(ledger, "r", "while it is queued \0 \ud800");
      const { lease, words } = await claim(ledger, "r");
      assert.deepEqual(ids(words), [first]);
      assert.deepEqual([words[0]?.trigger, words[0]?.from], [trigger("while it is queued \0 \ud800"), '"you"']);
      const second = await said(ledger, "r", "two");
      const third = await said(ledger, "r", "three");
      assert.deepEqual(await open(ledger), [first, second, third]);
      const applied = [
        { id: first, seq: 1 },
        { id: second, seq: 2, refused: "no \0 way" },
      ];
      await ledger.append(lease, { ...news(0, 2), applied });
      await ledger.append(lease, { ...news(0, 2), applied }); // its answer was lost
      assert.deepEqual(
        (await ledger.words("r")).map(({ id, appliedSeq, refused }) => [id, appliedSeq, refused]),
        [
          [first, 1, undefined],
          [second, 2, "no \0 way"],
          [third, undefined, undefined],
        ],
      );
    },
  },
  {
    name: "a word that is said again with its key is one word, and gets the same answer",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      await ledger.park(lease, "held");
      const word = { run: "r", trigger: trigger("x"), from: "null", key: "k1" };
      const first = await ledger.say(word);
      assert.deepEqual(await ledger.say(word), first);
      assert.ok("wake" in first && first.wake?.generation === 2);
      const other = await ledger.say({ ...word, key: "k2" });
      assert.ok("id" in other && "id" in first && other.id !== first.id && !("wake" in other));
      assert.equal((await ledger.words("r")).length, 2);
    },
  },
  {
    name: "words of lost events are open again, those before the checkpoint are not",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      const [kept, lost, refused] = [
        await said(ledger, "r", "a"),
        await said(ledger, "r", "b"),
        await said(ledger, "r", "c"),
      ];
      await ledger.barrier(lease, { ...barrier(0, 2), applied: [{ id: kept, seq: 2 }] });
      const applied = [
        { id: lost, seq: 3 },
        { id: refused, seq: 4, refused: "no" },
      ];
      await ledger.append(lease, { ...news(2, 2), applied });
      assert.deepEqual(await open(ledger), []);
      assert.deepEqual(ids((await claim(ledger, "r")).words), [lost, refused]);
      assert.deepEqual(await open(ledger), [lost, refused]);
    },
  },
  {
    name: "a word of one run is not applied by another",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      await ledger.submit(aSubmission("other"));
      const word = await said(ledger, "other", "x");
      await ledger.append(lease, { ...news(0, 1), applied: [{ id: word, seq: 1 }] });
      assert.deepEqual(await open(ledger, "other"), [word]);
    },
  },
  {
    name: "a run is neither parked nor finished over words that nobody applied",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      const word = await said(ledger, "r", "wait");
      for (const released of [await ledger.park(lease, "x"), await ledger.finish(lease, { outcome: "x" })])
        assert.deepEqual(released.status === "words" && ids(released.words), [word]);
      assert.equal(await ledger.holds(lease), true);
      await ledger.barrier(lease, { ...barrier(0, 1), applied: [{ id: word, seq: 1 }] });
      assert.deepEqual(await ledger.park(lease, "x"), { status: "written" });
    },
  },
  {
    name: "nor over events that no checkpoint has: a word applied there would be forgotten",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      const word = await said(ledger, "r", "wait");
      await ledger.append(lease, { ...news(0, 1), applied: [{ id: word, seq: 1 }] });
      for (const released of [await ledger.park(lease, "x"), await ledger.finish(lease, { outcome: "x" })])
        assert.deepEqual(released, { status: "words", words: [] });
      assert.equal(await ledger.holds(lease), true);
      await ledger.barrier(lease, barrier(0, 1));
      assert.deepEqual(await ledger.park(lease, "x"), { status: "written" });
    },
  },
  {
    name: "a run that does not start is parked with the words that it could not hear, and only with those",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      const [first, second] = [await said(ledger, "r", "one"), await said(ledger, "r", "two")];
      const early = await ledger.park(lease, "no key", [first]);
      assert.deepEqual(early.status === "words" && ids(early.words), [first, second]);
      assert.deepEqual(await ledger.park(lease, "no key", [first, second]), { status: "written" });
      const third = await ledger.say({ run: "r", trigger: "{}", from: "null" });
      assert.deepEqual("wake" in third && third.wake, { generation: 2 });
      assert.equal((await claim(ledger, "r")).words.length, 3);
    },
  },
  {
    name: "parked: nobody drives it, a word wakes it once, and the next claim has the word",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      await ledger.barrier(lease, barrier(0, 2));
      assert.deepEqual(await ledger.park(lease, "held \0"), { status: "written" });
      assert.deepEqual(await ledger.park(lease, "held \0"), { status: "written" }, "the answer was lost");
      assert.deepEqual(await ledger.claim("r", "w2", VERSION), { status: "parked", why: "held \0" });
      assert.deepEqual(await ledger.append(lease, news(2, 1)), { status: "fenced" });
      assert.equal(await ledger.holds(lease), false);
      const [first, second] = [
        await ledger.say({ run: "r", trigger: "{}", from: "null" }),
        await ledger.say({ run: "r", trigger: "{}", from: "null" }),
      ];
      assert.deepEqual("wake" in first && first.wake, { generation: 2 });
      assert.equal("wake" in second, false);
      const run = await ledger.get("r");
      assert.deepEqual([run?.state, run?.generation, run?.outcome, run?.driver], ["queued", 2, undefined, undefined]);
      assert.deepEqual(await ledger.park(lease, "late"), { status: "written" }, "said again, after it was woken");
      assert.equal((await ledger.get("r"))?.state, "queued");
      const claimed = await claim(ledger, "r");
      assert.deepEqual([claimed.words.length, claimed.rows.length, claimed.run.attempts], [2, 2, 1]);
    },
  },
  {
    name: "a result that is not a branch yet is found until it is said to be one",
    async check(ledger) {
      const found = async () => (await ledger.unpublished()).map(({ run, resultCommit }) => [run, resultCommit]);
      const { lease } = await claimedNew(ledger);
      await ledger.barrier(lease, barrier(0, 2));
      assert.deepEqual(await found(), []);
      await ledger.finish(lease, { outcome: "all_done", resultCommit: "c9" });
      assert.deepEqual(await found(), [["r", "c9"]]);
      for (const run of ["unknown", "r", "r"]) await ledger.published(run);
      assert.deepEqual(await found(), []);
    },
  },
  {
    name: "finished: the outcome stays, every claim gets it, nothing more is written or said",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      await ledger.barrier(lease, barrier(0, 2));
      const end = { outcome: "all_done", resultCommit: "c9", report: "# done \0", pr: "Fix it \0" };
      for (const _ of [1, 2]) assert.deepEqual(await ledger.finish(lease, end), { status: "written" });
      assert.deepEqual(await ledger.claim("r", "w2", VERSION), {
        status: "finished",
        outcome: "all_done",
        resultCommit: "c9",
      });
      assert.deepEqual(await ledger.append(lease, news(2, 1)), { status: "fenced" });
      assert.deepEqual(await ledger.say({ run: "r", trigger: "{}", from: "null" }), {
        status: "over",
        state: "finished",
      });
      assert.equal(await ledger.cancel("r", "you"), false);
      assert.deepEqual(await ledger.papers("r"), { report: "# done \0", pr: "Fix it \0" });
      assert.equal((await ledger.rows("r", 0, 9)).length, 2);
    },
  },
  {
    name: "cancelled: from each open state, whoever drives is fenced off, and only the first one did it",
    async check(ledger) {
      const ways: Readonly<Record<string, (lease: Lease) => Promise<unknown>>> = {
        running: async () => {},
        parked: (lease) => ledger.park(lease, "x"),
        queued: (lease) => ledger.handBack(lease),
      };
      for (const [state, reach] of Object.entries(ways)) {
        await ledger.submit(aSubmission(state));
        const { lease } = await claim(ledger, state);
        await reach(lease);
        assert.equal((await ledger.get(state))?.state, state);
        assert.equal(await ledger.cancel(state, "you"), true);
        assert.equal(await ledger.cancel(state, "you"), false);
        assert.deepEqual(await ledger.append(lease, { ...news(0, 1), run: state } as News), { status: "fenced" });
        assert.deepEqual(await ledger.finish(lease, { outcome: "x" }), { status: "fenced" });
        assert.deepEqual(await ledger.claim(state, "w", VERSION), { status: "cancelled" });
        const run = await ledger.get(state);
        assert.deepEqual([run?.state, run?.outcome, run?.driver], ["cancelled", "cancelled by you", undefined]);
      }
    },
  },
  {
    name: "handed back: queued again at the checkpoint, and no death is counted",
    async check(ledger) {
      await ledger.submit(aSubmission("r"));
      for (let times = 0; times < 6; times++) {
        const { lease, run } = await claim(ledger, "r", `w${times}`);
        assert.equal(run.attempts, 1);
        for (const _ of [1, 2]) assert.deepEqual(await ledger.handBack(lease), { status: "written" });
        assert.deepEqual(await ledger.append(lease, news(0, 1)), { status: "fenced" });
      }
      const run = await ledger.get("r");
      assert.deepEqual([run?.state, run?.generation, run?.driver], ["queued", 1, undefined]);
    },
  },
  {
    name: "three deaths without a checkpoint poison a run, and a checkpoint begins the count anew",
    async check(ledger) {
      await ledger.submit(aSubmission("r"));
      await claim(ledger, "r");
      const { lease } = await claim(ledger, "r");
      await ledger.barrier(lease, { ...barrier(0, 1), survived: false });
      assert.equal((await ledger.get("r"))?.attempts, 2, "it is the one before the first turn");
      await ledger.barrier(lease, barrier(1, 1));
      for (const attempts of [1, 2, 3]) assert.equal((await claim(ledger, "r")).run.attempts, attempts);
      const before = (await ledger.get("r"))!.epoch;
      assert.deepEqual(await ledger.claim("r", "w", VERSION), { status: "poisoned" });
      assert.deepEqual(await ledger.claim("r", "w", VERSION), { status: "poisoned" });
      const run = await ledger.get("r");
      assert.deepEqual([run?.state, run?.epoch], ["poisoned", before + 1]);
      assert.deepEqual(await ledger.append({ run: "r", epoch: before }, news(1, 1)), { status: "fenced" });
      assert.deepEqual(await ledger.say({ run: "r", trigger: "{}", from: "null" }), {
        status: "over",
        state: "poisoned",
      });
    },
  },
  {
    name: "a claim that is made again because its answer was lost gets what it got, and is no death",
    async check(ledger) {
      await ledger.submit(aSubmission("r"));
      const attempt = { token: "token-1", after: 0, limits: [["one", 1]] } as const;
      const first = await claim(ledger, "r", "w1", attempt);
      assert.deepEqual([first.run.attempts, first.lease.epoch], [1, 1]);
      for (let times = 1; times <= 6; times++) assert.deepEqual(await claim(ledger, "r", "w1", attempt), first);
      assert.equal(await ledger.holds(first.lease), true);
      assert.equal((await claim(ledger, "r", "w1", { token: "token-2" })).run.attempts, 2);
    },
  },
  {
    name: "a claim that comes too late takes the run from nobody: who claimed since keeps it",
    async check(ledger) {
      await ledger.submit(aSubmission("r"));
      const late = { token: "late", after: 0 };
      await claim(ledger, "r", "w1", late);
      const { lease } = await claim(ledger, "r", "w2", { token: "next", after: 1 });
      await ledger.append(lease, news(0, 2));
      const before = await ledger.get("r");
      for (const attempt of [late, { token: "never", after: 1 }])
        assert.deepEqual(await ledger.claim("r", "w1", VERSION, attempt), { status: "overtaken" });
      assert.deepEqual(await ledger.get("r"), before);
      assert.equal(await ledger.holds(lease), true);
      await ledger.handBack(lease);
      assert.deepEqual(await ledger.claim("r", "w1", VERSION, late), { status: "overtaken" }, "also where it is free");
    },
  },
  {
    name: "a log that a newer tildone may have written is refused to an older one, and nothing changes",
    async check(ledger) {
      await ledger.submit(aSubmission("r"));
      const { lease } = await claim(ledger, "r");
      const before = await ledger.get("r");
      assert.deepEqual(await ledger.claim("r", "old", VERSION - 1), { status: "newer", eventVersion: VERSION });
      assert.deepEqual(await ledger.get("r"), before);
      assert.equal(await ledger.holds(lease), true);
      const newer = await ledger.claim("r", "new", VERSION + 1);
      assert.equal(newer.status === "claimed" && newer.claimed.run.eventVersion, VERSION + 1);
    },
  },
  {
    name: "what lost turns used is added up over all losses",
    async check(ledger) {
      const { lease } = await claimedNew(ledger);
      const spent = (seq: number, tokens: number): Row => ({
        ...row(seq),
        event: JSON.stringify({
          type: "usage.spent",
          usage: { input: tokens, output: 0, cacheRead: 0, cacheWrite: 0, cost: tokens },
        }),
      });
      await ledger.barrier(lease, { ...barrier(0, 0), rows: [began(1), spent(2, 10)], mark: { seq: 2, bytes: 0 } });
      await ledger.append(lease, { from: 2, rows: [spent(3, 20), spent(4, 30)], applied: [] });
      const second = await claim(ledger, "r");
      assert.deepEqual(second.lostSpend, { tokens: 50, cost: 50, minutes: 0 });
      await ledger.append(second.lease, { from: 2, rows: [spent(3, 5)], applied: [] });
      assert.equal((await claim(ledger, "r")).lostSpend.tokens, 55);
      assert.equal((await claim(ledger, "r")).lostSpend.tokens, 55);
    },
  },
  {
    name: "two that claim at once: both are answered, and the later one has the run",
    async check(ledger) {
      await ledger.submit(aSubmission("r"));
      const both = await Promise.all([claim(ledger, "r", "a"), claim(ledger, "r", "b")]);
      assert.deepEqual(both.map(({ lease }) => lease.epoch).toSorted(), [1, 2]);
      const holding = await Promise.all(both.map(({ lease }) => ledger.holds(lease)));
      assert.deepEqual(holding.filter(Boolean).length, 1);
    },
  },
  {
    name: "an append and a claim at once: the event is written and lost, or refused; never in the new log",
    async check(ledger) {
      for (let times = 0; times < 10; times++) {
        const run = `r${times}`;
        await ledger.submit(aSubmission(run));
        const { lease } = await claim(ledger, run);
        const [written, claimed] = await Promise.all([ledger.append(lease, news(0, 3)), claim(ledger, run)]);
        assert.deepEqual(claimed.rows, []);
        assert.deepEqual(await ledger.rows(run, 0, 9), []);
        assert.equal((await ledger.lostRows(run)).length, written.status === "written" ? 3 : 0);
      }
    },
  },
  {
    name: "a word and a park at once: the run waits with the word applied, or the word wakes it",
    async check(ledger) {
      for (let times = 0; times < 20; times++) {
        const run = `r${times}`;
        await ledger.submit(aSubmission(run));
        const { lease } = await claim(ledger, run);
        const [parked, word] = await Promise.all([
          ledger.park(lease, "held"),
          ledger.say({ run, trigger: "{}", from: "null" }),
        ]);
        if (parked.status === "words") assert.deepEqual(parked.words.length, 1);
        else assert.deepEqual("wake" in word && word.wake, { generation: 2 });
      }
    },
  },
  {
    name: "workers are known by their last beat",
    async check(ledger) {
      const beat = { id: "w1", version: "1", labels: ["gpu"], queues: ["runs"], slots: 2, busy: 1, draining: false };
      await ledger.beat(beat);
      await ledger.beat({ ...beat, id: "w0" });
      await ledger.beat({ ...beat, busy: 2, draining: true });
      const workers = await ledger.workers();
      assert.deepEqual(
        workers.map(({ id, busy, draining }) => [id, busy, draining]),
        [
          ["w0", 1, false],
          ["w1", 2, true],
        ],
      );
      assert.ok(workers.every(({ silentMs }) => silentMs >= 0 && silentMs < 60_000));
    },
  },
  {
    name: "so many runs of a limit are running, also where many are claimed at once; what does not run counts no more",
    async check(ledger) {
      const all = ["a", "b", "c", "d", "e"];
      for (const run of all) await ledger.submit(aSubmission(run));
      const limits = [
        ["provider", 2],
        ["repository", 9],
      ] as const;
      const answers = await Promise.all(all.map((run) => ledger.claim(run, "w", VERSION, { limits })));
      const refused = all.filter((_, index) => answers[index]!.status !== "claimed");
      assert.deepEqual(
        answers.filter(({ status }) => status !== "claimed"),
        refused.map(() => ({ status: "limited", by: "provider" })),
      );
      assert.equal(refused.length, 3);
      assert.deepEqual((await ledger.get(refused[0]!))?.state, "queued");
      const [first, second] = answers.flatMap((answer) => (answer.status === "claimed" ? [answer.claimed.lease] : []));
      assert.equal((await ledger.claim(first!.run, "w2", VERSION, { limits })).status, "claimed", "it counts once");
      const reached = (run: string) => ledger.askForTurn(run, limits);
      assert.deepEqual([await reached(refused[0]!), await reached(first!.run)], ["provider", undefined]);
      await ledger.handBack(second!);
      assert.equal(await reached(refused[0]!), undefined);
      assert.equal((await ledger.claim(refused[0]!, "w", VERSION, { limits })).status, "claimed");
      assert.equal(await reached(second!.run), "provider");
      await ledger.cancel(refused[0]!, "you");
      assert.equal(await reached(second!.run), undefined);
      assert.equal(await ledger.askForTurn("r", [["another", 1]]), undefined);
    },
  },
  {
    name: "who asks for its turn first comes before others of its limit, and keeps none from a claim",
    async check(ledger) {
      for (const run of ["a", "b", "c"]) await ledger.submit(aSubmission(run));
      const limits = [["one", 1]] as const;
      const ask = (run: string) => ledger.askForTurn(run, limits);
      assert.deepEqual([await ask("a"), await ask("b"), await ask("a")], [undefined, "one", undefined]);
      assert.equal(await ledger.askForTurn("c", [["another", 1]]), undefined);
      assert.equal((await ledger.claim("b", "w", VERSION, { limits })).status, "claimed");
      assert.deepEqual(await ledger.claim("a", "w", VERSION, { limits }), { status: "limited", by: "one" });
      assert.equal(await ask("a"), "one");
    },
  },
  {
    name: "whoever listens hears what is said and that it is cancelled, about one run or all",
    async check(ledger) {
      for (const run of ["a", "b"]) await ledger.submit(aSubmission(run));
      const [all, one]: [string[], string[]] = [[], []];
      const stop = await ledger.listen((run) => all.push(run));
      const stopOne = await ledger.listen((run) => one.push(run), "b");
      await said(ledger, "a", "x");
      await said(ledger, "b", "x");
      await until(() => all.includes("a") && all.includes("b") && one.includes("b"));
      all.length = 0;
      await ledger.cancel("a", "you");
      await until(() => all.includes("a"));
      assert.ok(!one.includes("a"));
      await stop();
      await stopOne();
      await stop(); // twice is harmless
      all.length = 0;
      await said(ledger, "b", "y");
      assert.deepEqual(all, []);
    },
  },
  {
    name: "runs that are over are listed by their age and removed with everything, and open ones stay",
    async check(ledger) {
      const states: Readonly<Record<string, FleetState>> = { done: "finished", gone: "cancelled", open: "running" };
      for (const run of Object.keys(states)) {
        await ledger.submit(aSubmission(run));
        const { lease } = await claim(ledger, run);
        await ledger.barrier(lease, barrier(0, 2));
        if (states[run] === "finished") await ledger.finish(lease, { outcome: "x" });
        if (states[run] === "cancelled") await ledger.cancel(run, "you");
      }
      const newest = Math.max(...(await ledger.list()).map(({ updatedAt }) => updatedAt));
      const old = async (changedBefore: number) =>
        (await ledger.list({ states: ["finished", "cancelled"], changedBefore })).map(({ run }) => run).sort();
      assert.deepEqual(await old(0), []);
      assert.deepEqual(await old(newest + 1), ["done", "gone"]);
      assert.deepEqual(await ledger.remove([]), []);
      assert.deepEqual([...(await ledger.remove(["done", "gone", "open", "nothing"]))].sort(), ["done", "gone"]);
      assert.deepEqual(
        (await ledger.list()).map(({ run }) => run),
        ["open"],
      );
      assert.deepEqual([(await ledger.rows("done", 0, 9)).length, (await ledger.rows("open", 0, 9)).length], [0, 2]);
    },
  },
  {
    name: "a worker that was silent for long is forgotten, and one that beats is not",
    async check(ledger) {
      const beat = { id: "w1", version: "1", labels: [], queues: [], slots: 1, busy: 0, draining: false };
      await ledger.beat(beat);
      await ledger.forgetWorkers(60_000);
      assert.equal((await ledger.workers()).length, 1);
      await ledger.forgetWorkers(-1);
      assert.equal((await ledger.workers()).length, 0);
    },
  },
];

async function claimedNew(ledger: Ledger): Promise<Claimed> {
  await ledger.submit(aSubmission("r"));
  return claim(ledger, "r");
}

async function claim(ledger: Ledger, run: string, driver = "w1", attempt?: Attempt): Promise<Claimed> {
  const answer = await ledger.claim(run, driver, VERSION, attempt);
  assert.equal(answer.status, "claimed");
  return (answer as { claimed: Claimed }).claimed;
}

async function said(ledger: Ledger, run: string, text: string): Promise<number> {
  const answer = await ledger.say({ run, trigger: trigger(text), from: '"you"' });
  assert.ok("id" in answer);
  return answer.id;
}

/** The clock of the database went on since this run changed. */
async function later(ledger: Ledger, run: string): Promise<void> {
  const { updatedAt } = (await ledger.get(run))!;
  for (let times = 0; times < 10_000; times++) {
    await ledger.submit(aSubmission("clock"));
    const clock = (await ledger.get("clock"))!;
    await ledger.cancel("clock", "you");
    await ledger.remove(["clock"]);
    if (clock.updatedAt > updatedAt) return;
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (let times = 0; times < 1_000 && !holds(); times++) await new Promise((done) => setTimeout(done, 10));
  assert.ok(holds());
}

const trigger = (text: string): string => JSON.stringify({ type: "x", text });
const row = (seq: number): Row => ({ seq, at: seq, by: "engine", v: 1, event: `{"type":"x","n":${seq}}` });
const began = (seq: number): Row => ({
  ...row(seq),
  event: JSON.stringify({
    type: "run.began",
    run: "r",
    origin: { host: "h", session: "s", cwd: "/p" },
    budget: {},
    checks: [],
    requirements: [],
    seesCalls: true,
  }),
});
const rows = (from: number, count: number): readonly Row[] =>
  Array.from({ length: count }, (_, index) => row(from + 1 + index));
const news = (from: number, count: number): News => ({ from, rows: rows(from, count), applied: [] });
const barrier = (from: number, count: number): Barrier => ({
  ...news(from, count),
  mark: { seq: from + count, bytes: 0 },
  survived: true,
});
const card = (goal: string): RunCard => ({
  run: "r",
  host: "h",
  session: "s",
  cwd: "/p",
  live: true,
  began: 1,
  updated: 2,
  summary: { goal: `${goal} \0 \ud800` },
});
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const seqs = (all: readonly Row[]): readonly number[] => all.map(({ seq }) => seq);
const ids = (words: readonly Word[]): readonly number[] => words.map(({ id }) => id);
const open = async (ledger: Ledger, run = "r"): Promise<readonly number[]> =>
  ids((await ledger.words(run)).filter(({ appliedSeq }) => appliedSeq === undefined));
