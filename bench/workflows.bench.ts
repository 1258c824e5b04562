import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { loadWorkflows } from "../src/workflows/index.ts";
import type { Bench, Row } from "./harness.ts";

const WORKFLOWS = 200;
const PHASES = 10;

export default async function ({ folder }: Bench): Promise<readonly Row[]> {
  for (let workflow = 0; workflow < WORKFLOWS; workflow++) writeWorkflow(join(folder, `w${workflow}`), workflow);
  return [
    {
      name: `load ${WORKFLOWS} workflows of ${PHASES} phases`,
      run: async () => {
        const library = await loadWorkflows({ folders: [{ path: folder, scope: "user" }], project: folder, isTrusted });
        if (library.workflows.length !== WORKFLOWS) throw new Error("not all workflows were loaded");
      },
      floor: () => readAndParse(folder),
      target: { atMost: 2 },
      repeat: 9,
    },
  ];
}

const isTrusted = () => true;

/** The least that reading them can cost: every file read, every definition and header parsed as YAML. */
function readAndParse(folder: string): void {
  for (const workflow of readdirSync(folder)) {
    for (const file of readdirSync(join(folder, workflow))) {
      const text = readFileSync(join(folder, workflow, file), "utf8");
      parse(file.endsWith(".md") ? text.slice(4, text.indexOf("\n---", 3)) : text);
    }
  }
}

function writeWorkflow(directory: string, number: number): void {
  mkdirSync(directory);
  const phases = Array.from({ length: PHASES }, (_, phase) => `phase-${phase}.md`);
  writeFileSync(
    join(directory, "workflow.yaml"),
    `name: Workflow ${number}
commandName: w${number}
initialMessage: "Start {workflowName}: {description}"
loopable: true
notDoneReminder: |
  {workflowName} is not done.
  Go on with {phaseName}.
phases:
${phases.map((name) => `  - ${name}`).join("\n")}
`,
  );
  for (const [index, name] of phases.entries())
    writeFileSync(
      join(directory, name),
      `---
id: phase-${index}
name: Phase ${index}
emoji: 🔧
tools:
  blacklist:
    - edit
    - write
availableProfiles:
  - scout
  - reviewer
---
# Phase ${index}

${"Do what {description} asks for, with care, and say what you did.\n".repeat(12)}`,
    );
}
