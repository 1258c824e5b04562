import { createHash } from "node:crypto";
import {
  type Drift,
  driftOf,
  type Forest,
  isReference,
  type StartCommand,
  type WorkflowState,
} from "../core/workflow/index.ts";
import type { Library, LoadedWorkflow } from "./load-workflows.ts";
import { isError, problemLine } from "./problem.ts";

export type Found =
  | { readonly status: "found"; readonly workflow: LoadedWorkflow; readonly start: Startable }
  | {
      readonly status: "not_found";
      readonly why: "unknown" | "internal" | "broken" | "untrusted";
      readonly message: string;
    };

/** What a start needs of the definition: the run keeps all of it. */
export type Startable = Pick<StartCommand, "workflowKey" | "forest" | "fingerprint">;

/** The workflow that a command name starts; otherwise what to tell the user. */
export function findWorkflow(library: Library, name: string): Found {
  const workflow = userWorkflows(library).find(({ definition }) => definition.commandName === name);
  if (workflow) return { status: "found", workflow, start: startOf(library, workflow) };
  const internal = library.workflows.find(
    ({ definition }) => definition.show === "workflows" && (definition.commandName === name || definition.key === name),
  );
  if (internal)
    return notFound(
      "internal",
      `"${name}" is a subworkflow that can only run as part of another workflow. It cannot be started directly.`,
    );
  const broken = library.problems.filter((problem) => problem.workflow === name && isError(problem));
  if (broken.length > 0)
    return notFound(
      "broken",
      `The workflow "${name}" is left out:\n${broken.map((problem) => `  ${problemLine(problem)}`).join("\n")}`,
    );
  const folder = library.untrusted.find(({ keys }) => keys.includes(name));
  if (folder)
    return notFound(
      "untrusted",
      `The workflow "${name}" comes from ${folder.path}, and you have not trusted this project. Read its files, then run: tildone trust`,
    );
  const available = userWorkflows(library).map(({ definition }) => definition.commandName);
  return notFound(
    "unknown",
    `Unknown workflow: "${name}". Available: ${[...new Set(available)].join(", ") || "(none)"}`,
  );
}

/** What a user may start, in the order of the library. */
export function userWorkflows({ workflows }: Library): readonly LoadedWorkflow[] {
  const names = new Set<string>();
  return workflows.filter(({ definition: { show, commandName } }) => {
    if (show !== "user" || names.has(commandName)) return false;
    names.add(commandName);
    return true;
  });
}

/** How the definition that a run keeps relates to the files as they are now. */
export function driftIn(library: Library, state: WorkflowState): Drift {
  const workflow = library.workflows.find(({ definition }) => definition.key === state.workflowKey);
  return driftOf(state, workflow && startOf(library, workflow).fingerprint);
}

export function startOf(library: Library, { definition }: LoadedWorkflow): Startable {
  const forest = forestOf(library, definition.key);
  return {
    workflowKey: definition.key,
    forest,
    fingerprint: createHash("sha256").update(JSON.stringify(forest)).digest("hex"),
  };
}

/** The workflow and everything it refers to, itself first. */
function forestOf({ workflows }: Library, key: string): Forest {
  const byKey = new Map(workflows.map(({ definition }) => [definition.key, definition]));
  const keys = new Set([key]);
  for (const next of keys)
    for (const entry of byKey.get(next)?.phases ?? []) if (isReference(entry)) keys.add(entry.subworkflow);
  return [...keys].flatMap((each) => byKey.get(each) ?? []);
}

const notFound = (why: Extract<Found, { status: "not_found" }>["why"], message: string): Found => ({
  status: "not_found",
  why,
  message,
});
