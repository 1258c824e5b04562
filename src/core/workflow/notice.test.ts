import { expect, test } from "vitest";
import { aPhase, aWorkflow, Run } from "../../../test/builders/workflow.ts";
import { cancelNotice, completionNotice, initialMessage, sessionName } from "./notice.ts";

const two = [aWorkflow("w", [">s", "end"]), aWorkflow("s", [aPhase("first", { availableProfiles: ["a", "b"] })])];

test("the first message knows the first concrete phase, through subworkflows", () => {
  const initialTemplate =
    "{workflowName} ({workflowKey}) {description}: {firstPhaseEmoji} {firstPhaseName} {firstPhaseId} [{firstPhaseProfiles}]";
  const forest = [{ ...two[0]!, initialMessage: initialTemplate }, two[1]!];
  expect(initialMessage(new Run(forest, "Do it").state!)).toBe("The w (w) Do it: 🔧 First first [a, b]");
});

test("a long task reaches the first message whole", () => {
  const description = "x".repeat(20_000);
  expect(initialMessage(new Run(two, description).state!)).toContain(description);
});

test.each<[string, string, string]>([
  ["short", "Add login", "SPIR: Add login"],
  ["exactly the length", "0123456789", "SPIR: 0123456789"],
  ["one too long", "0123456789A", "SPIR: 0123456789…"],
  ["several lines", "Add\n\tlogin", "SPIR: Add login"],
])("the session is called after the task: %s", (_name, description, expected) => {
  const forest = [aWorkflow("w", ["one"], { sessionNamePrefix: "SPIR: ", sessionNameMaxLength: 10 })];
  expect(sessionName(new Run(forest, description).state!)).toBe(expected);
});

test("the author's completion message is filled in", () => {
  const forest = [{ ...two[0]!, completionMessage: "{workflowName}/{taskDescription}/{taskId}/{phaseCount}" }, two[1]!];
  expect(completionNotice(new Run(forest, "Do it").state!)).toBe("The w/Do it/wf-1/2");
});

test("a cancelled workflow does not announce completion", () => {
  const forest = [{ ...two[0]!, completionMessage: "All done!" }, two[1]!];
  expect(cancelNotice(new Run(forest, "Do it").state!)).toBe(
    "❌ **Workflow cancelled:** The w\n\n**Task:** Do it\n**Task ID:** wf-1",
  );
});
