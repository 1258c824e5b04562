// Laws over random lives of a run: whatever is told in whatever order, these hold.

import { describe, expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { aReceipt, type History, history } from "../../testing/index.ts";
import { DEFAULTS, decide } from "../continuation/index.ts";
import {
  type Envelope,
  EVENTS,
  evolve,
  fold,
  isUnread,
  problemOf,
  type Run,
  type RunEvent,
  readRow,
} from "../run/index.ts";
import type { Todo } from "../todo/index.ts";
import type { Trigger } from "./index.ts";

type Happening = (it: History) => unknown;

/** A counterexample is a list of these: each shows what it tells. */
const tell = (trigger: Trigger): Happening =>
  Object.assign((it: History) => it.tell(trigger), { [fc.toStringMethod]: () => JSON.stringify(trigger) });

const index = fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 4, -1, 9);
const text = fc.constantFrom("a", "b", "fix the parser", "fix the printer", "fix the parser now", "a", "x\ny", " ");
const input = fc.record(
  {
    text,
    priority: fc.constantFrom("high", "medium", "low"),
    needs: fc.array(index, { maxLength: 2 }),
    check: fc.constantFrom("npm test", "npm run lint"),
    askFirst: fc.boolean(),
    covers: fc.constant(["R1"]),
  },
  { requiredKeys: ["text"] },
);
const by = fc.constantFrom("model", "model", "model", "human", "plan", "subagent");
const batch = fc.constantFrom(undefined, "c1", "c2");
const turn = fc.constantFrom("t1", "t2", "t3", "t4", "t5");
const failures = fc.constantFrom("rate_limit", "overload", "context_full", "host_limit", "refused", "other");

const happenings: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({ mode: fc.constantFrom("replace", "append", "insert"), index, todos: fc.array(input, { maxLength: 4 }) })
      .chain((write) =>
        fc
          .tuple(by, batch)
          .map(([who, calls]) =>
            tell({ type: "todos.write", write, by: who, ...(calls && { batch: calls }) } as Trigger),
          ),
      ),
  },
  {
    weight: 6,
    arbitrary: fc
      .record({
        action: fc.constantFrom("start", "complete", "abandon", "block"),
        indices: fc.array(index, { maxLength: 2 }),
        reason: fc.constantFrom("no key", ""),
      })
      .chain((edit) =>
        fc
          .tuple(by, batch)
          .map(([who, calls]) =>
            tell({ type: "todos.edit", edit, by: who, ...(calls && { batch: calls }) } as Trigger),
          ),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        action: fc.constantFrom("done", "drop", "unblock", "release", "reopen"),
        indices: fc.array(index, { maxLength: 2 }),
      })
      .map((edit) => tell({ type: "todos.human_edit", edit } as Trigger)),
  },
  fc
    .record({ action: fc.constant("move"), index, to: index })
    .map((edit) => tell({ type: "todos.human_edit", edit } as Trigger)),
  fc
    .record({ action: fc.constant("change"), index, text })
    .map((edit) => tell({ type: "todos.human_edit", edit } as Trigger)),
  {
    weight: 6,
    arbitrary: fc
      .tuple(turn, fc.constantFrom("human", "nudge", "host", undefined))
      .map(([id, cause]) => tell({ type: "turn.started", turn: id, ...(cause && { cause }) } as Trigger)),
  },
  {
    weight: 8,
    arbitrary: fc
      .tuple(
        fc.option(turn, { nil: undefined }),
        fc.constantFrom("completed", "completed", "aborted", "failed"),
        failures,
        fc.constantFrom(undefined, "Which one?", "Done."),
        fc.constantFrom(undefined, "s1", "s2", "s3"),
      )
      .map(([id, outcome, kind, words, workspace]) =>
        tell({
          type: "turn.ended",
          outcome,
          ...(id && { turn: id }),
          ...(words && { text: words }),
          ...(workspace && { workspace }),
          ...(outcome === "failed" && { failure: { kind, message: "no" } }),
          usage: { input: 5, output: 5, cacheRead: 5, cacheWrite: 5, cost: -1 },
        } as Trigger),
      ),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.integer({ max: 9, min: 0 }), fc.option(turn, { nil: undefined }))
      .map(([digest, id]) => tell({ type: "call.seen", digest: `c${digest}`, ...(id && { turn: id }) } as Trigger)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(turn, turn)
      .map(([ended, next]) => tell({ type: "turn.resume", ended, turn: next, why: "a call followed" })),
  },
  // a whole turn on a nudge that went out, as most turns are
  {
    weight: 12,
    arbitrary: fc.constantFrom<Happening>(
      (it) => it.run.ledger.nudge && it.goesOn(),
      (it) => it.run.ledger.nudge && it.goesOn(() => it.works()),
      (it) => it.run.ledger.nudge && it.goesOn(() => it.works().completes(0)),
    ),
  },
  { weight: 3, arbitrary: fc.constant<Happening>((it) => it.says().works().ends()) },
  { weight: 2, arbitrary: fc.constant<Happening>((it) => it.tell({ type: "human.spoke" })) },
  { weight: 2, arbitrary: fc.boolean().map((now) => tell({ type: "human.hold", now })) },
  { weight: 6, arbitrary: fc.constant(tell({ type: "human.unhold" })) },
  { weight: 2, arbitrary: fc.constant(tell({ type: "human.interrupt", how: "key" })) },
  fc.constant(tell({ type: "human.accept" })),
  fc.record({ continuations: fc.integer({ min: -1, max: 3 }) }).map((budget) => tell({ type: "human.extend", budget })),
  fc.constantFrom(true, true, false).map((on) => tell({ type: "continuation.switch", on })),
  fc
    .tuple(fc.constantFrom("w1", "w2"), fc.constantFrom("steer", "follow-up"))
    .map(([id, kind]) => tell({ type: "words.queue", words: { id, kind, text: "Do" } } as Trigger)),
  fc.constantFrom("w1", "w2").map((id) => tell({ type: "words.delivered", ids: [id] })),
  fc.constantFrom("w1", "w2").map((id) => tell({ type: "words.remove", id })),
  fc
    .tuple(fc.constantFrom("question.opened", "question.closed"), fc.constantFrom("q1", "q2"))
    .map(([type, id]) => tell({ type, id } as Trigger)),
  fc
    .constantFrom("recovery.began", "recovery.ended", "compaction.began", "compaction.ended")
    .map((type) => tell({ type } as Trigger)),
  fc
    .tuple(fc.integer({ min: -1, max: 2 }), fc.integer({ min: -1, max: 2 }))
    .map(([agents, awaited]) => tell({ type: "background.changed", agents, awaited })),
  fc.constantFrom(true, false, false).map((readOnly) => tell({ type: "mode.changed", readOnly })),
  {
    weight: 4,
    arbitrary: fc.integer({ min: 0, max: 400_000 }).map(
      (ms): Happening =>
        (it) =>
          it.after(ms).tell({ type: "timer.fired", boundary: it.run.ledger.boundary?.id ?? "b0" }),
    ),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom("nudge.delivered", "nudge.failed", "nudge.withdraw", "nudge.delivered").map(
      (type): Happening =>
        (it) =>
          it.tell({ type, nudge: it.run.ledger.nudge?.id ?? "b0", message: "busy", why: "a call" } as Trigger),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom("passed", "failed", "timed_out").map(
      (status): Happening =>
        (it) => {
          const { verifying } = it.run.ledger;
          const receipts = (verifying?.ids ?? []).map((id) => aReceipt(id, "npm test", { status }));
          it.tell({
            type: "round.ended",
            round: verifying?.round ?? "r0",
            receipts: [...receipts, aReceipt("run", "npm test", { status })],
          });
        },
    ),
  },
  fc
    .tuple(fc.constantFrom("one", "two"), fc.boolean(), fc.constantFrom(undefined, [], ["b1", "b2", "b3"]))
    .map(([driver, goOn, delivered]) => tell({ type: "run.open", driver, goOn, ...(delivered && { delivered }) })),
  fc.constant<Happening>((it) =>
    it.tell({ type: "wait.parked", boundary: it.run.ledger.boundary?.id ?? "b0", waker: "somebody" }),
  ),
);

const lives = fc.array(happenings, { minLength: 1, maxLength: 80, size: "max" });
const GIVEN = {
  allowsCheck: () => true,
  birth: { budget: { continuations: 8 }, checks: [{ run: "npm test", by: "human" }] },
} as const;

/** Lives a random life and calls `after` at every step. */
function live(happened: readonly Happening[], after: (it: History, before: Run) => void): History {
  const it = history(GIVEN).writes("first", "second");
  for (const happening of happened) {
    const before = it.run;
    happening(it);
    after(it, before);
  }
  return it;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("whatever is told in whatever order", () => {
  test("the fold of every prefix of the log, as the disk has it, is the state that was lived through", () => {
    fc.assert(
      fc.property(lives, (happened) => {
        let replayed: Run = fold(history(GIVEN).writes("first", "second").envelopes);
        let seen = 3;
        live(happened, (it) => {
          const fresh = it.envelopes.slice(seen).map((envelope) => plain(envelope) as Envelope);
          seen = it.envelopes.length;
          replayed = fresh.reduce(evolve, plain(replayed) as Run);
          expect(plain(replayed)).toEqual(plain(it.run));
        });
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  test("the list keeps its rules", () => {
    fc.assert(
      fc.property(lives, (happened) => {
        const used = new Map<string, string>();
        live(happened, (it, before) => {
          expect(brokenRules(it.run.plan.todos)).toEqual([]);
          for (const { id } of it.run.plan.todos) {
            const isNew = !before.plan.todos.some((todo) => todo.id === id);
            if (isNew) expect(used.has(id), `${id} was used before`).toBe(false);
            used.set(id, id);
          }
        });
      }),
      { seed: 1, numRuns: 150 },
    );
  });

  test("no counter is ever negative, or no number", () => {
    fc.assert(
      fc.property(lives, (happened) => {
        live(happened, ({ run: { ledger } }) => {
          const {
            since,
            failures: failed,
            spent,
            background,
            asked,
            activity,
            boundaries,
            rounds,
            addedProgress,
            errors,
          } = ledger;
          const entries = Object.values(ledger.todoLedgers).flatMap((entry) => Object.values(entry));
          const all = [
            since,
            failed,
            spent,
            background,
            { asked, activity, boundaries, rounds, addedProgress, errors },
            entries,
          ].flatMap((each) => Object.values(each));
          for (const count of all) if (typeof count === "number") expect(count).toBeGreaterThanOrEqual(0);
        });
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  test("after a hold no nudge until unhold, after an interrupt none until the agent took the work up on the user's word", () => {
    fc.assert(
      fc.property(lives, (happened) => {
        const { envelopes } = live(happened, () => {});
        let held = false;
        let interrupted: "no" | "yes" | { readonly turn: string } = "no";
        for (const { by: who, event } of envelopes) {
          if (event.type === "human.held") held = true;
          if (event.type === "human.unheld") [held, interrupted] = [false, "no"];
          if (event.type === "human.interrupted") interrupted = "yes";
          if (event.type === "turn.started" && interrupted !== "no")
            interrupted = event.cause === "human" ? { turn: event.turn } : interrupted;
          const isList = who === "model" && (event.type.startsWith("todo.") || event.type.startsWith("todos."));
          const isWork = event.type === "activity.seen" || isList;
          if (isWork && typeof interrupted === "object") interrupted = "no"; // generous: any work after your turn began
          if (event.type === "nudge.intended") expect([held, interrupted]).toEqual([false, "no"]);
        }
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  test("one boundary, at most one nudge that went out; and none after it was decided to stop", () => {
    fc.assert(
      fc.property(lives, (happened) => {
        const { envelopes } = live(happened, () => {});
        const delivered = new Map<string, number>();
        let decided = "";
        let intended = "";
        for (const { event } of envelopes) {
          if (event.type === "decision.made") decided = event.decision.type;
          if (event.type === "nudge.intended") {
            expect(decided).toBe("continue");
            intended = event.boundary;
          }
          if (event.type === "nudge.delivered") delivered.set(intended, (delivered.get(intended) ?? 0) + 1);
        }
        for (const [boundary, count] of delivered) expect(count, boundary).toBe(1);
      }),
      { seed: 1, numRuns: 150 },
    );
  });

  test("a boundary that waits has an end, is parked, or waits for a host, a check or a person that can be named", () => {
    const ENDED_BY_AN_EVENT = ["human", "question", "approval"];
    fc.assert(
      fc.property(lives, (happened) => {
        live(happened, ({ run: { status, ledger } }) => {
          const { boundary, decision } = ledger;
          if (status !== "live" || boundary?.status !== "waiting" || decision?.type !== "wait") return;
          if (boundary.until === undefined) expect(ENDED_BY_AN_EVENT).toContain(decision.reason);
        });
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});

describe("whatever stands in a log", () => {
  const types = fc.constantFrom(
    ...(Object.keys(EVENTS) as RunEvent["type"][]),
    "todo.dreamt",
    "constructor.name",
    "",
    "__proto__",
    "run",
  );
  const fields = [
    "ids",
    "items",
    "order",
    "dropped",
    "id",
    "turn",
    "boundary",
    "decision",
    "usage",
    "receipts",
    "plan",
    "budget",
    "path",
    "forest",
    "words",
    "reason",
    "to",
    "until",
    "guard",
    "owners",
    "digests",
    "counts",
    "approval",
    "call",
    "round",
  ];
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
    fc.constantFrom<unknown>(["t1"], [null], { todos: [null] }, "t1", -1, [{ id: "t1" }], { type: "continue" }),
  );
  const garbage = fc
    .tuple(types, fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 8 }))
    .map(([type, given]) => ({ seq: 1, at: 1, by: "engine", v: 1, event: { ...given, type } }));

  test("what cannot be read is named and goes no further, and with the rest the fold continues", () => {
    fc.assert(
      fc.property(lives, fc.array(garbage, { maxLength: 20 }), (happened, rubbish) => {
        const { run } = live(happened, () => {});
        const read = rubbish.map(readRow);
        for (const envelope of read) {
          if (isUnread(envelope)) expect(envelope.problem).not.toBe("");
          else expect(decide(evolve(run, envelope), DEFAULTS, 1).type).toMatch(/^(continue|wait|stop)$/);
        }
        const folded = fold(read.flatMap((envelope) => (isUnread(envelope) ? [] : [envelope])));
        expect(decide(folded, DEFAULTS, 1).rule).not.toBe("");
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  test("everything that we write can be read", () => {
    fc.assert(
      fc.property(lives, (happened) => {
        for (const { event } of live(happened, () => {}).envelopes)
          expect(problemOf(plain(event) as RunEvent)).toBeUndefined();
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  test.each([
    [{ type: "todo.dreamt" }, '"todo.dreamt" is not an event that this version knows'],
    [{ type: "constructor" }, '"constructor" is not an event that this version knows'],
    [{ type: "todo.started" }, "\"todo.started\" has no readable 'ids'"],
    [{ type: "todo.started", ids: ["t1", 2] }, "\"todo.started\" has no readable 'ids'"],
    [
      { type: "background.changed", agents: -1, awaited: 0, until: 5 },
      "\"background.changed\" has no readable 'agents'",
    ],
    [{ type: "human.spoke", more: 1 }, undefined],
  ])("%j", (event, problem) => expect(problemOf(event)).toBe(problem));
});

/** The rules of a list, written down a second time: nothing here calls what keeps them. */
function brokenRules(list: readonly Todo[]): readonly string[] {
  const broken: string[] = [];
  const rule = (holds: boolean, name: string) => holds || broken.push(name);
  rule(list.length <= 100, "at most 100 items");
  rule(new Set(list.map(({ id }) => id)).size === list.length, "ids are unique");
  rule(new Set(list.map((todo) => todo.text)).size === list.length, "texts are unique");
  for (const todo of list) {
    rule(todo.text.length >= 1 && todo.text.length <= 1000, "a text has 1 to 1000 characters");
    rule(todo.text === todo.text.trim() && !/[\n\r\u0000-\u001f]/.test(todo.text), "a text is one line");
    rule(
      ["not_started", "in_progress", "blocked", "completed", "abandoned"].includes(todo.status),
      "a status is one of five",
    );
    const needsReason = todo.status === "blocked" || todo.status === "abandoned";
    rule(
      needsReason === (todo.reason !== undefined && todo.reason !== ""),
      "a reason stands with blocked and abandoned only",
    );
    rule(!reaches(list, todo.needs, todo.id, list.length), "no item needs itself, also not in a circle");
  }
  return broken;
}

function reaches(list: readonly Todo[], needs: readonly string[], id: string, steps: number): boolean {
  if (needs.includes(id)) return true;
  if (steps === 0) return false;
  const next = list.filter((todo) => needs.includes(todo.id)).flatMap((todo) => todo.needs);
  return next.length > 0 && reaches(list, next, id, steps - 1);
}
