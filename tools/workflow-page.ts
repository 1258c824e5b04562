// Every field of a workflow and every variable of its texts. test/workflow-fields.test.ts compares the fields with what the reader knows.
import { CONTEXT_MODES, SESSION_NAME, TEMPLATE_VARIABLES, TOOL_GROUPS } from "../src/core/workflow/index.ts";

/** Name, what it is, and what it means. A name that ends in `!` is required. */
type Row = readonly [name: string, is: string, says: string];

const groups = TOOL_GROUPS.map((group) => `\`${group}\``).join(" ");
const GATE = `tool names, names with \`*\`, groups ${groups}`;

export const FIELDS = {
  "workflow.yaml": [
    ["name!", "text", "Its name on screens."],
    [
      "commandName",
      "letters, digits, `-`, `_`",
      "What starts it: `/workflow <commandName>`. Required unless `show: workflows`.",
    ],
    ["initialMessage", "text", "What the agent is told at the start. Required unless `show: workflows`."],
    ["phases!", "list", "Phase files by their path, and other workflows; in their order."],
    ["show", "`user`, `workflows`", "`workflows`: only a part of others, not to be started. Default: `user`."],
    ["loopable", "true, false", "Whether `workflow_step loop` may go back to its first phase. Default: true."],
    ["sessionNamePrefix", "text", `How a session of it is named. Default: \`${SESSION_NAME.sessionNamePrefix}\`.`],
    ["sessionNameMaxLength", "1 to 1000", `Longest name of a session. Default: ${SESSION_NAME.sessionNameMaxLength}.`],
    ["roleInstruction", "text", "Above the instructions of every phase."],
    ["advanceReminder", "text", "Below the instructions: how to leave a phase."],
    ["blockReasonTemplate", "text", "What the agent reads when a phase refuses a tool."],
    ["notDoneReminder", "text", "What the agent is told when it stops inside a phase."],
    ["completionMessage", "text", "What you read at the end."],
  ],
  "an entry of `phases`": [["subworkflow!", "a folder's name", "Another workflow, run through in this place."]],
  "the header of a phase file": [
    ["id!", "text", "Unique in its workflow."],
    ["name!", "text", "Its name on screens."],
    ["emoji!", "text", "Before its name."],
    ["tools", "`blacklist` or `whitelist`", "Which tools it allows; all without it."],
    ["availableProfiles", "list of names", "Subagents that the agent may use, told to it."],
    ["checks", "list", "Commands that must pass before `next`."],
    ["todos", "list", "Put on the list at each entry; must be finished before `next`."],
    [
      "context",
      CONTEXT_MODES.map((mode) => `\`${mode}\``).join(", "),
      "Where its todos begin: docs/how-to/fresh-context.md.",
    ],
  ],
  "`tools`": [
    ["blacklist", "list", `What may not be used: ${GATE}.`],
    ["whitelist", "list", "Only this may be used; the todo tools and `workflow_step` always may."],
  ],
  "an entry of `checks`": [
    ["run!", "text or list of arguments", "The command. A line alone means the same as `{ run: line }`."],
    ["cwd", "a path", "Where it runs, inside the project."],
    ["timeout", "a time with its unit, at most 24h", "How long it may take: `30s`, `10m`."],
  ],
  "an entry of `todos`": [
    ["text!", "text", "What is to be done. A line alone means the same as `{ text: line }`."],
    ["priority", "`high`, `medium`, `low`", "Default: `medium`."],
    ["askFirst", "true, false", "You release it before it is worked on. Default: false."],
    ["checks", "list", "What proves it, as in the header of a phase."],
  ],
} as const satisfies Readonly<Record<string, readonly Row[]>>;

type Variable = (typeof TEMPLATE_VARIABLES)[keyof typeof TEMPLATE_VARIABLES][number];

const VARIABLES: Readonly<Record<Variable, string>> = {
  workflowName: "the name of the workflow",
  workflowKey: "its folder",
  description: "what you asked for",
  taskDescription: "what you asked for",
  taskId: "names this piece of work",
  firstPhaseId: "the `id` of the first phase",
  firstPhaseName: "its name",
  firstPhaseEmoji: "its emoji",
  firstPhaseProfiles: "its `availableProfiles`, with commas",
  phaseId: "the `id` of the current phase",
  phaseName: "its name",
  phaseEmoji: "its emoji",
  phaseInstructions: "its instructions, filled in",
  previousPhaseName: "the phase before it",
  nextPhaseName: "the phase after it",
  blockedToolsList: "its `blacklist`, with commas",
  allowedTools: "what it allows, as a list",
  toolName: "the tool that moves through the workflow; in `blockReasonTemplate` the tool that was refused",
  breadcrumbPath: "the workflows around the phase, the outermost first",
  globalStepCount: "how many moves were made",
  phaseCount: "how many phases the workflow has",
};

type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => string;

export const workflowParts = (table: Table): readonly string[] => [
  "A workflow is a folder with a `workflow.yaml` and its phase files ([how to write one](../how-to/workflows.md)). `tildone workflow check` names every mistake with its file and line, and warns of a field or a variable that it does not know.",
  "## Fields",
  ...Object.entries(FIELDS).flatMap(([where, rows]) => [
    `### In ${where}`,
    table(
      ["field", "is", "meaning"],
      (rows as readonly Row[]).map(([name, is, says]) => [
        `\`${name.replace("!", "")}\`${name.endsWith("!") ? ", required" : ""}`,
        is,
        says,
      ]),
    ),
  ]),
  "Below the header of a phase file stand its instructions.",
  "## Variables",
  "A text may hold `{name}`. What it may hold depends on the text; others stay as written.",
  table(
    ["variable", "stands for", "in"],
    (Object.keys(VARIABLES) as Variable[]).map((name) => [
      `\`{${name}}\``,
      VARIABLES[name],
      Object.entries(TEMPLATE_VARIABLES)
        .filter(([, known]) => (known as readonly string[]).includes(name))
        .map(([text]) => `\`${text}\``)
        .join(", "),
    ]),
  ),
];
