import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FILE } from "./read-folder.ts";

export type NewWorkflow =
  | { readonly status: "written"; readonly files: readonly string[] }
  | { readonly status: "refused"; readonly message: string };

/** Writes a commented example that runs as it is. Nothing that exists is overwritten. */
export function newWorkflow(folder: string, key: string): NewWorkflow {
  if (!/^[a-z0-9][a-z0-9_-]{0,62}$/i.test(key))
    return refused(
      `A workflow's name has letters, digits, - and _ only, and begins with a letter or digit; got ${JSON.stringify(key)}.`,
    );
  const directory = join(folder, key);
  if (existsSync(directory)) return refused(`${directory} exists already.`);
  mkdirSync(directory, { recursive: true });
  const files = Object.entries({ [FILE]: DEFINITION.replaceAll("KEY", key), "plan.md": PLAN, "build.md": BUILD });
  for (const [name, text] of files) writeFileSync(join(directory, name), text, { flag: "wx" });
  return { status: "written", files: files.map(([name]) => join(directory, name)) };
}

const refused = (message: string): NewWorkflow => ({ status: "refused", message });

const DEFINITION = `# Start it with: /workflow KEY <what is to be done>
name: KEY
commandName: KEY

# Sent to the agent at the start. Variables: {workflowName} {workflowKey} {description} {firstPhaseId} {firstPhaseName}
# {firstPhaseEmoji} {firstPhaseProfiles}
initialMessage: |
  {description}

  You work in phases and begin with {firstPhaseEmoji} {firstPhaseName}.

# In this order. A phase is a file beside this one, or a shared one: ../_shared/plan.md
# Another workflow is named by its folder:  - subworkflow: review
phases:
  - plan.md
  - build.md

# show: workflows             only as a part of other workflows; then commandName and initialMessage are not needed
# loopable: false             workflow_step 'loop' may not go back to the first phase
# sessionNamePrefix: "KEY: "
# sessionNameMaxLength: 50
# completionMessage: "Done: {taskDescription}"
# blockReasonTemplate: "Not in {phaseName}: {toolName}. Allowed: {allowedTools}."
# notDoneReminder, roleInstruction, advanceReminder: texts of your own instead of ours
`;

const PLAN = `---
id: plan
name: Plan
emoji: 🗺️
tools:
  # What may not be used here: names of tools, names with *, or groups: @read @write @shell @network.
  # Or a whitelist: only what it names. The todo tools and workflow_step are always allowed.
  blacklist: ["@write"]
---
Read what is there and write the todo list for: {description}

Leave the phase when the list says everything that has to be done.
`;

const BUILD = `---
id: build
name: Build
emoji: 🔨
# Put on the list when the phase begins; must be finished before it can be left.
todos:
  - Say what changed and why
# Must pass before the phase can be left.
# checks:
#   - npm test
#   - run: [npm, run, build]
#     timeout: 10m
---
Work through the list, one todo at a time. Leave the phase when it is finished.
`;
