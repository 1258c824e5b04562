import { describe, expect, test } from "vitest";
import { aReceipt, type History, history } from "../../testing/index.ts";
import { STOP, type StopReason } from "../reason/index.ts";
import type { Budget } from "../run/index.ts";
import { resumeProblem, type Trigger } from "./index.ts";

const budgeted = (budget: Budget) => ({ birth: { budget } });
const OFTEN = Array.from({ length: 10 });
const usage = { input: 100, output: 0, cacheRead: 0, cacheWrite: 0, cost: 10 };
const idles = (it: History): History => OFTEN.slice(0, 3).reduce((so: History) => so.goesOn(), it);
const words = { id: "w1", text: "Use the new parser.", kind: "steer" } as const;

/** How each reason comes about, and whether the person's bare word continues it. */
const STOPS: Readonly<Record<StopReason, { readonly stopped: () => History; readonly first?: Trigger | "nothing" }>> = {
  disabled: {
    stopped: () => history().writes("a").turn("human").tell({ type: "continuation.switch", on: false }).ends(),
  },
  held: { stopped: () => history().writes("a").turn("human").holds().ends() },
  interrupted: { stopped: () => history().writes("a").turn("human").aborts() },
  no_todos: { stopped: () => history().goal("Ship it").turn("human").ends().goesOn() },
  read_only: {
    stopped: () => history().writes("a").turn("human").tell({ type: "mode.changed", readOnly: true }).ends(),
  },
  all_done: {
    stopped: () =>
      history({ birth: { checks: [{ run: "make test", by: "human" }] } })
        .writes("a")
        .turn("human")
        .works()
        .completes(0)
        .checked(aReceipt("run", "make test"))
        .ends(),
    first: "nothing",
  },
  done_unproven: { stopped: () => history().writes("a").turn("human").works().completes(0).ends(), first: "nothing" },
  done_with_doubt: { stopped: () => history().writes("a").turn("human").completes(0).ends(), first: "nothing" },
  done_accepted: {
    stopped: () => history().writes("a").turn("human").completes(0).ends().tell({ type: "human.accept" }),
    first: "nothing",
  },
  budget_tokens: {
    stopped: () => spent({ tokens: 100 }),
    first: { type: "human.extend", budget: { tokens: 1000 } },
  },
  budget_cost: { stopped: () => spent({ cost: 5 }), first: { type: "human.extend", budget: { cost: 100 } } },
  budget_minutes: {
    stopped: () =>
      history(budgeted({ minutes: 1 }))
        .writes("a")
        .turn("human")
        .after(61_000)
        .works()
        .ends(),
    first: { type: "human.extend", budget: { minutes: 10 } },
  },
  budget_continuations: {
    stopped: () =>
      history(budgeted({ continuations: 1 }))
        .writes("a")
        .turn("human")
        .works()
        .ends()
        .goesOn()
        .goesOn(),
    first: { type: "human.extend", budget: { continuations: 5 } },
  },
  rate_limited: {
    stopped: () =>
      history({ limits: { rateLimitWindows: 0 } })
        .writes("a")
        .turn("human")
        .fails("rate_limit"),
  },
  provider_error: { stopped: () => history().writes("a").turn("human").fails("other") },
  host_failed: {
    stopped: () =>
      history({ limits: { backoffTries: 0 } })
        .writes("a")
        .turn("human")
        .fails("host"),
  },
  context_full: { stopped: () => history().writes("a").turn("human").fails("context_full") },
  host_limit: { stopped: () => history().writes("a").turn("human").fails("host_limit") },
  refused: { stopped: () => history().writes("a").turn("human").fails("refused") },
  blocked: { stopped: () => history().writes("a").turn("human").edits("block", 0).ends() },
  awaiting_release: {
    stopped: () => history().writes({ text: "a", askFirst: true }).turn("human").works().ends(),
    first: { type: "todos.human_edit", edit: { action: "release", indices: [0] } },
  },
  question: {
    stopped: () => history().writes("a").turn("human").asks().nudged().works().asks(),
  },
  no_progress: { stopped: () => idles(history().writes("a").turn("human").works().ends()) },
};

function spent(budget: Budget): History {
  return history(budgeted(budget))
    .writes("a")
    .turn("human")
    .works()
    .ends({ usage })
    .goesOn((it) => it.works());
}

describe("a person continues a run that stopped", () => {
  test.each(Object.keys(STOP) as StopReason[])("%s: what its row says continues it, and nothing less", (reason) => {
    const { stopped, first } = STOPS[reason];
    const it = stopped();
    expect(it.said).toBe(`stop ${reason}`);
    const nudges = it.nudges.length;
    it.tell({ type: "human.resume" });
    if (first !== undefined) {
      expect(it.reply.type, "the bare word").toMatch(/refused|ignored/);
      expect(it.nudges.length).toBe(nudges);
    }
    if (first === "nothing") return; // only something new to do continues what is finished
    if (first !== undefined) {
      it.tell({ ...first }).tell({ type: "log.moved" });
      it.tell({ type: "human.resume" });
    }
    expect([it.nudges.length, it.said.split(" ")[0]]).toEqual([nudges + 1, "continue"]);
    expect(STOP[reason].resume).toContain("--resume <run>");
  });

  test.each(
    (Object.keys(STOP) as StopReason[]).filter((reason) => !/^all_done|unproven|accepted|^budget/.test(reason)),
  )("%s: a message is delivered first", (reason) => {
    const it = STOPS[reason].stopped();
    it.tell({ type: "human.resume", words });
    expect(it.effects.filter(({ type }) => type === "words.deliver")).toEqual([{ type: "words.deliver", ids: ["w1"] }]);
    expect(it.said).toBe("wait human");
  });

  test("a new limit is a total, and one that is spent already is refused with a number that is not", () => {
    const it = spent({ tokens: 100 }).tell({ type: "human.resume", budget: { tokens: 50 } });
    expect(it.reply).toMatchObject({
      type: "refused",
      refusal: {
        message:
          "The budget is spent: 100 of 50 tokens. `tildone extend --tokens 100000` raises it; then send a message.",
      },
    });
    expect(it.run.ledger.budget).toEqual({ tokens: 100 });
    const context = { now: it.now, limits: it.limits, role: "driver" } as const;
    expect(resumeProblem(it.run, { type: "human.resume" }, context)).toBe(
      "The budget is spent: 100 of 100 tokens. Continue with: tildone run --resume run-1 --max-tokens 200",
    );
    it.tell({ type: "human.resume", budget: { tokens: 150 } });
    expect([it.said, it.run.ledger.budget]).toEqual(["continue todo", { tokens: 150 }]);
  });

  test("everything that would stop it again is set back, and nothing else", () => {
    const it = idles(history().writes("a").turn("human").works().ends()).holds();
    expect(it.said).toBe("stop held");
    it.tell({ type: "human.resume" });
    expect(it.envelopes.findLast(({ event }) => event.type === "human.resumed")?.event).toMatchObject({
      reasons: ["held", "no_progress"],
      resets: ["hold", "progress"],
    });
    expect(it.said).toBe("continue todo");
    const interrupted = history().writes("a").turn("human").works().ends().goesOn().nudged().aborts();
    const idle = interrupted.run.ledger.since.idle;
    expect(interrupted.tell({ type: "human.resume" }).run.ledger.since.idle).toBe(idle);
  });

  test("a process that takes over, with or without leave to start turns, resets nothing", () => {
    for (const goOn of [true, false]) {
      const it = idles(history().writes("a").turn("human").works().ends());
      const { since } = it.run.ledger;
      it.tell({ type: "run.open", driver: "two", goOn });
      expect([it.run.ledger.since, it.said]).toEqual([since, "stop no_progress"]);
    }
  });

  test("what continues already is left alone", () => {
    const working = history().writes("a").turn("human").tell({ type: "human.resume" });
    expect([working.reply, working.nudges]).toEqual([{ type: "ignored", why: "nothing_to_do" }, []]);
    const nudged = history().writes("a").turn("human").works().ends().tell({ type: "human.resume" });
    expect([nudged.reply, nudged.nudges.length]).toEqual([{ type: "ignored", why: "nothing_to_do" }, 1]);
  });

  test("a check that is asked for now must pass before it is done", () => {
    const it = history().writes("a").turn("human").aborts();
    it.tell({ type: "human.resume", checks: [{ run: "make test", by: "human" }] })
      .nudged()
      .works()
      .completes(0);
    expect(it.reply.type).toBe("checking");
  });

  test("an item that needs what was given up is named, and nothing is applied", () => {
    const it = history()
      .writes("a", { text: "b", needs: [0] })
      .turn("human")
      .works()
      .edits("abandon", 0)
      .ends();
    expect(it.said).toBe("stop blocked");
    const events = it.envelopes.length;
    expect(it.tell({ type: "human.resume" }).reply).toMatchObject({
      type: "refused",
      refusal: { message: expect.stringContaining("tildone todo reopen 0 --run run-1") },
    });
    expect(it.envelopes.length).toBe(events);
  });
});

describe("what you accept", () => {
  const unproven = () => history().writes("a").turn("human").works().completes(0).ends();

  test("after the end the run is judged again, and says so once", () => {
    const it = unproven().tell({ type: "human.accept" });
    expect([it.said, it.run.status, it.run.ledger.endReason]).toEqual(["stop done_accepted", "ended", "done_accepted"]);
    expect(it.tell({ type: "human.accept" }).reply).toEqual({ type: "ignored", why: "nothing_to_do" });
  });

  test("a cleared run is not accepted", () => {
    const it = history().writes("a").turn("human").tell({ type: "human.clear" }).tell({ type: "human.accept" });
    expect(it.reply).toEqual({ type: "ignored", why: "run_ended" });
  });

  test("a run in doubt is judged by any process: none has to drive it", () => {
    const doubtful = history().writes("a").turn("human").completes(0).ends();
    expect(doubtful.said).toBe("stop done_with_doubt");
    expect(doubtful.tell({ type: "human.accept" }).run.status).toBe("ended");
  });

  test("proposed checks run after the end, and what passes is proven", () => {
    const it = history().writes({ text: "a", check: "make a" }).turn("human").works().completes(0).ends();
    expect(it.said).toBe("stop done_unproven");
    it.tell({ type: "human.accept", checks: "run" });
    expect([it.run.status, it.said]).toEqual(["live", "wait verifying"]);
    it.checked(aReceipt(it.run.plan.todos[0]!.id, "make a"));
    expect([it.run.status, it.said]).toEqual(["ended", "stop all_done"]);
  });

  test("a proposed check that fails opens its todo again", () => {
    const it = history().writes({ text: "a", check: "make a" }).turn("human").works().completes(0).ends();
    it.tell({ type: "human.accept", checks: "run" });
    it.checked(aReceipt(it.run.plan.todos[0]!.id, "make a", { status: "failed" }));
    expect([it.run.status, it.run.plan.todos[0]!.status]).toEqual(["live", "in_progress"]);
  });
});

describe("a check and no list", () => {
  const checked = () => history({ birth: { checks: [{ run: "make test", by: "human" }], workspace: "w0" } });
  const receipt = (status: "passed" | "failed") => aReceipt("run", "make test", { status });

  test("work is judged by the check", () => {
    const it = checked().goal("Ship it").turn("human").works().ends({ workspace: "w1" });
    expect(it.said).toBe("wait verifying");
    expect(it.checked(receipt("passed")).said).toBe("stop all_done");
  });

  test("a check that fails is the list", () => {
    const it = checked().goal("Ship it").turn("human").works().ends({ workspace: "w1" }).checked(receipt("failed"));
    expect([it.said, it.run.plan.todos.map(({ text }) => text)]).toEqual([
      "continue todo",
      ["Make this check pass: make test"],
    ]);
  });

  test("an agent that does nothing is asked for the list, then judged, and does not get away", () => {
    const it = checked().goal("Ship it").turn("human").ends();
    expect(it.said).toBe("continue write_list");
    it.goesOn();
    expect(it.said).toBe("wait verifying");
    it.checked(receipt("failed"));
    expect(it.goesOn().goesOn().said).toBe("stop no_progress");
  });

  test("a check that passes although no work was seen proves nothing", () => {
    const it = checked().goal("Ship it").turn("human").ends().goesOn().checked(receipt("passed"));
    expect(it.run.ledger.decision).toMatchObject({ reason: "done_with_doubt", detail: "no work was seen" });
  });
});
