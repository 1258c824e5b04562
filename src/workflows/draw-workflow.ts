import { commandLine } from "../core/continuation/index.ts";
import { oneLine } from "../core/text/index.ts";
import { allowedTools, type Forest, isReference, type PhaseDefinition } from "../core/workflow/index.ts";

/** The phases of a workflow as a tree, numbered in the order in which a run visits them. */
export function drawWorkflow(forest: Forest): string {
  const [root] = forest;
  if (!root) return "";
  let step = 0;
  return [oneLine(`${root.name} (${root.key})`), ...branches(root.key, "")].join("\n");

  function branches(key: string, indent: string): readonly string[] {
    const workflow = forest.find((each) => each.key === key);
    const entries = workflow?.phases ?? [];
    return entries.flatMap((entry, index) => {
      const isLast = index === entries.length - 1;
      const [branch, below] = isLast ? ["└─ ", "   "] : ["├─ ", "│  "];
      if (!isReference(entry)) {
        step++;
        return [
          `${indent}${branch}${step}. ${label(entry)}`,
          ...rules(entry).map((rule) => `${indent}${below}     ${rule}`),
        ];
      }
      const part = forest.find((each) => each.key === entry.subworkflow);
      const loops = part?.loopable ? ", may loop" : "";
      return [
        `${indent}${branch}${oneLine(part?.name ?? entry.subworkflow)} (${oneLine(entry.subworkflow)}${loops})`,
        ...branches(entry.subworkflow, `${indent}${below}`),
      ];
    });
  }
}

const label = ({ emoji, name, id }: PhaseDefinition): string => oneLine(`${emoji} ${name} (${id})`);

function rules({ tools, checks, todos }: PhaseDefinition): readonly string[] {
  return [
    ...(tools.rule === "all" ? [] : [`tools: ${allowedTools(tools) || "none"}`]),
    ...todos.map(({ text, askFirst }) => `todo: ${text}${askFirst ? " (asks first)" : ""}`),
    ...checks.map((check) => `check: ${commandLine(check)}`),
  ].map(oneLine);
}
