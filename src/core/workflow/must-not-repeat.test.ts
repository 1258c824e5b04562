// Defects of the older implementation, one test each, by the number they carry in the list of what must not be repeated.
// Those about reading folders stand in workflows/must-not-repeat.test.ts; those about a host stand with the host.
import { expect, test } from "vitest";
import { aPhase, aWorkflow, cancelIn, LOOP, NEXT, Run, STATUS } from "../../../test/builders/workflow.ts";
import { contextBlock, notDoneNudge } from "./context.ts";
import { evolveWorkflow } from "./evolve.ts";
import { gate } from "./gate.ts";
import { completionNotice, driftNotice, initialMessage } from "./notice.ts";
import { proposeWorkflow, type WorkflowCommand } from "./propose.ts";
import { driftOf } from "./state.ts";

const nested = [aWorkflow("root", ["plan", ">inner"]), aWorkflow("inner", ["one", "two", "three"])];

test("W2: loop enters the subworkflow its scope begins with, and next continues from there", () => {
  const run = new Run([aWorkflow("root", [">inner", "last"]), aWorkflow("inner", ["one", "two"])]);
  for (const command of [NEXT, NEXT, LOOP]) run.do(command);
  expect(run.at).toBe("root>inner/one");
  run.do(NEXT);
  expect(run.at).toBe("root>inner/two");
});

test("W3: nested progress counts the innermost scope, and the previous phase is the one before", () => {
  const run = new Run([
    nested[0]!,
    aWorkflow("inner", ["one", "two", aPhase("three", { instructions: "after {previousPhaseName}" })]),
  ]);
  for (const command of [NEXT, NEXT, NEXT]) run.do(command);
  expect(contextBlock(run.state)).toContain("**Progress:** step 4 of 4 ([2/2] > [3/3])");
  expect(contextBlock(run.state)).toContain("after Two");
});

test.each<[string, WorkflowCommand]>([
  ["next", NEXT],
  ["loop", LOOP],
  ["status", STATUS],
  ["a refused next", { type: "next", exit: { phaseTodosOpen: 1, checks: { status: "passed" }, tripwire: "clear" } }],
  ["a refused loop", { type: "loop", tripwire: "tripped" }],
])("W4: %s forgets the cancel that was asked for", (_name, action) => {
  const run = new Run(nested);
  for (const command of [cancelIn("t1"), action, cancelIn("t1")]) run.do(command);
  expect(run.state).toMatchObject({ status: "active", cancelRequestedIn: "t1" });
});

test("W4: a cancel asked for in an earlier turn, or before a resume, does not make one cancel final", () => {
  const run = new Run(nested);
  run.do(cancelIn("t1"));
  const resumed = run.events.reduce(evolveWorkflow, undefined);
  const proposal = proposeWorkflow(resumed, cancelIn("t2"));
  expect(proposal.events).toEqual([{ type: "workflow.cancel_requested", turn: "t2" }]);
});

test("W5: no text leaves with a variable in it", () => {
  const every =
    "{workflowName} {workflowKey} {description} {taskId} {phaseId} {phaseName} {previousPhaseName} {nextPhaseName} {blockedToolsList} {toolName} {breadcrumbPath} {globalStepCount}";
  const run = new Run([
    aWorkflow("w", [aPhase("one", { instructions: every }), aPhase("two", { instructions: every })], {
      roleInstruction: every,
      advanceReminder: every,
      notDoneReminder:
        "{workflowName} {workflowKey} {taskId} {taskDescription} {phaseName} {phaseEmoji} {phaseInstructions}",
      initialMessage:
        "{workflowName} {workflowKey} {description} {firstPhaseId} {firstPhaseName} {firstPhaseEmoji} {firstPhaseProfiles}",
      completionMessage: "{workflowName} {taskDescription} {taskId} {phaseCount}",
      blockReasonTemplate: "{workflowName} {phaseName} {toolName} {allowedTools}",
    }),
  ]);
  const said = [initialMessage(run.state!), run.do(STATUS), run.do(NEXT), run.do(LOOP), notDoneNudge(run.state!)];
  said.push(contextBlock(run.state)!, completionNotice(run.state!));
  for (const text of said) expect(text).not.toMatch(/\{\w+\}/);
  expect(said[2]).toContain("The w w Ship it wf-1 two Two One DONE (none) workflow_step The w 1");
});

test("W10: without a definition the gate is closed, and says how out", () => {
  const state = { ...new Run(nested).state!, forest: [] };
  expect(gate(state, "read", ["@read"])).toEqual({
    allowed: false,
    reason: expect.stringContaining("action 'cancel'"),
  });
  const lostStart = evolveWorkflow(undefined, new Run(nested).events[0]!);
  const orphan = evolveWorkflow(undefined, { type: "phase.entered", path: lostStart!.path });
  expect(gate(orphan, "edit", ["@write"]).allowed).toBe(false);
});

test("W11: a run keeps the definition it started with, refers to phases by id, and reports drift", () => {
  const run = new Run(nested);
  run.do(NEXT);
  const resumed = run.events.reduce(evolveWorkflow, undefined)!;
  expect(resumed.forest).toEqual(nested);
  expect(resumed.path.map(({ phaseId }) => phaseId)).toEqual(["inner", "one"]);
  expect([driftOf(resumed, "print-1"), driftOf(resumed, "print-2"), driftOf(resumed, undefined)]).toEqual([
    "none",
    "changed",
    "missing",
  ]);
  expect([driftNotice(resumed, "none"), driftNotice(resumed, "changed")]).toEqual([
    undefined,
    expect.stringContaining("keeps the version"),
  ]);
});

test("W12: a whitelist leaves the todo tools alone, and knows groups and patterns", () => {
  const tools = { rule: "only", tools: ["@read", "mcp__docs__*"] } as const;
  const { state } = new Run([aWorkflow("w", [aPhase("plan", { tools })])]);
  const allowed = (tool: string, ...kinds: Parameters<typeof gate>[2]) => gate(state, tool, kinds).allowed;
  expect([
    allowed("write_todos"),
    allowed("grep", "@read"),
    allowed("mcp__docs__find"),
    allowed("bash", "@shell"),
  ]).toEqual([true, true, true, false]);
});

test("W15: of a phase that serves twice, only the current use is marked", () => {
  const run = new Run([aWorkflow("root", [">review", "build", ">review"]), aWorkflow("review", ["read"])]);
  for (const command of [NEXT, NEXT]) run.do(command);
  expect(contextBlock(run.state)).toContain("**All Steps:**\n1. 🔧 Read\n2. 🔧 Build\n▶ 3. 🔧 Read\n");
});

test("W16: what a host needs to draw a result again stands in its details", () => {
  const proposal = proposeWorkflow(new Run(nested).state, NEXT);
  expect(proposal.ok && proposal.result.details).toEqual({ action: "next", advanced: true, from: "Plan", to: "One" });
});

test("W18: a workflow ends without its definition, finished or cancelled", () => {
  const state = { ...new Run(nested).state!, forest: [] };
  const finished = evolveWorkflow(state, { type: "workflow.finished" });
  expect([finished?.status, completionNotice(finished!)]).toEqual([
    "finished",
    expect.stringContaining("**Task:** Ship it"),
  ]);
  const cancelled = proposeWorkflow(state, { type: "cancel", by: "human" });
  expect(cancelled).toMatchObject({ ok: true, events: [{ type: "workflow.cancelled" }] });
});

test("W19: a summary is kept with the phase it is about, and shown to later phases", () => {
  const run = new Run(nested);
  run.do({ ...NEXT, summary: " Use the queue.\nNot the poll. " } as WorkflowCommand);
  expect(run.state?.summaries).toEqual([{ phaseName: "Plan", text: "Use the queue.\nNot the poll." }]);
  expect(contextBlock(run.state)).toContain("**Handed over by earlier phases:**\n> Plan: Use the queue. Not the poll.");
});

test("W20: the default role asks for no tool and forbids none; the rules of the phase say what is allowed", () => {
  const free = contextBlock(new Run(nested).state);
  expect(free).not.toMatch(/delegate|subagent|edit|\bwrite\b|orchestrat/i);
  const tools = { rule: "except", tools: ["edit"] } as const;
  expect(contextBlock(new Run([aWorkflow("w", [aPhase("plan", { tools })])]).state)).toContain(
    "**Tools:** everything except edit.",
  );
});
