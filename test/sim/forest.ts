import type { Forest, PhaseDefinition } from "../../src/core/workflow/index.ts";

/** A workflow with a checked phase, a phase that forbids writing, and one with a todo of its own. */
export const FOREST: Forest = [
  {
    key: "release",
    name: "Release",
    commandName: "release",
    show: "user",
    initialMessage: "Start {workflowName}: {description}",
    loopable: true,
    sessionNamePrefix: "Workflow: ",
    sessionNameMaxLength: 50,
    phases: [
      phase("plan", { tools: { rule: "only", tools: ["@read"] } }),
      phase("build", { checks: [{ run: "test the build", by: "plan" }] }),
      phase("ship", {
        todos: [{ text: "Write the notes\nNext action: none", priority: "high", checks: [], askFirst: false }],
      }),
    ],
  },
];

function phase(id: string, given: Partial<PhaseDefinition>): PhaseDefinition {
  return {
    id,
    name: id,
    emoji: "🔧",
    instructions: `Do ${id}.`,
    tools: { rule: "all" },
    availableProfiles: [],
    checks: [],
    todos: [],
    ...given,
  };
}
