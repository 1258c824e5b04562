import { expect, test } from "vitest";
import { aPhase, aWorkflow, Run } from "../../../../test/builders/workflow.ts";
import type { ToolRules } from "../../../core/workflow/index.ts";
import { createGates } from "./gates.ts";

const inPhase = (tools: ToolRules) => new Run([aWorkflow("w", [aPhase("one", { tools })])]).state;
const READ_ONLY = inPhase({ rule: "except", tools: ["@write"] });
const ONLY_LS = inPhase({ rule: "only", tools: ["ls"] });
const OPEN = inPhase({ rule: "all" });

function toolbox(...active: readonly string[]) {
  const pi = {
    active: [...active],
    getActiveTools: () => pi.active,
    setActiveTools: (names: string[]) => {
      pi.active = names;
    },
  };
  return { pi, gates: createGates(pi) };
}

test("what comes back comes back in its place, phase after phase", () => {
  const { pi, gates } = toolbox("write", "read", "edit", "ls", "workflow_step");
  const seen = [READ_ONLY, ONLY_LS, OPEN, READ_ONLY, undefined].map((state) => {
    gates.follow(state);
    return pi.active.join(" ");
  });
  expect(seen).toEqual([
    "read ls workflow_step",
    "ls workflow_step",
    "write read edit ls workflow_step",
    "read ls workflow_step",
    "write read edit ls workflow_step",
  ]);
});

test("tools that others switch on or off meanwhile stay as they want them", () => {
  const { pi, gates } = toolbox("read", "write", "ls");
  gates.follow(READ_ONLY);
  pi.active = ["read", "web_search"];
  gates.follow(undefined);
  expect(pi.active).toEqual(["read", "write", "web_search"]);
});

test("without a workflow nothing is touched, and what was hidden at the end of a session is given back", () => {
  const { pi, gates } = toolbox("read", "write");
  const { active } = pi;
  gates.follow(undefined);
  expect(pi.active).toBe(active);
  gates.follow(READ_ONLY);
  gates.restore();
  expect(pi.active).toEqual(["read", "write"]);
});

test.each([
  ["pi's own sentence of a hidden tool", "write", "Tool write not found", true],
  ["another error of the same tool", "write", "No such directory", false],
  ["a tool that never was", "wirte", "Tool wirte not found", false],
])("explains %s: %s", (_what, toolName, text, explained) => {
  const { gates } = toolbox("read", "write");
  gates.follow(READ_ONLY);
  const message = { role: "toolResult", toolName, isError: true, content: [{ type: "text", text }] } as never;
  expect(JSON.stringify(gates.explain(READ_ONLY, message) ?? "").includes("is not available in the phase One")).toBe(
    explained,
  );
});
