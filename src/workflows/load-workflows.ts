import type { WorkflowDefinition } from "../core/workflow/index.ts";
import type { WorkflowFolder } from "./folders.ts";
import type { Problem } from "./problem.ts";
import type { ReadDefinition } from "./read-definition.ts";
import { readFolder, workflowNames } from "./read-folder.ts";
import { resolveReferences } from "./resolve-references.ts";
import { loadYamlParser } from "./yaml-text.ts";

/** Everything that can be started or used, and everything that is wrong. */
export interface Library {
  /** In the order in which a command name is looked up: the user's, the project's, the shipped ones; each by key. */
  readonly workflows: readonly LoadedWorkflow[];
  readonly problems: readonly Problem[];
  /** Folders of the project that were not read, because the user has not trusted it. */
  readonly untrusted: readonly UntrustedFolder[];
}

export interface LoadedWorkflow {
  readonly definition: WorkflowDefinition;
  readonly file: string;
  readonly scope: WorkflowFolder["scope"];
}

export interface UntrustedFolder {
  readonly path: string;
  readonly keys: readonly string[];
}

export interface LoadOptions {
  readonly folders: readonly WorkflowFolder[];
  readonly project: string;
  /** Asked once, and only when the project has workflows. Answers from what is known; asking the user is the host's part. */
  readonly isTrusted: (project: string) => boolean | Promise<boolean>;
}

/** Reads the folders anew at each call: there is nothing to invalidate. Never throws for what stands in them. */
export async function loadWorkflows({ folders, project, isTrusted }: LoadOptions): Promise<Library> {
  const parse = await loadYamlParser();
  const ofProject = folders.filter(({ scope }) => scope === "project");
  const strangers = ofProject
    .map((folder) => ({ path: folder.path, keys: workflowNames(folder) }))
    .filter(({ keys }) => keys.length > 0);
  const trusted = strangers.length === 0 || (await isTrusted(project));

  const problems: Problem[] = [];
  const chosen = new Map<string, Candidate>();
  for (const folder of folders) {
    const { path, scope } = folder;
    if (scope === "project" && !trusted) continue;
    const { definitions, problems: own } = readFolder({ path, ...(scope === "project" && { within: project }) }, parse);
    problems.push(...own);
    for (const read of definitions) {
      const hidden = chosen.get(read.key);
      if (hidden?.scope === scope) problems.push(replaced(hidden, read));
      chosen.set(read.key, { ...read, scope });
    }
  }

  const candidates = [...chosen.values()];
  const { usable, problems: unresolved } = resolveReferences(candidates);
  const workflows = usable
    .map(({ key, definition, file }): LoadedWorkflow => ({ definition, file, scope: chosen.get(key)!.scope }))
    .sort((a, b) => RANK[a.scope] - RANK[b.scope] || (a.definition.key < b.definition.key ? -1 : 1));
  problems.push(...candidates.flatMap((read) => read.problems), ...unresolved, ...sameCommands(workflows));
  return { workflows, problems, untrusted: trusted ? [] : strangers };
}

type Candidate = ReadDefinition & { readonly scope: WorkflowFolder["scope"] };

const RANK = { user: 0, project: 1, shipped: 2 } as const;

const replaced = (hidden: ReadDefinition, by: ReadDefinition): Problem => ({
  severity: "warning",
  workflow: by.key,
  file: hidden.file,
  message: `not used: ${by.file} has the same key`,
});

/** The first one is started by the name. What is shipped gives way without a word. */
function sameCommands(workflows: readonly LoadedWorkflow[]): readonly Problem[] {
  const first = new Map<string, LoadedWorkflow>();
  const problems: Problem[] = [];
  for (const workflow of workflows.filter(({ definition }) => definition.show === "user")) {
    const { commandName, key } = workflow.definition;
    const taken = first.get(commandName);
    if (!taken) first.set(commandName, workflow);
    else if (workflow.scope !== "shipped")
      problems.push({
        severity: "warning",
        workflow: key,
        file: workflow.file,
        field: "commandName",
        message: `"${commandName}" starts "${taken.definition.key}" (${taken.file}), which has the same command name; give one of them another`,
      });
  }
  return problems;
}
