import { oneLine } from "../core/text/index.ts";
import { userWorkflows } from "./find-workflow.ts";
import type { Library } from "./load-workflows.ts";
import { isError, type Problem, problemLine } from "./problem.ts";

/** What can be started, what is left out and why, and what waits for trust: the whole state of affairs, as text. */
export function listWorkflows(library: Library): string {
  const workflows = userWorkflows(library);
  const width = Math.max(0, ...workflows.map(({ definition }) => definition.commandName.length));
  const lines = workflows.map(
    ({ definition: { commandName, name, phases }, scope }) =>
      `  ${commandName.padEnd(width)}  ${oneLine(name)} (${phases.length} ${phases.length === 1 ? "phase" : "phases"}, ${scope})`,
  );
  const leftOut = new Set(library.problems.filter(isError).map(({ workflow, file }) => workflow ?? file));
  return [
    ...(lines.length > 0 ? ["Workflows:", ...lines] : ["There are no workflows."]),
    ...(leftOut.size > 0 ? [`Left out, because of mistakes: ${[...leftOut].map(oneLine).join(", ")}`] : []),
    ...library.untrusted.map(untrustedLine),
  ].join("\n");
}

/** Every problem, sorted by the workflow it concerns; of one workflow only, if a key is given. */
export function reportProblems(library: Library, key?: string): { readonly isSound: boolean; readonly text: string } {
  const problems = library.problems.filter(({ workflow }) => key === undefined || workflow === key);
  const groups = Map.groupBy(problems, ({ workflow }) => workflow ?? "");
  const text = [...groups].flatMap(([workflow, own]) => [
    ...(workflow === ""
      ? []
      : [`${own.some(isError) ? "✗" : "!"} ${oneLine(workflow)}${own.some(isError) ? " is left out" : ""}`]),
    ...own.map(line),
  ]);
  const untrusted = key === undefined ? library.untrusted.map(untrustedLine) : [];
  const checked = key === undefined ? `${library.workflows.length} workflows are valid.` : `${key} is valid.`;
  const isSound = !problems.some(isError);
  return { isSound, text: [...text, ...untrusted, ...(isSound ? [checked] : [])].join("\n") };
}

const line = (problem: Problem): string => `  ${isError(problem) ? "" : "warning: "}${problemLine(problem)}`;

const untrustedLine = ({ path, keys }: Library["untrusted"][number]): string =>
  `Not read: ${keys.map(oneLine).join(", ")} in ${path}, because this project is not trusted. Read them, then run: tildone trust`;
