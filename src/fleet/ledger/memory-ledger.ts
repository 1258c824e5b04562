import type {
  Attempt,
  Barrier,
  Claimed,
  FleetState,
  Lease,
  Ledger,
  Limit,
  News,
  Released,
  Submission,
  WorkerBeat,
  Written,
} from "../ports.ts";
import { checkNews } from "./check-news.ts";
import {
  type Kept,
  type KeptWord,
  keptOf,
  nameOf,
  openWords,
  refusalOf,
  rowOf,
  runOf,
  saidAs,
  stateOf,
} from "./kept-run.ts";
import { addSpend, lostSpend } from "./lost-spend.ts";
import { MOST_DEATHS, OVER, poisonedText, TURN_MS } from "./rules.ts";
import { checkRunName } from "./run-name.ts";
import { keepable } from "./stored-text.ts";

/** The ledger for tests and simulation: each method is one step that nothing interrupts. */
export function memoryLedger(now: () => number = Date.now): Ledger {
  const runs = new Map<string, Kept>();
  const workers = new Map<string, { readonly beat: WorkerBeat; readonly at: number }>();
  const listeners = new Set<{ readonly heard: (run: string) => void; readonly only: string | undefined }>();
  let words = 0;

  return {
    async submit(submission: Submission) {
      checkRunName(submission.run);
      if (runs.has(submission.run)) return;
      runs.set(submission.run, keptOf(JSON.stringify(submission), now()));
    },
    async get(run) {
      const kept = runs.get(run);
      return kept && runOf(kept);
    },
    async list({ states, limit, changedAfter = -1, changedBefore = Number.POSITIVE_INFINITY } = {}) {
      return [...runs.values()]
        .filter(({ state }) => !states || states.includes(state))
        .filter(({ updatedAt }) => updatedAt > changedAfter && updatedAt < changedBefore)
        .map(runOf)
        .sort((a, b) => b.updatedAt - a.updatedAt || (a.run < b.run ? -1 : 1))
        .slice(0, limit);
    },
    async counts(overAfter) {
      const counted = [...runs.values()].filter(
        ({ state, updatedAt }) => !OVER.includes(state) || updatedAt > overAfter,
      );
      return Object.entries(Object.groupBy(counted, ({ state }) => state))
        .map(([state, all]) => ({ state: state as FleetState, count: all.length }))
        .sort((a, b) => (a.state < b.state ? -1 : 1));
    },
    async rows(run, after, limit) {
      return (runs.get(run)?.rows ?? []).slice(after, after + limit).map(rowOf);
    },
    async lostRows(run) {
      return (runs.get(run)?.lost ?? []).map((row) => ({ ...row }));
    },

    async claim(run, driver, version, { token, after, limits = [] }: Attempt = {}) {
      const kept = runs.get(run);
      const refusal = refusalOf(kept, version);
      if (refusal) return refusal;
      const isRepeated = token !== undefined && kept!.state === "running" && kept!.token === token;
      if (isRepeated) return { status: "claimed", claimed: startOf(kept!, 0) };
      if (after !== undefined && kept!.epoch !== after) return { status: "overtaken" };
      if (kept!.attempts >= MOST_DEATHS) {
        change(kept!, { state: "poisoned", driver: undefined, outcome: poisonedText() });
        kept!.epoch++;
        return { status: "poisoned" };
      }
      const by = reached(run, limits);
      if (by !== undefined) return { status: "limited", by };
      kept!.limits = limits.map(([name]) => name);
      kept!.askedAt = Number.NEGATIVE_INFINITY;
      return { status: "claimed", claimed: takeOver(kept!, { driver, version, token }) };
    },
    async askForTurn(run, limits) {
      const by = reached(run, limits, TURN_MS);
      const kept = runs.get(run);
      if (by === undefined && kept?.state === "queued") {
        kept.limits = limits.map(([name]) => name);
        kept.askedAt = now();
      }
      return by;
    },
    append: async (lease, news) => write(lease, news),
    barrier: async (lease, barrier) => write(lease, barrier),
    async waits(lease, why): Promise<Written> {
      if (standingOf(lease) !== "held") return { status: "fenced" };
      change(runs.get(lease.run)!, { outcome: why });
      return { status: "written" };
    },
    holds: async (lease) => standingOf(lease) === "held",
    finish: async (lease, { outcome, resultCommit, report, pr }) =>
      release(lease, { state: "finished", outcome, resultCommit, report, pr }),
    park: async (lease, why, unsaid) => release(lease, { state: "parked", outcome: why }, unsaid),
    async handBack(lease): Promise<Written> {
      const standing = standingOf(lease);
      if (standing !== "held") return { status: standing };
      const kept = runs.get(lease.run)!;
      change(kept, { state: "queued", driver: undefined, outcome: undefined });
      kept.attempts = Math.max(0, kept.attempts - 1);
      return { status: "written" };
    },

    async say({ run, trigger, from, key = crypto.randomUUID() }) {
      const kept = runs.get(run);
      if (!kept) return { status: "unknown" };
      const known = kept.inbox.find((each) => each.key === key);
      if (known) return saidAs(known);
      if (OVER.includes(kept.state)) return { status: "over", state: kept.state };
      const wakes = kept.state === "parked";
      if (wakes) {
        change(kept, { state: "queued", outcome: undefined });
        kept.generation++;
      }
      const said: KeptWord = {
        id: ++words,
        run,
        key,
        trigger: keepable(trigger),
        from: keepable(from),
        at: now(),
        ...(wakes && { wake: kept.generation }),
      };
      kept.inbox.push(said);
      tell(run);
      return saidAs(said);
    },
    async words(run) {
      return (runs.get(run)?.inbox ?? []).map(stateOf);
    },
    async cancel(run, by) {
      const kept = runs.get(run);
      if (!kept || OVER.includes(kept.state)) return false;
      change(kept, { state: "cancelled", driver: undefined, outcome: `cancelled by ${by}` });
      kept.epoch++;
      tell(run);
      return true;
    },

    async beat(worker) {
      workers.set(worker.id, { beat: structuredClone(worker), at: now() });
    },
    async workers() {
      return [...workers.values()]
        .map(({ beat, at }) => ({ ...beat, silentMs: Math.max(0, now() - at) }))
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    async unpublished() {
      return [...runs.values()].filter((kept) => kept.resultCommit !== undefined && !kept.isPublished).map(runOf);
    },
    async published(run) {
      const kept = runs.get(run);
      if (kept) kept.isPublished = true;
    },
    async listen(heard, only) {
      const listener = { heard, only };
      listeners.add(listener);
      return async () => {
        listeners.delete(listener);
      };
    },
    async papers(run) {
      const { report, pr } = runs.get(run) ?? {};
      return { ...(report !== undefined && { report }), ...(pr !== undefined && { pr }) };
    },
    async remove(names) {
      const gone = names.filter((run) => OVER.includes(runs.get(run)?.state ?? "queued"));
      for (const run of gone) runs.delete(run);
      return gone;
    },
    async forgetWorkers(silentMs) {
      for (const [id, { at }] of workers) if (now() - at > silentMs) workers.delete(id);
    },
    close: async () => {},
  };

  function tell(run: string): void {
    for (const { heard, only } of listeners) if (only === undefined || only === run) heard(run);
  }

  function reached(run: string, limits: readonly Limit[], turnMs = 0): string | undefined {
    const counts = ({ state, askedAt }: Kept) =>
      state === "running" || (state === "queued" && askedAt > now() - turnMs);
    const others = [...runs.values()].filter((kept) => counts(kept) && nameOf(kept) !== run);
    const count = (name: string): number => others.filter((kept) => kept.limits.includes(name)).length;
    return limits.find(([name, most]) => count(name) >= most)?.[0];
  }

  function change(kept: Kept, to: Partial<Kept>): void {
    Object.assign(kept, to, { updatedAt: now() });
  }

  function takeOver(kept: Kept, by: { driver: string; version: number; token: string | undefined }): Claimed {
    const { seq, bytes } = kept.mark ?? { seq: 0, bytes: 0 };
    const gone = kept.rows.splice(seq);
    kept.lost.push(...gone);
    kept.conversation = kept.conversation.slice(0, bytes);
    kept.lostSpend = addSpend(kept.lostSpend, lostSpend(kept.rows, gone));
    for (const [index, word] of kept.inbox.entries())
      if (word.appliedSeq !== undefined && word.appliedSeq > seq) {
        const { appliedSeq: _, refused: __, ...open } = word;
        kept.inbox[index] = open;
      }
    kept.epoch++;
    kept.attempts++;
    kept.token = by.token;
    kept.eventVersion = Math.max(kept.eventVersion, by.version);
    kept.card = kept.markedCard;
    change(kept, { state: "running", driver: by.driver, outcome: undefined });
    return startOf(kept, gone.length);
  }

  function startOf(kept: Kept, lost: number): Claimed {
    return {
      lease: { run: nameOf(kept), epoch: kept.epoch },
      run: runOf(kept),
      rows: kept.rows.map(rowOf),
      conversation: kept.conversation.slice(),
      ...(kept.session !== undefined && { session: kept.session }),
      words: openWords(kept),
      lost,
      lostSpend: kept.lostSpend,
    };
  }

  function write(lease: Lease, news: News & Partial<Barrier>): Written {
    const last = news.rows.at(-1)?.seq ?? news.from;
    checkNews(news, last);
    if (standingOf(lease) !== "held") return { status: "fenced" };
    const kept = runs.get(lease.run)!;
    if (news.from > kept.rows.length)
      throw new Error(`the log of ${lease.run} ends at ${kept.rows.length}, and the news begin after ${news.from}`);
    const isNewest = last >= kept.rows.length;
    for (const row of news.rows)
      if (row.seq > kept.rows.length)
        kept.rows.push({ ...row, by: keepable(row.by), event: keepable(row.event), epoch: lease.epoch });
    if (news.card && isNewest) kept.card = JSON.stringify(news.card);
    for (const { id, seq, refused } of news.applied) {
      const index = kept.inbox.findIndex((word) => word.id === id);
      const { refused: _, ...word } = kept.inbox[index] ?? {};
      if (index >= 0)
        kept.inbox[index] = { ...(word as KeptWord), appliedSeq: seq, ...(refused !== undefined && { refused }) };
    }
    if (news.mark) mark(kept, news as Barrier);
    change(kept, {});
    return { status: "written" };
  }

  function mark(kept: Kept, { mark, survived, session, conversation }: Barrier): void {
    if (survived) kept.attempts = 0;
    if (kept.mark && mark.seq < kept.mark.seq) return; // an older one, said again
    kept.mark = { ...mark };
    kept.markedCard = kept.card;
    if (session !== undefined) kept.session = session;
    if (!conversation) return;
    const joined = new Uint8Array(conversation.at + conversation.bytes.length);
    joined.set(kept.conversation.subarray(0, conversation.at));
    joined.set(conversation.bytes, conversation.at);
    kept.conversation = joined;
  }

  function standingOf({ run, epoch }: Lease): "held" | Written["status"] {
    const kept = runs.get(run);
    if (kept?.epoch !== epoch) return "fenced";
    return kept.state === "running" ? "held" : "written";
  }

  function release(
    lease: Lease,
    to: Pick<Kept, "state" | "outcome"> & Partial<Kept>,
    unsaid: readonly number[] = [],
  ): Released {
    const standing = standingOf(lease);
    if (standing !== "held") return { status: standing };
    const kept = runs.get(lease.run)!;
    const open = openWords(kept);
    const isSafe = kept.rows.length === (kept.mark?.seq ?? 0);
    if (!isSafe || open.some(({ id }) => !unsaid.includes(id))) return { status: "words", words: open };
    change(kept, { ...to, driver: undefined, attempts: 0 });
    return { status: "written" };
  }
}
