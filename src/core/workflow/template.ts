import { clipText } from "../text/index.ts";

const OF_THE_PHASE = [
  "workflowName",
  "workflowKey",
  "description",
  "taskId",
  "phaseId",
  "phaseName",
  "previousPhaseName",
  "nextPhaseName",
  "blockedToolsList",
  "toolName",
  "breadcrumbPath",
  "globalStepCount",
] as const;

/** Which variables each template of an author knows. The loader warns about others; they stay as written. */
export const TEMPLATE_VARIABLES = {
  initialMessage: [
    "workflowName",
    "workflowKey",
    "description",
    "firstPhaseId",
    "firstPhaseName",
    "firstPhaseEmoji",
    "firstPhaseProfiles",
  ],
  instructions: OF_THE_PHASE,
  roleInstruction: OF_THE_PHASE,
  advanceReminder: OF_THE_PHASE,
  blockReasonTemplate: ["workflowName", "phaseName", "toolName", "allowedTools"],
  notDoneReminder: [
    "workflowName",
    "workflowKey",
    "taskId",
    "taskDescription",
    "phaseName",
    "phaseEmoji",
    "phaseInstructions",
  ],
  completionMessage: ["workflowName", "taskDescription", "taskId", "phaseCount"],
} as const satisfies Record<string, readonly string[]>;

export type TemplateName = keyof typeof TEMPLATE_VARIABLES;
export type TemplateValues<T extends TemplateName> = Readonly<Record<(typeof TEMPLATE_VARIABLES)[T][number], string>>;

/** What a filled template may have at most: a page of instructions with the task in it. */
export const FILLED_MAX = 70_000;

export function fill<T extends TemplateName>(template: string, values: TemplateValues<T>): string {
  return clipText(resolve(template, values), FILLED_MAX);
}

/** The one resolver. One pass: a value that looks like a variable stays what it is, and so does an unknown variable. */
export function resolve(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(VARIABLE, (written, name: string) => (Object.hasOwn(values, name) ? values[name]! : written));
}

export function unknownVariables(name: TemplateName, template: string): readonly string[] {
  const known: readonly string[] = TEMPLATE_VARIABLES[name];
  const used = [...template.matchAll(VARIABLE)].map((match) => match[1]!);
  return [...new Set(used)].filter((variable) => !known.includes(variable));
}

const VARIABLE = /\{(\w+)\}/g;
