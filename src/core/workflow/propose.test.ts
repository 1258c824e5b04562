import { describe, expect, test } from "vitest";
import {
  aPhase,
  aWorkflow,
  CLEAR,
  cancelIn,
  LOOP,
  NEXT,
  Run,
  STATUS,
  startOf,
} from "../../../test/builders/workflow.ts";
import type { Forest } from "./definition.ts";
import { proposeWorkflow, type WorkflowCommand } from "./propose.ts";

const linear = [aWorkflow("dev", ["plan", "build", "review"])];
const nested = [aWorkflow("release", ["plan", ">review", "ship"]), aWorkflow("review", ["lint", "read"])];
const deep = [
  aWorkflow("a", [">b"]),
  aWorkflow("b", ["b1", ">c"]),
  aWorkflow("c", [">d"]),
  aWorkflow("d", ["d1", "d2"]),
];

/** Every place a run visits when it is only ever told to continue. */
function visits(forest: Forest, ...before: readonly WorkflowCommand[]): readonly string[] {
  const run = new Run(forest);
  for (const command of before) run.do(command);
  const seen = [run.at];
  while (run.state?.status === "active" && seen.length < 50) {
    run.do(NEXT);
    seen.push(run.at);
  }
  return seen;
}

test.each<[string, Forest, readonly string[]]>([
  ["a list of phases", linear, ["dev/plan", "dev/build", "dev/review", "finished"]],
  ["one phase", [aWorkflow("w", ["only"])], ["w/only", "finished"]],
  [
    "a subworkflow in the middle",
    nested,
    ["release/plan", "release>review/lint", "release>review/read", "release/ship", "finished"],
  ],
  ["a subworkflow first", [aWorkflow("w", [">s", "end"]), aWorkflow("s", ["s1"])], ["w>s/s1", "w/end", "finished"]],
  [
    "a subworkflow last",
    [aWorkflow("w", ["one", ">s"]), aWorkflow("s", ["s1", "s2"])],
    ["w/one", "w>s/s1", "w>s/s2", "finished"],
  ],
  [
    "the same subworkflow twice in a row",
    [aWorkflow("w", [">s", ">s"]), aWorkflow("s", ["s1"])],
    ["w>s/s1", "w>s/s1", "finished"],
  ],
  ["levels that begin and end together", deep, ["a>b/b1", "a>b>c>d/d1", "a>b>c>d/d2", "finished"]],
])("%s is visited in order", (_name, forest, expected) => {
  expect(visits(forest)).toEqual(expected);
});

describe("loop", () => {
  test.each<[string, Forest, number, string]>([
    ["goes back to the first phase", linear, 2, "dev/plan"],
    ["stays inside the innermost scope", nested, 2, "release>review/lint"],
    ["on the first phase stays there", linear, 0, "dev/plan"],
  ])("%s", (_name, forest, nexts, expected) => {
    const run = new Run(forest);
    for (let i = 0; i < nexts; i++) run.do(NEXT);
    run.do(LOOP);
    expect(run.at).toBe(expected);
  });

  test.each<[string, boolean, boolean, number, string]>([
    ["the scope forbids it, its parent does not", true, false, 1, "w>s/s1 loop_disabled"],
    ["the parent forbids it, the scope does not", false, true, 1, "w>s/s1 ok"],
    ["the parent forbids it and is the scope", false, true, 0, "w/one loop_disabled"],
  ])("%s -> %s %s", (_name, parent, scope, nexts, expected) => {
    const run = new Run([
      aWorkflow("w", ["one", ">s"], { loopable: parent }),
      aWorkflow("s", ["s1"], { loopable: scope }),
    ]);
    for (let i = 0; i < nexts; i++) run.do(NEXT);
    const said = run.do(LOOP);
    expect(`${run.at} ${said.startsWith("loop_disabled") ? "loop_disabled" : "ok"}`).toBe(expected);
  });
});

describe("what leaves a phase", () => {
  const guarded = [aWorkflow("w", [aPhase("build", { checks: [{ run: "npm test", by: "plan" }] }), "end"])];
  const failed = { status: "failed", command: "npm test", output: "1 failing" } as const;
  test.each<[string, string, Partial<typeof CLEAR>]>([
    ["everything is in order", "w/end", {}],
    ["a todo of the phase is open", "phase_todos_open", { phaseTodosOpen: 2 }],
    ["its checks have not run", "phase_checks_needed", { checks: { status: "not_run" } }],
    ["a check failed", "phase_check_failed", { checks: failed }],
    ["files changed in a read-only phase", "read_only_phase_changed", { tripwire: "tripped" }],
    ["the tripwire speaks before the todos", "read_only_phase_changed", { tripwire: "tripped", phaseTodosOpen: 1 }],
    ["open todos speak before the checks", "phase_todos_open", { phaseTodosOpen: 1, checks: failed }],
  ])("%s -> %s", (_situation, expected, exit) => {
    const run = new Run(guarded);
    const said = run.do({ type: "next", exit: { ...CLEAR, ...exit } });
    expect(run.at === "w/build" ? said.split(":")[0] : run.at).toBe(expected);
  });

  test("a phase without checks asks for no receipt", () => {
    const run = new Run(linear);
    run.do({ type: "next", exit: { ...CLEAR, checks: { status: "not_run" } } });
    expect(run.at).toBe("dev/build");
  });

  test("the refusal shows the end of the check's output, bounded, and what to do", () => {
    const run = new Run(guarded);
    const output = `${"x".repeat(9000)}\n1 failing: {phase}`;
    const said = run.do({ type: "next", exit: { ...CLEAR, checks: { ...failed, output } } });
    expect(said).toContain("A check of the phase Build failed: npm test\nMake it pass");
    expect(said.endsWith("1 failing: {phase}")).toBe(true);
    expect(said.length).toBeLessThan(4300);
  });

  test("loop does not get around the tripwire", () => {
    const run = new Run(linear);
    run.do(NEXT);
    const said = run.do({ type: "loop", tripwire: "tripped" });
    expect([run.at, said.split(":")[0]]).toEqual(["dev/build", "read_only_phase_changed"]);
  });
});

describe("start", () => {
  const code = (command: WorkflowCommand, state = new Run(linear).state) => {
    const proposal = proposeWorkflow(state, command);
    return proposal.ok ? "ok" : proposal.refusal.code;
  };
  test.each<[string, string, WorkflowCommand]>([
    ["a workflow is active", "already_active", startOf(linear)],
    ["it replaces the active one", "ok", { ...startOf(linear), whenActive: "replace" } as WorkflowCommand],
    ["the key is not in the forest", "definition_missing", { ...startOf(linear), workflowKey: "x" } as WorkflowCommand],
    ["it begins with a reference to nothing", "definition_missing", startOf([aWorkflow("w", [">gone"])])],
    ["it is a part of others", "internal_workflow", startOf([aWorkflow("w", ["one"], { show: "workflows" })])],
    ["no words", "no_description", startOf(linear, " \n")],
    ["too many words", "description_too_long", startOf(linear, "x".repeat(20_001))],
  ])("%s -> %s", (_situation, expected, command) => {
    expect(code(command)).toBe(expected);
  });

  test("replacing an active workflow cancels it in the log", () => {
    const run = new Run(linear);
    run.do({ ...startOf(nested), whenActive: "replace" } as WorkflowCommand);
    expect(run.events.map(({ type }) => type)).toEqual(["workflow.started", "workflow.cancelled", "workflow.started"]);
    expect(run.at).toBe("release/plan");
  });

  test("a new one may start after one ended", () => {
    const run = new Run([aWorkflow("w", ["one"])]);
    run.do(NEXT);
    run.do(startOf(linear));
    expect(run.at).toBe("dev/plan");
  });
});

describe("without an active workflow", () => {
  test.each<[string, WorkflowCommand]>([
    ["no_workflow: No active workflow to next.", NEXT],
    ["no_workflow: No active workflow to loop.", LOOP],
    ["no_workflow: No active workflow to cancel.", cancelIn("t1")],
    ["No active workflow. Use /workflow", STATUS],
  ])("%s", (expected, command) => {
    const proposal = proposeWorkflow(undefined, command);
    expect(proposal.events).toEqual([]);
    expect(proposal.ok ? proposal.result.text : `${proposal.refusal.code}: ${proposal.refusal.message}`).toContain(
      expected,
    );
  });

  test("a finished and a cancelled one are not active", () => {
    const finished = new Run([aWorkflow("w", ["one"])]);
    finished.do(NEXT);
    const cancelled = new Run(linear);
    cancelled.do({ type: "cancel", by: "human" });
    expect([finished.do(NEXT), cancelled.do(NEXT)].map((said) => said.split(":")[0])).toEqual([
      "no_workflow",
      "no_workflow",
    ]);
  });
});

describe("cancel", () => {
  test("the model is asked to confirm, then it is final", () => {
    const run = new Run(linear, "Build the thing");
    expect(run.do(cancelIn("t1"))).toContain('⚠️ **Confirm cancellation** of workflow "Build the thing"?');
    expect(run.at).toBe("dev/plan");
    expect(run.do(cancelIn("t1"))).toBe('Workflow cancelled: "Build the thing"');
    expect(run.at).toBe("cancelled");
  });

  test("the user's word is final at once, and the user is told", () => {
    const proposal = proposeWorkflow(new Run(linear).state, { type: "cancel", by: "human" });
    expect(proposal).toMatchObject({
      ok: true,
      events: [{ type: "workflow.cancelled" }],
      notice: expect.stringContaining("cancelled"),
    });
  });
});

test("finishing tells the model and, once, the user", () => {
  const { state } = new Run([aWorkflow("w", ["one"])]);
  const proposal = proposeWorkflow(state, NEXT);
  expect(proposal).toMatchObject({
    ok: true,
    events: [{ type: "workflow.finished" }],
    result: { details: { action: "next", advanced: true, from: "One", to: "DONE" } },
    notice: expect.stringContaining("The w complete"),
  });
});

test("no command changes the state it was given", () => {
  const run = new Run(nested);
  const frozen = JSON.stringify(run.state);
  for (const command of [NEXT, LOOP, STATUS, cancelIn("t"), startOf(linear)]) proposeWorkflow(run.state, command);
  expect(JSON.stringify(run.state)).toBe(frozen);
});

test.each<[string, readonly WorkflowCommand[], string]>([
  [
    "next",
    [NEXT],
    "✓ Entered subworkflow 'The review': Plan → 🔧 Lint\n\nPrevious: Plan | Current: 🔧 Lint | Next: Read | Step 2 of 4\n\n**What to do in Lint:**\nDo lint.",
  ],
  ["next within a scope", [NEXT, NEXT], "✓ Advanced: Lint → 🔧 Read\n\n"],
  [
    "next out of a scope",
    [NEXT, NEXT, NEXT],
    "✓ Exited subworkflow, returning to The release: Read → 🔧 Ship\n\nPrevious: Read | Current: 🔧 Ship | Next: DONE | Step 4 of 4\n\n",
  ],
  [
    "next at the end",
    [NEXT, NEXT, NEXT, NEXT],
    "✓ Advanced: Ship → DONE\n\nPrevious: Ship | Current: ✅ Done | Next: DONE\n\n🎉 **All phases complete!**",
  ],
  ["loop", [NEXT, NEXT, LOOP], "🔄 Looped 'The review' back to: 🔧 Lint\n\n**What to do in Lint:**\nDo lint."],
  [
    "status",
    [STATUS],
    "**Workflow:** The release (release)\n**Task ID:** wf-1\n**Description:**\n> Ship it\n**Phase:** 🔧 Plan [1/3]\n**Progress:** step 1 of 4\n**Started:** 2023-11-14T22:13:20.000Z\n\n**What to do in Plan:**\nDo plan.",
  ],
  [
    "status in a subworkflow",
    [NEXT, STATUS],
    "**Path:** The release > The review\n**Phase:** 🔧 Lint [2/3] > [1/2]\n**Progress:** step 2 of 4\n",
  ],
])("%s says", (_name, commands, expected) => {
  const run = new Run(nested);
  const said = commands.map((command) => run.do(command)).at(-1);
  expect(said).toContain(expected);
});

test("one subworkflow right after another says which one was entered", () => {
  const run = new Run([aWorkflow("w", [">s", ">t"]), aWorkflow("s", ["s1"]), aWorkflow("t", ["t1"])]);
  expect(run.do(NEXT)).toContain("✓ Entered subworkflow 'The t': S1 → 🔧 T1");
});

test("a phase's todos, checks and tools stand beside its instructions", () => {
  const phase = aPhase("build", {
    tools: { rule: "only", tools: ["@read", "edit"] },
    todos: [{ text: "Write the test", priority: "medium", checks: [], askFirst: false }],
    checks: [{ run: ["npm", "test"], by: "plan" }],
  });
  const run = new Run([aWorkflow("w", ["one", phase])]);
  expect(run.do(NEXT)).toContain(
    "**Tools:** only @read, edit, besides the todo tools and workflow_step.\n**Todos of this phase** (finish them before 'next'):\n- Write the test\n**Checks that must pass before 'next':**\n- npm test",
  );
});
