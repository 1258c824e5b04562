import { expect, test } from "vitest";
import { aWorkflow, NEXT, Run, STATUS } from "../../../../test/builders/workflow.ts";
import { proposeWorkflow, type WorkflowCommand } from "../../../core/workflow/index.ts";
import { paintedStep } from "./step-tool.ts";

const theme = { fg: (role: string, text: string) => `<${role}>${text}` };
const forest = [aWorkflow("w", ["one", "two"])];

/** A result as pi keeps it: content and details, and nothing else. */
function kept(command: WorkflowCommand, run = new Run(forest)) {
  const proposal = proposeWorkflow(run.state, command);
  if (!proposal.ok) throw new Error(proposal.refusal.message);
  const { text, details } = proposal.result;
  return JSON.parse(JSON.stringify({ content: [{ type: "text", text }], details }));
}

const shown = (result: ReturnType<typeof kept>, given = {}) =>
  paintedStep(result, { isError: false, expanded: false, ...given }, theme as never).split("\n").length;

test.each<[string, WorkflowCommand, number]>([
  ["a step: its first line", NEXT, 1],
  ["the status: its first line", STATUS, 1],
  ["asking to cancel: all of it", { type: "cancel", by: "model", turn: "t" }, 2],
])("W16: drawn again from history, %s", (_name, command, lines) => expect(shown(kept(command))).toBe(lines));

test("W16: the end, an error and whatever is unfolded are shown whole; nothing is made of missing details", () => {
  const run = new Run(forest);
  run.do(NEXT);
  expect(shown(kept(NEXT, run))).toBe(5);
  expect(shown(kept(NEXT), { expanded: true })).toBeGreaterThan(3);
  const odd = { content: [{ type: "image" }, { type: "text", text: "a\nb" }], details: undefined } as never;
  expect(paintedStep(odd, { isError: true, expanded: false }, theme as never)).toBe("<error>\na\nb");
  expect(
    paintedStep({ content: [], details: undefined } as never, { isError: false, expanded: false }, theme as never),
  ).toBe("<toolOutput>");
});
