import type { Call, ModelRequest, Step } from "../../../src/testing/index.ts";

/** Two phases at the top, two in a subworkflow that may loop, one more at the top. Only `build` may write. */
export const SHIP = {
  "ship/workflow.yaml": `name: Ship
commandName: ship
initialMessage: "Begin with {firstPhaseName}: {description}"
blockReasonTemplate: "NO {toolName} in {phaseName}; allowed: {allowedTools}."
notDoneReminder: "Go on with {phaseName}. {phaseInstructions}"
completionMessage: "Shipped: {taskDescription}, {phaseCount} phases."
sessionNamePrefix: "S: "
phases:
  - look.md
  - plan.md
  - subworkflow: cycle
  - docs.md
`,
  "ship/look.md": phase("look", "blacklist: ['@write']"),
  "ship/plan.md": phase("plan", "whitelist: [read, ls]"),
  "ship/docs.md": phase("docs", "blacklist: ['@write']"),
  "cycle/workflow.yaml": "name: Cycle\nshow: workflows\nphases: [build.md, review.md]\n",
  "cycle/build.md": phase("build"),
  "cycle/review.md": phase("review", "blacklist: ['@write']"),
} as const;

/** Five phases; the last three in a row forbid writing, and the first of those stands in a subworkflow that loops. */
export const FIVE = {
  "five/workflow.yaml": `name: Five
commandName: five
initialMessage: "{description}"
notDoneReminder: "Go on with {phaseName}."
completionMessage: "All five: {taskDescription}."
phases:
  - open.md
  - subworkflow: five-cycle
  - docs.md
  - close.md
`,
  "five/open.md": phase("open"),
  "five/docs.md": phase("docs", "blacklist: ['@write']"),
  "five/close.md": phase("close", "whitelist: ['@read']"),
  "five-cycle/workflow.yaml": "name: Cycle\nshow: workflows\nphases: [build.md, review.md]\n",
  "five-cycle/build.md": phase("build"),
  "five-cycle/review.md": phase("review", "blacklist: ['@write']"),
} as const;

function phase(id: string, tools?: string): string {
  const rules = tools === undefined ? "" : `tools:\n  ${tools}\n`;
  return `---\nid: ${id}\nname: ${id}\nemoji: 🔧\n${rules}---\nDo ${id} for {description}.\n`;
}

export const step = (action: string, summary?: string): Call => [
  "workflow_step",
  { action, ...(summary !== undefined && { summary }) },
];

/** Which phase the request says is the current one; undefined when it speaks of none. */
export function phaseIn(request: ModelRequest): string | undefined {
  const told = request.messages.findLast(({ text }) => text.includes("**Current Phase:**"))?.text;
  return /\*\*Current Phase:\*\* \S+ (\w+)/.exec(told ?? "")?.[1];
}

/**
 * A model that does one thing each time it is told to continue, and stops: one phase of `FIVE`, or one item of the list that it
 * wrote in the first phase. It loops once, from the review back to the build.
 */
export function walksThrough({ items }: { readonly items: number }): (request: ModelRequest) => Step {
  let reviews = 0;
  let files = 0;
  let listed = items === 0;
  return (request) => {
    const last = request.messages.at(-1);
    const phaseNow = phaseIn(request);
    if (last?.role === "tool" || phaseNow === undefined) return { text: "That is done, I stop here." };
    const work: Call =
      phaseNow === "open" || phaseNow === "build"
        ? ["write", { path: `file-${++files}.txt`, content: phaseNow }]
        : ["read", { path: "file-1.txt" }];
    const item = asked(request);
    if (item !== undefined) return { calls: [work, ["edit_todos", { action: "complete", indices: [item] }]] };
    if (!listed) {
      listed = true;
      const todos = Array.from({ length: items }, (_, index) => ({ text: `item ${index}` }));
      return { calls: [["write_todos", { mode: "replace", todos }]] };
    }
    if (phaseNow === "review" && ++reviews === 1) return { calls: [work, step("loop", "found something")] };
    return { calls: [work, step("next", `did ${phaseNow}`)] };
  };
}

function asked(request: ModelRequest): number | undefined {
  const nudge = request.messages.findLast(({ role, text }) => role === "user" && !text.includes("**Current Phase:**"));
  const found = /Next action: edit_todos start \[(\d+)\]/.exec(nudge?.text ?? "")?.[1];
  return found === undefined ? undefined : Number(found);
}

/** What sent the model on, in order: `phase <name>` or `todo <index>`. */
export function sentOnBy(requests: readonly ModelRequest[]): readonly string[] {
  return requests.flatMap((request) => {
    if (request.messages.at(-1)?.role === "tool") return [];
    const nudge = request.messages.findLast(({ text }) => !text.includes("**Current Phase:**"))?.text ?? "";
    const phaseName = /^Go on with (\w+)\./.exec(nudge)?.[1];
    const item = asked(request);
    return phaseName !== undefined ? [`phase ${phaseName}`] : item !== undefined ? [`todo ${item}`] : [];
  });
}
