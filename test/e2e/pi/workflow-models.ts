import type { Call, ModelRequest, Step } from "../../../src/testing/index.ts";

/** Five phases: two at the top, two in a subworkflow that may loop, one more at the top. Only `build` may write. */
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
  "ship/look.md": phase("look", 'tools:\n  blacklist: ["@write"]\n'),
  "ship/plan.md": phase("plan", "tools:\n  whitelist: [read, ls]\n"),
  "ship/docs.md": phase("docs", 'tools:\n  blacklist: ["@write"]\n'),
  "cycle/workflow.yaml": "name: Cycle\nshow: workflows\nphases: [build.md, review.md]\n",
  "cycle/build.md": phase("build", ""),
  "cycle/review.md": phase("review", 'tools:\n  blacklist: ["@write"]\n'),
} as const;

function phase(id: string, header: string): string {
  return `---\nid: ${id}\nname: ${id}\nemoji: 🔧\n${header}---\nDo ${id} for {description}.\n`;
}

export const step = (action: string, summary?: string): Call => [
  "workflow_step",
  { action, ...(summary !== undefined && { summary }) },
];

/** Which phase the request says is the current one; undefined when it speaks of none. */
export function phaseIn(request: ModelRequest): string | undefined {
  const told = request.messages.filter(({ text }) => text.includes("**Current Phase:**")).at(-1)?.text;
  return /\*\*Current Phase:\*\* \S+ (\w+)/.exec(told ?? "")?.[1];
}

/**
 * A model that does one phase each time it is sent on, and stops. It loops once from the review back to the build, and
 * where it may it writes a file.
 */
export function walksThrough(): (request: ModelRequest) => Step {
  let reviews = 0;
  let files = 0;
  return (request) => {
    if (request.messages.at(-1)?.role === "tool") return { text: "That is done, I stop here." };
    const phase = phaseIn(request);
    if (phase === undefined) return { text: "There is no phase." };
    if (phase === "review" && ++reviews === 1) return { calls: [["ls", {}], step("loop", "found something")] };
    const work: Call = phase === "build" ? ["write", { path: `file-${++files}.txt`, content: phase }] : ["ls", {}];
    return { calls: [work, step("next", `did ${phase}`)] };
  };
}
