import type { Lease, Ledger } from "../../../src/fleet/index.ts";
import type { Asked, Judge, Writing } from "./judge.ts";
import type { Process, Wire } from "./wire.ts";

/** The database as one process reaches it: each call travels, and the judge looks at what it did. */
export function databaseFor(wire: Wire, process: Process, ledger: Ledger, judge: Judge): Ledger {
  const call = <T>(what: string, act: () => Promise<T>): Promise<T> => wire.call(process, "database", what, act);
  const judged = <T>(run: string, act: () => Promise<T>, asked: (answer: T) => Asked, what: string): Promise<T> =>
    call(`${what} ${run}`, async () => {
      const answer = await act();
      await judge.saw(run, asked(answer));
      return answer;
    });
  const writes = <T extends { readonly status: string }>(
    op: Writing["op"],
    lease: Lease,
    act: () => Promise<T>,
  ): Promise<T> =>
    judged(lease.run, act, ({ status }) => ({ op, lease, status }), op).then((answer) => {
      if (answer.status === "fenced") judge.told(lease);
      return answer;
    });

  return {
    ...ledger,
    get: (run) => call(`get ${run}`, () => ledger.get(run)),
    published: (run) => call(`published ${run}`, () => ledger.published(run)),
    words: (run) => call(`words ${run}`, () => ledger.words(run)),
    lostRows: (run) => call(`lostRows ${run}`, () => ledger.lostRows(run)),
    holds: (lease) =>
      call(`holds ${lease.run}`, () => ledger.holds(lease)).then((isOurs) => {
        if (!isOurs) judge.told(lease);
        return isOurs;
      }),
    submit: (submission) =>
      judged(
        submission.run,
        () => ledger.submit(submission),
        () => ({ op: "submit" }),
        "submit",
      ),
    askForTurn: (run, limits) => call(`askForTurn ${run}`, () => ledger.askForTurn(run, limits)),
    claim: (run, driver, version, attempt) =>
      judged(
        run,
        () => ledger.claim(run, driver, version, attempt),
        (answer) => ({ op: "claim", token: process.name, after: attempt?.after, answer }),
        "claim",
      ),
    append: (lease, news) => writes("append", lease, () => ledger.append(lease, news)),
    barrier: (lease, barrier) => writes("barrier", lease, () => ledger.barrier(lease, barrier)),
    finish: (lease, end) => writes("finish", lease, () => ledger.finish(lease, end)),
    park: (lease, why, unsaid) => writes("park", lease, () => ledger.park(lease, why, unsaid)),
    waits: (lease, why) => writes("waits", lease, () => ledger.waits(lease, why)),
    handBack: (lease) => writes("handBack", lease, () => ledger.handBack(lease)),
    say: (word) =>
      judged(
        word.run,
        () => ledger.say(word),
        () => ({ op: "say" }),
        "say",
      ),
    cancel: (run, by) =>
      judged(
        run,
        () => ledger.cancel(run, by),
        () => ({ op: "cancel" }),
        "cancel",
      ),
  };
}
