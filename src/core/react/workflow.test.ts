// A run with a workflow, from its first event on: everything goes through react(), as in the engine.

import { describe, expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { aPhase, aWorkflow, forests } from "../../../test/builders/workflow.ts";
import { aReceipt, type History, history } from "../../testing/index.ts";
import { doubtsOf } from "../continuation/index.ts";
import { fold } from "../run/index.ts";
import { currentPhase, type Forest, gate, type StepAction } from "../workflow/index.ts";

const READ_ONLY = { tools: { rule: "except", tools: ["@write"] } } as const;

interface Start {
  readonly workspace?: string;
  readonly into?: History;
  readonly whenActive?: "refuse" | "replace";
}

const started = (forest: Forest, given: Start = {}): History =>
  (given.into ?? history()).tell({
    type: "workflow.start",
    start: {
      workflowKey: forest[0]!.key,
      forest,
      fingerprint: "print",
      description: "Ship it",
      taskId: `wf-${given.into ? 2 : 1}`,
      whenActive: given.whenActive ?? "refuse",
    },
    ...(given.workspace !== undefined && { workspace: given.workspace }),
  });

function step(
  run: History,
  action: StepAction,
  given: { readonly workspace?: string; readonly summary?: string } = {},
): History {
  return run.tell({ type: "workflow.step", action, by: "model", ...given });
}

/** Where the run stands, or how the workflow ended. */
function at({ run: { plan } }: History): string {
  const { workflow } = plan;
  if (workflow?.status !== "active") return workflow?.status ?? "none";
  return currentPhase(workflow)?.phase.id ?? "lost";
}

/** `done`, or the code of the refusal. */
const answer = ({ reply }: History): string => (reply.type === "refused" ? reply.refusal.code : reply.type);

const NAMES: Readonly<Record<string, string>> = { plan: "Plan", build: "Build" };

const three = [aWorkflow("w", ["plan", "build", "review"])];

describe("an unfinished workflow is open work", () => {
  test("it gives birth to a run, and its nudge is the not-done reminder", () => {
    const run = started([aWorkflow("w", ["plan"], { notDoneReminder: "Not done: {phaseName} of {taskDescription}." })])
      .turn("human")
      .ends();
    expect(run.said).toBe("continue phase");
    expect(run.nudges.map(({ text }) => text)).toEqual(["Not done: Plan of Ship it."]);
  });

  test("todos come first, then the phase", () => {
    const run = started(three).turn("human").writes("one").ends();
    expect(run.said).toBe("continue todo");
    run.goesOn((turn) => turn.works().completes(0));
    expect(run.said).toBe("continue phase");
  });

  test("when the last phase is left and nothing else is open, the run is over", () => {
    const run = started([aWorkflow("w", ["plan", "build"])])
      .turn("human")
      .works();
    step(step(run, "next").works(), "next").ends();
    expect([at(run), run.said, run.run.status]).toEqual(["finished", "stop done_unproven", "ended"]);
    expect(run.effects.filter(({ type }) => type === "human.tell")).toHaveLength(1);
  });

  test.each([
    ["no work in any phase", [], ["plan", "build"]],
    ["work in the first only", ["plan"], ["build"]],
    ["work in the last only", ["build"], ["plan"]],
    ["work in both", ["plan", "build"], []],
  ])("rushed through with %s: the others are in doubt", (_how, worked, doubted) => {
    const run = started([aWorkflow("w", ["plan", "build"])]).turn("human");
    for (const name of ["plan", "build"]) step(worked.includes(name) ? run.works() : run, "next");
    run.ends();
    expect(doubtsOf(run.run)).toEqual(doubted.map((name) => `the phase "${NAMES[name]}" passed without any work seen`));
    expect(run.said).toBe(doubted.length > 0 ? "stop done_with_doubt" : "stop done_unproven");
  });

  test("writing the list is work in a phase, a loop that does the work takes the doubt away, and a phase you leave is yours", () => {
    const planned = started([aWorkflow("w", ["plan"])])
      .turn("human")
      .writes("one");
    expect(step(planned, "next").run.ledger.idlePhases).toEqual([]);
    const looped = step(started([aWorkflow("w", ["plan", "build"])]).turn("human"), "next");
    expect(looped.run.ledger.idlePhases).toEqual(["Plan"]);
    step(step(looped, "loop").works(), "next");
    expect(looped.run.ledger.idlePhases).toEqual(["Build"]); // left by the loop, and nothing was done in it
    const yours = started([aWorkflow("w", ["plan", "build"])]);
    yours.tell({ type: "workflow.step", action: "next", by: "human" });
    expect(yours.run.ledger.idlePhases).toEqual([]);
  });

  test("what you accept is not over while a workflow that you began since then is open", () => {
    const run = history().writes("a").says().completes(0).ends();
    expect(run.said).toBe("stop done_with_doubt");
    started(three, { into: run }).tell({ type: "human.accept" });
    expect([run.said, run.run.status]).toEqual(["continue phase", "live"]);
  });

  test("when the last phase is left and todos are open, the run continues with them", () => {
    const run = started([aWorkflow("w", ["plan"])])
      .turn("human")
      .writes("one");
    step(run, "next").ends();
    expect([at(run), run.said]).toEqual(["finished", "continue todo"]);
  });

  test("W7: a turn that failed is not continued as if nothing was", () => {
    expect(started(three).turn("human").fails("other").said).toBe("stop provider_error");
    expect(started(three).turn("human").fails("overload").said).toBe("wait backoff");
  });

  test("W24: an interrupt stops it visibly, and only the user's word lets it continue", () => {
    const run = started(three).turn("human").aborts();
    expect(run.said).toBe("stop interrupted");
    run.says().ends();
    expect(run.said).toBe("stop interrupted");
    run.unholds();
    expect(run.said).toBe("continue phase");
  });

  test("a phase entered in a turn that the user's words began takes up what was interrupted", () => {
    const run = started(three).turn("human").aborts().says();
    step(run, "next").ends();
    expect(run.said).toBe("continue phase");
  });
});

describe("progress", () => {
  test("a phase entered for the first time is progress, a looped re-entry is not", () => {
    const run = started(three).turn("human").ends();
    const idle = () => run.run.ledger.since.idle;
    run.goesOn();
    expect(idle()).toBe(1);
    run.goesOn((turn) => step(turn, "next"));
    expect(idle()).toBe(0);
    run.goesOn((turn) => step(turn, "loop"));
    expect(idle()).toBe(1);
    run.goesOn((turn) => step(turn, "next"));
    expect([at(run), idle()]).toEqual(["build", 2]);
    run.goesOn((turn) => step(turn, "next"));
    expect([at(run), idle()]).toEqual(["review", 0]);
  });

  test("three read-only phases in a row, each one turn of looking around, are walked through", () => {
    const run = started(
      [
        aWorkflow(
          "w",
          ["a", "b", "c"].map((id) => aPhase(id, READ_ONLY)),
        ),
      ],
      { workspace: "s" },
    )
      .turn("human")
      .ends({ workspace: "s" });
    for (let turn = 0; turn < 3; turn++) run.goesOn((each) => step(each.works(), "next", { workspace: "s" }));
    expect([at(run), run.said]).toEqual(["finished", "stop done_unproven"]);
  });

  test("a workflow that only loops stops for want of progress", () => {
    const run = started(three).turn("human").ends();
    for (let turn = 0; turn < 100 && run.said.startsWith("continue"); turn++) run.goesOn((each) => step(each, "loop"));
    expect(run.said).toBe("stop no_progress");
    expect(run.nudges).toHaveLength(run.limits.idleTurns);
  });
});

describe("the exit of a phase", () => {
  const checked = [aWorkflow("w", [aPhase("build", { checks: [{ run: "npm test", by: "plan" }] }), "end"])];
  const receipt = (status: "passed" | "failed", tail = "") => aReceipt("phase:build", "npm test", { status, tail });

  test("checks run before next leaves it; what they prove is progress", () => {
    const run = step(started(checked).turn("human"), "next", { summary: "built" });
    expect([run.reply.type, at(run), run.said]).toEqual(["checking", "build", "nothing"]);
    expect(run.effects.at(-1)).toMatchObject({
      type: "round.run",
      checks: [{ owner: "phase:build", check: { run: "npm test" } }],
    });
    run.checked(receipt("passed"));
    expect([answer(run), at(run)]).toEqual(["done", "end"]);
    expect(run.run.plan.workflow?.summaries).toEqual([{ phaseName: "Build", text: "built" }]);
  });

  test("a failed check keeps the phase, and the refusal shows the end of its output", () => {
    const run = step(started(checked).turn("human"), "next").checked(receipt("failed", `${"x".repeat(9000)}3 failing`));
    expect([answer(run), at(run)]).toEqual(["phase_check_failed", "build"]);
    expect(run.reply.type === "refused" && run.reply.refusal.message.slice(-60)).toMatch(/x{51}3 failing$/);
    expect(run.run.plan.todos).toEqual([]);
  });

  test("a second next while they run is refused", () => {
    const run = step(step(started(checked).turn("human"), "next"), "next");
    expect(answer(run)).toBe("phase_checks_running");
  });

  test("the user's word cuts them short, and the phase stays", () => {
    const run = step(started(checked).turn("human"), "next").holds();
    expect([at(run), run.run.ledger.verifying]).toEqual(["build", undefined]);
  });

  test("checks of a phase that was left meanwhile move nothing", () => {
    const run = step(started(checked).turn("human"), "next");
    started(three, { into: run, whenActive: "replace" }).checked(receipt("passed"));
    expect([answer(run), at(run)]).toEqual(["phase_moved", "plan"]);
  });

  const listed = [aWorkflow("w", [aPhase("build", { todos: [todo("Write it"), todo("Test it")] }), "end"])];

  test("todos of a phase stand on the list when it begins, and must be finished before next", () => {
    const run = step(started(listed).turn("human").works(), "next");
    expect(run.run.plan.todos.map(({ text, by }) => `${by}: ${text}`)).toEqual(["plan: Write it", "plan: Test it"]);
    expect(answer(run)).toBe("phase_todos_open");
    step(run.completes(0), "next");
    expect(answer(run)).toBe("phase_todos_open");
    step(run.completes(1), "next");
    expect(at(run)).toBe("end");
  });

  test("the agent's own todos do not keep a phase", () => {
    const run = started(three).turn("human").writes("later");
    expect(at(step(run, "next"))).toBe("build");
  });

  test("the agent's todo in the same words is the phase's", () => {
    const run = started([aWorkflow("w", ["plan", aPhase("build", { todos: [todo("Test it")] }), "end"])]);
    step(run.turn("human").writes("Test it"), "next");
    expect(run.run.plan.todos).toHaveLength(1);
    expect(answer(step(run, "next"))).toBe("phase_todos_open");
  });

  test("a phase entered again wants its todos done again; that is no second progress", () => {
    const run = step(started(listed).turn("human").works().completes(0, 1), "loop");
    expect(run.run.plan.todos.map(({ status }) => status)).toEqual(["not_started", "not_started"]);
    expect(answer(step(run, "next"))).toBe("phase_todos_open");
    run.ends();
    run.goesOn((turn) => turn.completes(0, 1));
    expect(run.run.ledger.since.idle).toBe(1);
  });

  test("a full list does not keep the agent out of a phase, and the user is told", () => {
    const run = started([aWorkflow("w", ["plan", aPhase("build", { todos: [todo("One more")] })])]).turn("human");
    run.writes(...Array.from({ length: 100 }, (_, index) => `todo ${index}`));
    step(run, "next");
    expect(at(run)).toBe("build");
    expect(run.effects.at(-1)).toMatchObject({
      type: "human.tell",
      notice: expect.stringContaining("are not on the list"),
    });
  });
});

describe("the tripwire of phases that forbid writing", () => {
  const flow = [aWorkflow("w", [aPhase("look", READ_ONLY), "build", aPhase("review", READ_ONLY), "end"])];
  const look = () => started(flow, { workspace: "before" }).turn("human");

  test.each<[string, StepAction, string, string]>([
    ["nothing changed", "next", "before", "build"],
    ["files changed", "next", "after", "look read_only_phase_changed"],
    ["files changed, and it loops", "loop", "after", "look read_only_phase_changed"],
    ["nothing changed, and it loops", "loop", "before", "look"],
  ])("%s: %s at %s -> %s", (_situation, action, workspace, expected) => {
    const run = step(look(), action, { workspace });
    expect(run.reply.type === "refused" ? `${at(run)} ${answer(run)}` : at(run)).toBe(expected);
  });

  test("what the phase before wrote does not trip it", () => {
    const run = step(step(look(), "next", { workspace: "before" }), "next", { workspace: "built" });
    expect(at(run)).toBe("review");
    expect(at(step(run, "next", { workspace: "built" }))).toBe("end");
  });

  test("undone changes let it go", () => {
    const run = step(step(look(), "next", { workspace: "after" }), "next", { workspace: "before" });
    expect(at(run)).toBe("build");
  });

  test("the user accepts them; words alone do not", () => {
    const run = step(look(), "next", { workspace: "after" });
    step(run.says(), "next", { workspace: "after" });
    expect(answer(run)).toBe("read_only_phase_changed");
    step(run.tell({ type: "human.accept" }), "next", { workspace: "after" });
    expect(at(run)).toBe("build");
    step(run, "next", { workspace: "after" });
    step(run, "next", { workspace: "more" });
    expect([at(run), answer(run)]).toEqual(["review", "read_only_phase_changed"]);
  });

  test("what its own checks write does not trip it", () => {
    const checks = [{ run: "npm test", by: "plan" }] as const;
    const run = started([aWorkflow("w", [aPhase("look", { ...READ_ONLY, checks }), "end"])], { workspace: "before" });
    step(run.turn("human"), "next", { workspace: "before" });
    run.checked(aReceipt("phase:look", "npm test", { status: "failed", workspace: "with coverage" }));
    step(run, "next", { workspace: "with coverage" });
    expect(run.reply.type).toBe("checking");
  });

  test("a workspace seen for the first time at next is activity of the turn", () => {
    const run = started(three, { workspace: "s0" }).turn("human").ends({ workspace: "s0" });
    run.goesOn((turn) => step(turn, "loop", { workspace: "s1" }));
    expect(run.run.ledger.since).toMatchObject({ idle: 0, still: 0 });
  });
});

describe("cancel", () => {
  test("takes two requests in one turn; anything between them, and a new turn, forgets the first", () => {
    const run = started(three).turn("human");
    expect(at(step(step(run, "cancel"), "status"))).toBe("plan");
    expect(at(step(run, "cancel"))).toBe("plan");
    run.ends().nudged();
    expect(at(step(run, "cancel"))).toBe("plan");
    expect(at(step(run, "cancel"))).toBe("cancelled");
  });

  test("by the agent leaves a doubt that the user may accept", () => {
    const run = started(three).turn("human").works();
    step(step(run, "cancel"), "cancel").ends();
    expect([run.said, run.run.ledger.decision]).toMatchObject([
      "stop done_with_doubt",
      { detail: "the workflow was cancelled by the agent before its end" },
    ]);
  });

  test("W9: by the user during the countdown voids the continuation", () => {
    const run = history({ limits: { countdownMs: 3000 } });
    started(three, { into: run }).turn("human").ends();
    expect(run.said).toBe("continue phase");
    run.tell({ type: "workflow.step", action: "cancel", by: "human" }).after(3000);
    run.tell({ type: "timer.fired", boundary: "b1" });
    expect([at(run), run.run.ledger.endReason, run.nudges]).toEqual(["cancelled", "cleared", []]);
  });

  test("by the user leaves the todos, and the run continues with them", () => {
    const run = started(three).turn("human").writes("one").ends();
    run.tell({ type: "workflow.step", action: "cancel", by: "human" });
    run.goesOn();
    expect([run.run.status, run.said]).toEqual(["live", "continue todo"]);
  });
});

test("a second workflow is refused while one is active, and replaces it on the user's word", () => {
  const run = started(three).turn("human");
  started([aWorkflow("other", ["one"])], { into: run });
  expect([answer(run), at(run)]).toEqual(["already_active", "plan"]);
  started([aWorkflow("other", ["one"])], { into: run, whenActive: "replace" });
  expect(at(run)).toBe("one");
});

test("a subagent may look, not move", () => {
  const run = started(three).turn("human");
  for (const action of ["next", "loop", "cancel"] as const) {
    run.tell({ type: "workflow.step", action, by: "subagent" });
    expect([answer(run), at(run)]).toEqual(["subagent_step", "plan"]);
  }
  expect(answer(run.tell({ type: "workflow.step", action: "status", by: "subagent" }))).toBe("done");
});

test("a start that is refused begins no run", () => {
  const run = started([aWorkflow("w", ["plan"], { show: "workflows" })]);
  expect([answer(run), run.run.status, run.envelopes]).toEqual(["internal_workflow", "unborn", []]);
});

describe("laws over random histories", () => {
  type Action = "next" | "loop" | "cancel" | "status" | "work" | "todo" | "done" | "turn" | "hold" | "unhold" | "speak";
  const actions = fc.array(
    fc.constantFrom<Action>(
      "next",
      "next",
      "next",
      "loop",
      "cancel",
      "status",
      "work",
      "todo",
      "done",
      "turn",
      "turn",
      "hold",
      "unhold",
      "speak",
    ),
    { maxLength: 60 },
  );

  function live(run: History, action: Action): void {
    switch (action) {
      case "next":
      case "loop":
      case "cancel":
      case "status":
        step(run, action, { workspace: "s" });
        return;
      case "work":
        run.works();
        return;
      case "todo":
        run.write("append", `todo ${run.run.plan.todos.length}`);
        return;
      case "done":
        if (run.run.plan.todos.length > 0) run.completes(run.run.plan.todos.length - 1);
        return;
      case "turn":
        if (run.run.ledger.turn) run.ends();
        else if (run.run.ledger.nudge) run.nudged();
        else run.turn("human");
        return;
      case "hold":
        run.holds();
        return;
      case "unhold":
        run.unholds();
        return;
      case "speak":
        run.says();
    }
  }

  test("the path stays valid, gates follow it, and the fold of the log is the run", () => {
    fc.assert(
      fc.property(forests, actions, (forest, list) => {
        const run = started(forest, { workspace: "s" }).turn("human");
        for (const action of list) {
          live(run, action);
          const { workflow } = run.run.plan;
          if (workflow?.status !== "active") continue;
          expect(currentPhase(workflow)).toBeDefined();
          expect(gate(workflow, "workflow_step", []).allowed && gate(workflow, "edit_todos", []).allowed).toBe(true);
        }
        expect(fold(run.envelopes)).toEqual(run.run);
        for (let cut = 0; cut < run.envelopes.length; cut += 7)
          expect(fold(run.envelopes.slice(cut), fold(run.envelopes.slice(0, cut)))).toEqual(run.run);
      }),
      { numRuns: 150 },
    );
  });

  test("phases are entered in their order, and next alone always comes to the end", () => {
    fc.assert(
      fc.property(forests, actions, (forest, list) => {
        const run = started(forest, { workspace: "s" }).turn("human");
        const order: string[] = [];
        const walk = started(forest).turn("human");
        for (let guard = 0; walk.run.plan.workflow?.status === "active" && guard < 1000; guard++) {
          order.push(JSON.stringify(walk.run.plan.workflow.path));
          step(walk, "next");
        }
        expect(walk.run.plan.workflow?.status).toBe("finished");
        for (const action of list) {
          const before = run.run.plan.workflow;
          live(run, action);
          const after = run.run.plan.workflow;
          if (before?.status !== "active" || after?.status !== "active") continue;
          const [from, to] = [before, after].map(({ path }) => order.indexOf(JSON.stringify(path)));
          const isAllowed = to === from || (action === "next" ? to === from! + 1 : action === "loop" && to! < from!);
          expect(isAllowed).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("after a hold no nudge goes out, whatever the workflow does", () => {
    fc.assert(
      fc.property(forests, actions, (forest, list) => {
        const run = started(forest, { workspace: "s" }).turn("human").holds();
        const before = run.nudges.length;
        for (const action of list.filter((each) => each !== "unhold")) live(run, action);
        expect(run.nudges).toHaveLength(before);
      }),
      { numRuns: 150 },
    );
  });
});

function todo(text: string) {
  return { text, priority: "medium", checks: [], askFirst: false } as const;
}
