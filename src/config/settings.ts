import { type Budget, DEFAULTS } from "../core/continuation/index.ts";
import { mode, rule } from "./approval-kinds.ts";
import { check, command } from "./command-kinds.ts";
import { duration } from "./duration.ts";
import { amount, boolean, either, integer, type Kind, list, oneOf, text } from "./kind.ts";

/**
 * What a project file may do with a setting before the human trusts it. `set`: anything, nothing can be loosened.
 * `tighten`: only towards the strict end of the kind's order.
 */
export type ProjectMay = "set" | "lower" | "raise" | "turn off" | "tighten" | "add" | "nothing";

export interface Setting<T> {
  readonly kind: Kind<NonNullable<T>>;
  readonly default: T;
  readonly says: string;
  readonly project: ProjectMay;
  readonly env?: string;
  readonly flag?: string;
  /** May also stand under `hosts.<host>` and `agents.<agent>`, where it holds for that one alone. */
  readonly scoped?: true;
}

type More = Pick<Setting<unknown>, "env" | "flag" | "scoped">;

const glob = text("a glob", /^[^\0]*\S[^\0]*$/);
const turns = integer(1, 10_000);
const MINUTE = 60_000;

/** Every setting. A `*` in a key stands for the name of a host or an agent. */
export const SETTINGS = {
  "continuation.enabled": setting(boolean, true, "turn off", "Whether an agent that stops with open work is sent on.", {
    env: "TILDONE_AUTO_COMPLETE_TODOS",
    flag: "auto-complete-todos",
  }),
  "continuation.countdown": setting(
    duration("10m"),
    DEFAULTS.countdownMs,
    "raise",
    "Time to step in before a nudge goes out, where a human may be watching.",
    { env: "TILDONE_COUNTDOWN", flag: "countdown", scoped: true },
  ),
  "continuation.minimumGap": setting(
    duration("1h"),
    DEFAULTS.minimumGapMs,
    "raise",
    "Least time between two nudges of a run.",
    { scoped: true },
  ),
  "continuation.idleTurns": setting(
    turns,
    DEFAULTS.idleTurns,
    "lower",
    "Nudged turns in a row without any activity before the run stops.",
    { scoped: true },
  ),
  "continuation.maxContinuations": setting(
    turns,
    DEFAULTS.stillTurns,
    "lower",
    "Nudged turns in a row without a new state of the workspace before the run stops.",
    { env: "TILDONE_MAX_CONTINUATIONS", flag: "max-continuations", scoped: true },
  ),
  "continuation.turnsSinceProgress": setting(
    turns,
    DEFAULTS.nudgedTurns,
    "lower",
    "Nudged turns since the last progress before the run stops, whatever else happened.",
    { scoped: true },
  ),
  "continuation.attemptsPerTodo": setting(
    integer(1, 100),
    DEFAULTS.attemptsPerTodo,
    "lower",
    "Failed requests to complete a todo before it is set aside.",
    { scoped: true },
  ),

  "hosts.*.enabled": setting(boolean, true, "turn off", "Whether this host's agents are sent on."),
  "agents.*.enabled": setting(
    either(boolean, oneOf(["never"])),
    false,
    "turn off",
    "Whether this agent is sent on, where the host says which agent works. `never` cannot be lifted by a higher layer.",
  ),
  "agents.*.model": unset(
    text("a model as provider/id", /^[^\s/]+\/\S+$/),
    "nothing",
    "The model of the standalone agent.",
    { flag: "model" },
  ),
  "agents.*.maxTokens": unset(integer(1, 10_000_000), "lower", "Most tokens of one answer of the standalone agent."),
  "agents.*.reasoningEffort": unset(
    oneOf(["off", "minimal", "low", "medium", "high", "xhigh", "max"]),
    "nothing",
    "How hard the standalone agent's model thinks.",
  ),

  ...budget("budget", "A run", {
    continuations: {},
    tokens: { env: "TILDONE_MAX_TOKENS", flag: "max-tokens" },
    cost: { env: "TILDONE_MAX_COST", flag: "max-cost" },
    minutes: { env: "TILDONE_MAX_MINUTES", flag: "max-minutes" },
  }),
  ...budget("budget.perTodo", "One todo", { continuations: {}, tokens: {}, cost: {}, minutes: {} }),

  "checks.run": setting(list(check), [], "nothing", "Commands that must pass before a run counts as done.", {
    flag: "check",
  }),
  "checks.allow": setting(
    list(text("the words of a command, `*` for any", /\S/)),
    [],
    "nothing",
    "Commands that the model may propose as checks and that then run without asking.",
  ),
  "checks.protect": setting(
    list(glob),
    [
      "**/{test,tests,__tests__,spec}/**",
      "**/*.{test,spec}.*",
      "**/*_test.*",
      "**/test_*.py",
      ".github/workflows/**",
      ".gitlab-ci.yml",
    ],
    "add",
    "Files whose change puts a passed check in doubt, unless the todo declared them.",
  ),
  "checks.timeout": setting(duration("24h"), 10 * MINUTE, "lower", "How long one check may run."),
  "checks.tailBytes": setting(
    integer(256, 1_048_576),
    8192,
    "lower",
    "How much of the end of a check's output is kept.",
  ),

  "approval.mode": setting(mode, "ask", "tighten", "Which calls of the standalone agent ask first.", {
    env: "TILDONE_APPROVAL",
    flag: "approval",
  }),
  "approval.rules": setting(list(rule), [], "nothing", "Rules for calls, in order; the first that fits decides."),
  "approval.timeout": setting(
    duration("24h"),
    30 * MINUTE,
    "lower",
    "How long a call waits for an answer before it is denied.",
  ),

  "calls.concurrency": setting(integer(1, 64), 8, "lower", "Calls that run at the same time."),
  "calls.deadline": setting(
    duration("24h"),
    10 * MINUTE,
    "lower",
    "How long one call may run, waiting for a human aside.",
  ),

  "waits.background": setting(
    duration("24h"),
    DEFAULTS.deadlineMs.background,
    "set",
    "How long work in the background is waited for.",
  ),
  "waits.compaction": setting(
    duration("1h"),
    DEFAULTS.deadlineMs.compaction,
    "set",
    "How long a compaction of the host is waited for.",
  ),
  "waits.recovery": setting(
    duration("1h"),
    DEFAULTS.deadlineMs.recovery,
    "set",
    "How long a recovery of the host is waited for.",
  ),
  "waits.checks": setting(
    duration("24h"),
    DEFAULTS.deadlineMs.checks,
    "set",
    "How long a round of checks is waited for.",
  ),
  "waits.rateLimitWindows": setting(
    integer(0, 1000),
    DEFAULTS.rateLimitWindows,
    "lower",
    "Resets of a rate limit that are waited for.",
  ),
  "waits.backoff": setting(
    duration("1h"),
    DEFAULTS.backoffMs.first,
    "raise",
    "First pause after an overload; it doubles.",
  ),
  "waits.backoffMost": setting(duration("24h"), DEFAULTS.backoffMs.most, "raise", "Longest pause after an overload."),
  "waits.backoffTries": setting(
    integer(0, 1000),
    DEFAULTS.backoffTries,
    "lower",
    "Pauses after overloads in a row before the run stops.",
  ),

  "workflows.folders": setting(
    list(text("a folder", /^[^\0]+$/)),
    [],
    "nothing",
    "More folders with workflows, after the usual ones.",
  ),
  notify: unset(command, "nothing", "A command that is run when a run is done, needs you or stopped."),
} as const satisfies Readonly<Record<string, unknown>>;

export type Key = keyof typeof SETTINGS;
export type Values = { readonly [K in Key]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never };

/** The table for code that walks over it and knows no single key. */
export const ROWS: ReadonlyMap<string, Setting<unknown>> = new Map(
  Object.entries(SETTINGS as unknown as Record<string, Setting<unknown>>),
);

/** Defaults that hold for one host or agent. */
export const SCOPED_DEFAULTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["hosts.pi.countdown", 3000],
  ["hosts.opencode.countdown", 2000],
  ["hosts.opencode.minimumGap", 1000],
  ["hosts.library.countdown", 2000],
  ["agents.coder.enabled", true],
  ["agents.build.enabled", true], // the agent OpenCode starts with
  ["agents.task.enabled", false],
  ["agents.plan.enabled", "never"],
  ["agents.planner.enabled", "never"],
]);

export const HOSTS = ["pi", "opencode", "claude-code", "codex", "gemini", "mcp", "library", "tildone"] as const;

function setting<T>(kind: Kind<T>, value: T, project: ProjectMay, says: string, more: More = {}): Setting<T> {
  return { kind: kind as Kind<NonNullable<T>>, default: value, project, says, ...more };
}

function unset<T>(kind: Kind<T>, project: ProjectMay, says: string, more: More = {}): Setting<T | undefined> {
  return setting<T | undefined>(kind as Kind<T | undefined>, undefined, project, says, more);
}

function budget<P extends string>(prefix: P, who: string, more: Record<keyof Budget, More>) {
  const rows = {
    continuations: unset(
      integer(1, 1_000_000),
      "lower",
      `${who} may be sent on this often in all.`,
      more.continuations,
    ),
    tokens: unset(
      integer(1, 1e12),
      "lower",
      `${who} may spend this many tokens: input, output and cache writes.`,
      more.tokens,
    ),
    cost: unset(amount(1e6), "lower", `${who} may cost this much, in the provider's currency.`, more.cost),
    minutes: unset(amount(1e6), "lower", `${who} may be worked on this many minutes, waits aside.`, more.minutes),
  } satisfies Record<keyof Budget, unknown>;
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [`${prefix}.${name}`, row])) as {
    readonly [K in `${P}.${keyof Budget}`]: Setting<number | undefined>;
  };
}
