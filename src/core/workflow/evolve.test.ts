import { expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { aWorkflow, cancelIn, forests, LOOP, NEXT, Run, STATUS } from "../../../test/builders/workflow.ts";
import { contextBlock, notDoneNudge } from "./context.ts";
import { type Forest, isReference, workflowOf } from "./definition.ts";
import type { WorkflowEvent } from "./event.ts";
import { evolveWorkflow, isNewPhase } from "./evolve.ts";
import { gate } from "./gate.ts";
import { cancelNotice, completionNotice, initialMessage, sessionName } from "./notice.ts";
import { MAX_STEPS, phaseAt } from "./path.ts";
import { statusLine } from "./progress.ts";
import { proposeWorkflow, type WorkflowCommand } from "./propose.ts";
import { currentPhase, isUnfinished, type WorkflowState } from "./state.ts";
import { statusResult } from "./step-result.ts";

const moves = fc.array(
  fc.constantFrom<WorkflowCommand>(NEXT, NEXT, NEXT, LOOP, STATUS, cancelIn("t1"), cancelIn("t2")),
  { maxLength: 40 },
);

/** The order a run must follow, found without any of the code under test. */
function order(forest: Forest, key: string, parents = ""): readonly string[] {
  return workflowOf(forest, key)!.phases.flatMap((entry, index) =>
    isReference(entry) ? order(forest, entry.subworkflow, `${parents}${key}:${index}>`) : [`${parents}${key}:${index}`],
  );
}

const place = (state: WorkflowState) =>
  state.path.map(({ workflowKey, phaseIndex }) => `${workflowKey}:${phaseIndex}`).join(">");

test("next alone visits every phase in order, once, and then ends", () => {
  fc.assert(
    fc.property(forests, (forest) => {
      const run = new Run(forest);
      const seen: string[] = [];
      while (run.state?.status === "active") {
        seen.push(place(run.state));
        run.do(NEXT);
      }
      expect(seen).toEqual(order(forest, "w0"));
      expect(run.state?.visited).toEqual(seen);
    }),
  );
});

test("whatever is asked, the path leads to a phase, a loop goes to the start of its scope, and the end can be reached", () => {
  fc.assert(
    fc.property(forests, moves, (forest, commands) => {
      const run = new Run(forest);
      const all = order(forest, "w0");
      for (const command of commands) {
        const before = run.state!;
        const from = place(before);
        run.do(command);
        if (run.state?.status !== "active") break;
        const to = place(run.state);
        expect(phaseAt(forest, run.state.path)).toBeDefined();
        if (command === NEXT) expect(to).toBe(all[all.indexOf(from) + 1]);
        else if (command === LOOP && currentPhase(before)?.scope.loopable)
          expect(all.indexOf(to)).toBe(startOfScope(all, before));
        else expect(to).toBe(from);
      }
      for (let left = all.length; left > 0 && isUnfinished(run.state); left--) run.do(NEXT);
      expect(run.state?.status).not.toBe("active");
    }),
  );
});

function startOfScope(all: readonly string[], { path }: WorkflowState): number {
  const parents = path
    .slice(0, -1)
    .map(({ workflowKey, phaseIndex }) => `${workflowKey}:${phaseIndex}>`)
    .join("");
  return all.findIndex((step) => step.startsWith(`${parents}${path.at(-1)!.workflowKey}:`));
}

test("replay of every prefix equals the state that grew with it", () => {
  fc.assert(
    fc.property(forests, moves, (forest, commands) => {
      const run = new Run(forest);
      const grown = [run.state];
      for (const command of commands) {
        const known = run.events.length;
        const proposal = proposeWorkflow(run.state, command);
        for (const event of proposal.events) {
          run.append(event);
          grown.push(run.state);
        }
        expect(run.events.length).toBe(known + proposal.events.length);
      }
      const stored: WorkflowEvent[] = JSON.parse(JSON.stringify(run.events));
      stored.reduce<WorkflowState | undefined>((state, event, index) => {
        const next = evolveWorkflow(state, event);
        expect(next).toEqual(grown[index]);
        return next;
      }, undefined);
    }),
  );
});

const TYPES = [
  "workflow.started",
  "phase.entered",
  "workflow.looped",
  "workflow.finished",
  "workflow.cancel_requested",
  "workflow.cancel_withdrawn",
  "workflow.cancelled",
  "unheard.of",
] as const;

/** Events of the right kind with anything in their fields, forests that refer to themselves and to nothing included. */
const segments = fc.array(
  fc.record({
    workflowKey: fc.constantFrom("w0", "w1", "x"),
    phaseIndex: fc.oneof(fc.integer(), fc.double()),
    phaseId: fc.constantFrom("p0", "w1"),
  }),
  { maxLength: 3 },
);
const anyWorkflow = fc.record(
  {
    key: fc.constantFrom("w0", "w1", "w2", "__proto__"),
    name: fc.oneof(fc.string(), fc.anything()),
    phases: fc.array(
      fc.oneof(
        fc.record({ subworkflow: fc.constantFrom("w0", "w1", "w2", "gone") }),
        fc.record({
          id: fc.constantFrom("p0", "p1"),
          name: fc.string(),
          emoji: fc.anything(),
          instructions: fc.anything(),
          tools: fc.oneof(fc.constant({ rule: "all" }), fc.anything()),
          checks: fc.anything(),
          todos: fc.anything(),
          availableProfiles: fc.anything(),
        }),
        fc.anything(),
      ),
      { maxLength: 4 },
    ),
    sessionNameMaxLength: fc.anything(),
    completionMessage: fc.anything(),
  },
  { requiredKeys: ["key", "name", "phases"] },
);
const anyEvent = fc.oneof(
  fc.anything(),
  fc.record(
    {
      type: fc.constantFrom(...TYPES),
      forest: fc.oneof(fc.array(anyWorkflow, { maxLength: 4 }), fc.anything()),
      path: fc.oneof(segments, fc.anything()),
      workflowKey: fc.oneof(fc.constantFrom("w0", "w1"), fc.anything()),
      description: fc.anything(),
      summary: fc.anything(),
      turn: fc.anything(),
      startedAt: fc.oneof(fc.double(), fc.anything()),
    },
    { requiredKeys: ["type"] },
  ),
) as fc.Arbitrary<WorkflowEvent>;

test("evolve takes any nonsense, and every text of what comes out can still be said", () => {
  fc.assert(
    fc.property(
      fc.array(anyEvent, { maxLength: 8 }),
      fc.constantFrom<WorkflowCommand>(NEXT, LOOP, STATUS, cancelIn("t")),
      (events, command) => {
        const state = events.reduce(evolveWorkflow, undefined);
        contextBlock(state);
        statusLine(state);
        statusResult(state);
        gate(state, "edit", ["@write"]);
        proposeWorkflow(state, command);
        if (!state) return;
        for (const say of [notDoneNudge, initialMessage, sessionName, completionNotice, cancelNotice])
          expect(typeof say(state)).toBe("string");
      },
    ),
    { numRuns: 500 },
  );
});

test("a forest that branches without end does not make us count without end", () => {
  const forest = Array.from({ length: 40 }, (_, i) =>
    aWorkflow(`w${i}`, i < 39 ? [`>w${i + 1}`, `>w${i + 1}`] : ["leaf"]),
  );
  const { state } = new Run(forest);
  expect(contextBlock(state)).toContain(`step 1 of ${MAX_STEPS}`);
});

test.each<[string, boolean, (run: Run) => WorkflowEvent]>([
  ["the start", true, () => new Run([aWorkflow("w", ["one"])]).events[0]!],
  [
    "a phase never entered",
    true,
    () => ({ type: "phase.entered", path: [{ workflowKey: "w", phaseIndex: 1, phaseId: "two" }] }),
  ],
  ["a looped re-entry", false, (run) => ({ type: "workflow.looped", path: run.state!.path })],
  [
    "a phase entered again after a loop",
    false,
    (run) => {
      for (const command of [NEXT, LOOP]) run.do(command);
      return { type: "phase.entered", path: [{ workflowKey: "w", phaseIndex: 1, phaseId: "two" }] };
    },
  ],
  ["the end", false, () => ({ type: "workflow.finished" })],
])("%s is progress: %s", (_name, expected, event) => {
  const run = new Run([aWorkflow("w", ["one", "two"])]);
  const happened = event(run);
  expect(isNewPhase(run.state, happened)).toBe(expected);
});

test("what has ended stays ended, whatever comes late", () => {
  const run = new Run([aWorkflow("w", ["one", "two"])]);
  const path = run.state!.path;
  run.append({ type: "workflow.cancelled" });
  for (const event of [
    { type: "phase.entered", path },
    { type: "workflow.looped", path },
    { type: "workflow.finished" },
    { type: "workflow.cancel_requested", turn: "t" },
  ] as const)
    run.append(event);
  expect(run.state).toMatchObject({ status: "cancelled", moves: 0 });
  expect(run.state).not.toHaveProperty("cancelRequestedIn");
});

test("a start whose definition cannot be read gives an active workflow with closed gates", () => {
  const [event] = new Run([aWorkflow("w", ["one"])]).events;
  const state = evolveWorkflow(undefined, {
    ...event,
    forest: [{ key: "w", name: "W", phases: [{ id: "one", name: "One", tools: { rule: "sometimes" } }] }],
  } as unknown as WorkflowEvent);
  expect([isUnfinished(state), currentPhase(state), gate(state, "edit", []).allowed]).toEqual([true, undefined, false]);
});

test("summaries are bounded in number and length", () => {
  const run = new Run([aWorkflow("w", ["one"])]);
  for (let i = 0; i < 120; i++)
    run.append({ type: "workflow.looped", path: run.state!.path, summary: `${i} ${"x".repeat(3000)}` });
  expect([
    run.state?.summaries.length,
    run.state?.summaries[0]?.text.slice(0, 3),
    run.state?.summaries[0]?.text.length,
  ]).toEqual([100, "20 ", 2000]);
});
