import type { Mode, Rule } from "./rule.ts";

/** A mode is two rule sets: one before the user's rules, one after them. */
export interface ModeRules {
  readonly first: readonly Rule[];
  readonly last: readonly Rule[];
}

const readingIsFree: Rule = { name: "reading is allowed", decision: "allow", kind: "read" };
const askFirst: Rule = { name: "changes need approval", decision: "ask" };
const onlyPlans = "This run is in plan mode: read, think and write the list, but change nothing.";

export const MODE_RULES: Readonly<Record<Mode, ModeRules>> = {
  ask: { first: [], last: [readingIsFree, askFirst] },
  "auto-edit": {
    first: [],
    last: [
      readingIsFree,
      {
        name: "edits inside the project are allowed",
        decision: "allow",
        kind: "edit",
        path: "**",
        examples: { covers: ["src/a.ts", "a"], spares: ["/etc/hosts", "../neighbour/a.ts"] },
      },
      askFirst,
    ],
  },
  yolo: { first: [], last: [{ name: "everything is allowed", decision: "allow" }] },
  plan: {
    first: [
      { name: "no edits in plan mode", decision: "deny", kind: "edit", message: onlyPlans },
      { name: "no commands in plan mode", decision: "deny", kind: "execute", message: onlyPlans },
      { name: "no unknown tools in plan mode", decision: "deny", kind: "other", message: onlyPlans },
    ],
    last: [readingIsFree, askFirst],
  },
};

/** Files whose change changes what runs, or what is secret: writing one asks in every mode but yolo, whatever was granted. */
export const PROTECTED = [
  "**/.git/**",
  "**/.github/workflows/**",
  "**/.gitlab-ci.yml",
  "**/.husky/**",
  "**/.tildone/**",
  "**/.pi/**",
  "**/.agents/**",
  "**/.claude/**",
  "**/.codex/**",
  "**/.gemini/**",
  "**/.opencode/**",
  "**/.mcp.json",
  "**/opencode.json",
  "**/.vscode/**",
  "**/.env",
  "**/.env.*",
  "**/.npmrc",
  "**/.ssh/**",
  "**/.bashrc",
  "**/.zshrc",
  "**/.profile",
  "**/.bash_profile",
  "**/package.json",
  "**/Makefile",
  "**/Dockerfile",
  "**/docker-compose*.yml",
] as const satisfies readonly string[];

/** What honest work on a project touches: free in yolo, `package.json` included. */
const FREE_IN_YOLO: ReadonlySet<(typeof PROTECTED)[number]> = new Set([
  "**/.github/workflows/**",
  "**/.gitlab-ci.yml",
  "**/.husky/**",
  "**/.vscode/**",
  "**/.env",
  "**/.env.*",
  "**/.npmrc",
  "**/package.json",
  "**/Makefile",
  "**/Dockerfile",
  "**/docker-compose*.yml",
]);

/** The exceptions of yolo: what reaches beyond the project - the repository's own machinery, keys, your shell, the settings of agents - still asks. */
export const PROTECTED_IN_YOLO: readonly string[] = PROTECTED.filter((glob) => !FREE_IN_YOLO.has(glob));

/** What a person reads before everything runs unasked. */
export const yoloText = (exceptions: readonly string[]): string => {
  const asks =
    exceptions.length === 0
      ? ""
      : ` Only writes to ${exceptions.map(named).join(", ")} still ask (setting approval.protectInYolo).`;
  return `yolo: every call runs without asking.${asks} What a rule denies stays denied.`;
};

const named = (glob: string): string => glob.replace(/^\*\*\//, "").replace(/\/\*\*$/, "/");

/** What a mode means, for people. */
export const MODE_SAYS = {
  plan: "reading is allowed, changes are denied",
  ask: "reading is allowed, everything else asks",
  "auto-edit": "edits inside the project are allowed, commands ask",
  yolo: "asks only for writes to protected files",
} as const satisfies Record<Mode, string>;
