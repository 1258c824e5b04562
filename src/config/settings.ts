import { PROTECTED, PROTECTED_IN_YOLO } from "../core/call/index.ts";
import { DEFAULTS } from "../core/continuation/index.ts";
import type { Budget } from "../core/run/index.ts";
import { CONTEXT_MODES } from "../core/workflow/index.ts";
import { age } from "./age.ts";
import { mode, rule } from "./approval-kinds.ts";
import { check } from "./command-kinds.ts";
import { confine } from "./confine-kind.ts";
import { duration } from "./duration.ts";
import { databaseUrl, label, repository } from "./fleet-kinds.ts";
import { HOST_NAMES } from "./hosts.ts";
import { amount, boolean, either, integer, list, oneOf, orUnlimited, text } from "./kind.ts";
import { notify } from "./notify-kind.ts";
import { room } from "./room-kind.ts";
import { type Setting, setting, unset } from "./setting.ts";

const MINUTE = 60_000;
const turns = integer(1, 10_000);

/** Settings that a host or an agent may have of its own. */
const CONTINUATION = {
  "continuation.countdown": setting({
    kind: duration("10m"),
    default: DEFAULTS.countdownMs,
    project: "raise",
    says: "Time to step in before a nudge goes out, where you may be watching.",
    env: "TILDONE_COUNTDOWN",
    flag: "countdown",
    scoped: true,
  }),
  "continuation.minimumGap": setting({
    kind: duration("1h"),
    default: DEFAULTS.minimumGapMs,
    project: "raise",
    says: "Least time between two nudges of a run.",
    scoped: true,
  }),
  "continuation.idleTurns": setting({
    kind: turns,
    default: DEFAULTS.idleTurns,
    project: "lower",
    unit: "turns",
    says: "Nudged turns in a row without any activity before the run stops.",
    scoped: true,
  }),
  "continuation.maxContinuations": setting({
    kind: turns,
    default: DEFAULTS.stillTurns,
    project: "lower",
    unit: "turns",
    says: "Nudged turns in a row without a new state of the workspace before the run stops.",
    env: "TILDONE_MAX_CONTINUATIONS",
    flag: "max-continuations",
    scoped: true,
  }),
  "continuation.turnsSinceProgress": setting({
    kind: turns,
    default: DEFAULTS.nudgedTurns,
    project: "lower",
    unit: "turns",
    says: "Nudged turns since the last progress before the run stops, even with other activity.",
    scoped: true,
  }),
  "continuation.attemptsPerTodo": setting({
    kind: integer(1, 100),
    default: DEFAULTS.attemptsPerTodo,
    project: "lower",
    unit: "attempts",
    says: "Failed requests to complete a todo before it is set aside.",
    scoped: true,
  }),
  "continuation.context": setting({
    kind: oneOf(CONTEXT_MODES),
    default: DEFAULTS.context.mode,
    project: "set",
    says: "Where the next todo begins: in the `same` conversation, in a `fresh` one with a short briefing, or `auto`: fresh when that is cheaper and the todo needs nothing of those before it.",
    env: "TILDONE_CONTEXT",
    flag: "context",
    scoped: true,
  }),
  "continuation.contextEvery": setting({
    kind: integer(1, 1000),
    default: DEFAULTS.context.every,
    project: "set",
    says: "Todos that end in a conversation before the next one begins in a fresh one.",
    env: "TILDONE_CONTEXT_EVERY",
    flag: "context-every",
    scoped: true,
  }),
};

const SWITCHES = {
  "continuation.enabled": setting({
    kind: boolean,
    default: true,
    project: "turn_off",
    says: "Whether an agent that stops with open todos is told to continue.",
    env: "TILDONE_AUTO_COMPLETE_TODOS",
    flag: "auto-complete-todos",
  }),
  "hosts.*.enabled": setting({
    kind: boolean,
    default: true,
    project: "turn_off",
    says: "Whether agents in this host are told to continue.",
  }),
  "agents.*.enabled": setting<boolean | "never">({
    kind: either(boolean, oneOf(["never"])),
    default: false,
    project: "turn_off",
    says: "Whether this agent is told to continue, where the host says which agent works. No flag or variable lifts your `never`.",
  }),
};

const AGENT = {
  "agents.*.model": unset({
    kind: text("a model as provider/id", /^[^\s/]+\/\S+$/),
    project: "nothing",
    absent: "what pi is set to",
    says: "The model of the standalone agent.",
    flag: "model",
  }),
  "agents.*.maxTokens": unset({
    kind: integer(1, 10_000_000),
    project: "lower",
    unit: "tokens",
    absent: "what the model allows",
    says: "Most tokens in one answer of the standalone agent's model.",
  }),
  "agents.*.reasoningEffort": unset({
    kind: oneOf(["off", "minimal", "low", "medium", "high", "xhigh", "max"]),
    project: "nothing",
    absent: "what the model does by itself",
    says: "How hard the standalone agent's model thinks.",
  }),
};

type Names = Pick<Setting<unknown>, "env" | "flag">;

function budget<P extends string>(prefix: P, who: string, names: Partial<Record<keyof Budget, Names>> = {}) {
  const rows = {
    continuations: {
      kind: orUnlimited(integer(1, 1_000_000)),
      unit: "continuations",
      says: `${who} may be continued this often in all.`,
    },
    tokens: {
      kind: orUnlimited(integer(1, 1e12)),
      unit: "tokens",
      says: `${who} may spend this many tokens: input, output and cache writes.`,
    },
    cost: {
      kind: orUnlimited(amount(1e6)),
      unit: "in the host's currency",
      says: `${who} may cost this much, in the currency of the host's prices.`,
    },
    minutes: {
      kind: orUnlimited(amount(1e6)),
      unit: "minutes",
      says: `${who} may be worked on for this many minutes, not counting waits.`,
    },
  } satisfies Record<keyof Budget, unknown>;
  const settings = Object.entries(rows).map(([name, row]) => [
    `${prefix}.${name}`,
    unset({ ...row, ...names[name as keyof Budget], project: "lower", absent: "unlimited" }),
  ]);
  return Object.fromEntries(settings) as { readonly [K in `${P}.${keyof Budget}`]: Setting<number | undefined> };
}

const BUDGETS = {
  ...budget("budget", "A run", {
    tokens: { env: "TILDONE_MAX_TOKENS", flag: "max-tokens" },
    cost: { env: "TILDONE_MAX_COST", flag: "max-cost" },
    minutes: { env: "TILDONE_MAX_MINUTES", flag: "max-minutes" },
  }),
  ...budget("budget.perTodo", "One todo"),
  "unattended.minutes": setting({
    kind: orUnlimited(amount(1e6)),
    default: 480,
    project: "lower",
    unit: "minutes",
    says: "The `budget.minutes` of a run that `tildone run` starts, where you set none; `unlimited` switches it off.",
  }),
};

const CHECKS = {
  "checks.run": setting({
    kind: list(check),
    default: [],
    project: "nothing",
    says: "Commands that must pass before a run counts as done.",
    env: "TILDONE_CHECK",
    flag: "check",
  }),
  "checks.allow": setting({
    kind: list(text("a command with its arguments, `*` for any", /\S/)),
    default: [],
    project: "nothing",
    says: "Commands that run without asking when the model proposes them as checks. One that fits only a rule with `*` proves a todo if it did not pass before the work.",
  }),
  "checks.protect": setting({
    kind: list(text("a glob (`*`, `**`, `?` and `{a,b}`)", /^[^\0]*\S[^\0]*$/)),
    default: [
      "**/{test,tests,__tests__,spec,specs,e2e}/**",
      "**/*.{test,spec}.*",
      "**/*_{test,spec}.*",
      "**/*{Test,Tests}.{java,kt,cs}",
      "**/{test_*,conftest}.py",
      "**/{jest,vitest,playwright,cypress,karma}.config.*",
      "**/{pytest.ini,tox.ini,.mocharc.*}",
      ".github/{workflows,actions}/**",
      "{.gitlab-ci.yml,.travis.yml,Jenkinsfile,azure-pipelines.yml}",
      "{.circleci,.buildkite,.ci}/**",
    ],
    project: "add",
    says: "Files whose change puts a passed check in doubt, unless the todo declared them.",
  }),
  "checks.prepare": unset({
    kind: check,
    project: "nothing",
    absent: "none",
    says: "Installs the dependencies in a clean room where a lock file changed since the run began, such as `npm ci`. It reaches the network only with `checks.network`. Without it the project's own dependencies are used.",
  }),
  "checks.touches": setting({
    kind: list(text("a glob (`*`, `**`, `?` and `{a,b}`)", /^[^\0]*\S[^\0]*$/)),
    default: [],
    project: "nothing",
    says: "Protected files that the agent may change: a change there is listed and no doubt.",
    env: "TILDONE_TOUCHES",
    flag: "touches",
  }),
  "checks.room": setting({
    kind: room,
    default: "auto",
    project: "tighten",
    says: "Where checks decide. auto: in the project when a todo is completed, in a clean room for the verdict of the run and where something that judges changed; clean: always in a clean room; place: in a clean room only where something that judges changed.",
    env: "TILDONE_ROOM",
  }),
  "checks.confine": setting({
    kind: confine,
    default: "auto",
    project: "tighten",
    says: "Whether a check runs confined in its clean room. auto: where this machine can, and unconfined where the check passes only so; required: a check that cannot run confined proves nothing.",
  }),
  "checks.network": setting({
    kind: boolean,
    default: false,
    project: "turn_off",
    says: "Whether checks in a confined room reach the network, services on this machine included.",
  }),
  "checks.timeout": setting({
    kind: duration("24h"),
    default: 10 * MINUTE,
    project: "lower",
    says: "How long one check may run.",
  }),
  "checks.tailBytes": setting({
    kind: integer(256, 1_048_576),
    default: 8192,
    project: "lower",
    unit: "bytes",
    says: "How much of the end of a check's output is kept.",
  }),
};

const APPROVAL = {
  "approval.mode": setting({
    kind: mode,
    default: "ask",
    project: "tighten",
    says: "Which calls of the standalone agent ask first.",
    env: "TILDONE_APPROVAL",
    flag: "approval",
  }),
  "approval.rules": setting({
    kind: list(rule),
    default: [],
    project: "nothing",
    says: "Rules for calls, in order; the first that fits decides.",
  }),
  "approval.protect": setting({
    kind: list(text("a glob (`*`, `**`, `?` and `{a,b}`)", /^[^\0]*\S[^\0]*$/)),
    default: [...PROTECTED],
    project: "nothing",
    says: "Files whose change asks in every mode but yolo, even if the tool is always allowed.",
  }),
  "approval.protectInYolo": setting({
    kind: list(text("a glob (`*`, `**`, `?` and `{a,b}`)", /^[^\0]*\S[^\0]*$/)),
    default: [...PROTECTED_IN_YOLO],
    project: "nothing",
    says: "Files whose change asks in yolo, too; said when a run begins. [] for none.",
  }),
  "approval.timeout": setting({
    kind: duration("24h"),
    default: 30 * MINUTE,
    project: "lower",
    says: "How long a call waits for an answer before it is denied.",
  }),
};

const CONFINE = {
  confine: setting({
    kind: confine,
    default: "off",
    project: "tighten",
    says: "Whether the standalone agent's shell commands run confined to the project. auto: where this machine can; required: nothing starts where it cannot.",
    env: "TILDONE_CONFINE",
    flag: "confine",
  }),
  "confined.network": setting({
    kind: boolean,
    default: true,
    project: "turn_off",
    says: "Whether the agent's confined commands reach the network, services on this machine included.",
  }),
  "confined.read": setting({
    kind: list(text("a folder", /^[^\0]+$/)),
    default: [],
    project: "nothing",
    says: "More files and folders that confined commands may read.",
  }),
  "confined.write": setting({
    kind: list(text("a folder", /^[^\0]+$/)),
    default: [],
    project: "nothing",
    says: "More folders that the agent's confined commands may change, such as ~/.gradle.",
  }),
  "confined.env": setting({
    kind: list(text("the name of a variable", /^[A-Za-z_][A-Za-z0-9_]*$/)),
    default: [],
    project: "nothing",
    says: "More variables that the agent's confined commands get.",
  }),
};

const CALLS = {
  "calls.concurrency": setting({
    kind: integer(1, 64),
    default: 8,
    project: "lower",
    unit: "calls",
    says: "Calls that run at the same time.",
  }),
  "calls.deadline": setting({
    kind: duration("24h"),
    default: 10 * MINUTE,
    project: "lower",
    says: "How long one call may run, not counting the wait for your answer.",
  }),
};

const wait = (most: string, value: number, what: string): Setting<number> =>
  setting({ kind: duration(most), default: value, project: "set", says: `How long ${what} is waited for.` });

const WAITS = {
  "waits.background": wait("24h", DEFAULTS.deadlineMs.background, "work in the background"),
  "waits.compaction": wait("1h", DEFAULTS.deadlineMs.compaction, "a compaction of the host"),
  "waits.recovery": wait("1h", DEFAULTS.deadlineMs.recovery, "a recovery of the host"),
  "waits.checks": wait("24h", DEFAULTS.deadlineMs.checks, "a run of the checks"),
  "waits.rateLimitWindows": setting({
    kind: integer(0, 1000),
    default: DEFAULTS.rateLimitWindows,
    project: "lower",
    unit: "resets",
    says: "Rate limit resets to wait for before the run stops.",
  }),
  "waits.backoff": setting({
    kind: duration("1h"),
    default: DEFAULTS.backoffMs.first,
    project: "raise",
    says: "First pause after an overload; each further one is twice as long.",
  }),
  "waits.longestBackoff": setting({
    kind: duration("24h"),
    default: DEFAULTS.backoffMs.most,
    project: "raise",
    says: "Longest pause after an overload.",
  }),
  "waits.backoffTries": setting({
    kind: integer(0, 1000),
    default: DEFAULTS.backoffTries,
    project: "lower",
    unit: "pauses",
    says: "Pauses after overloads in a row before the run stops.",
  }),
};

/** What ends a turn that does not end by itself. */
const TURN = {
  "turn.repeatedCalls": setting({
    kind: integer(2, 1000),
    default: DEFAULTS.brake.sameCalls,
    project: "lower",
    unit: "calls",
    says: "The same tool call with the same result on the same files, this often in a row, ends the turn and stops the run.",
  }),
  "turn.answersWithoutActivity": setting({
    kind: turns,
    default: DEFAULTS.brake.idleAnswers,
    project: "lower",
    unit: "answers",
    says: "Model answers in a row within one turn without a new call, a new result or a change of the files before the run stops.",
  }),
  "turn.answersWithoutChange": setting({
    kind: turns,
    default: DEFAULTS.brake.stillAnswers,
    project: "lower",
    unit: "answers",
    says: "Model answers in a row within one turn without progress and without a new state of the files before the run stops.",
  }),
  "turn.silence": setting({
    kind: duration("24h"),
    default: DEFAULTS.brake.silenceMs,
    project: "lower",
    says: "How long the model may send nothing while no tool runs; then the turn is ended and tried again. 0: any time.",
  }),
  "turn.longestAnswer": setting({
    kind: duration("24h"),
    default: DEFAULTS.brake.answerMs,
    project: "lower",
    says: "How long one model answer may take before the run stops. 0: any time.",
  }),
};

const CHECKPOINTS = {
  "checkpoints.enabled": setting<boolean | "auto">({
    kind: either(boolean, oneOf(["auto"])),
    default: "auto",
    project: "nothing",
    says: "Whether the files are recorded at the start and end of todos, so that `tildone undo` can restore them. `auto`: in a git repository, and nowhere else.",
    env: "TILDONE_CHECKPOINTS",
  }),
  "checkpoints.keep": setting({
    kind: integer(2, 10_000),
    default: 200,
    project: "nothing",
    unit: "checkpoints",
    says: "Checkpoints that are kept of a run; older ones can no longer be undone.",
  }),
};

const REST = {
  "runs.ageOutDays": setting({
    kind: integer(1, 3650),
    default: 7,
    project: "nothing",
    unit: "days",
    says: "Days after which a stopped run counts as ended: `tildone status` hides it, `tildone runs prune` removes it. It can still be resumed by its id.",
  }),
  "log.keep": unset({
    kind: age,
    project: "nothing",
    absent: "everything",
    says: "How long the log keeps a run that ended or stopped and was not touched since, such as 90d. Older ones are removed once a day, when `tildone run` ends, and the file is compacted.",
  }),
  "nudge.items": setting({
    kind: integer(1, 100),
    default: DEFAULTS.listInNudge.items,
    project: "set",
    unit: "todos",
    says: "Open todos that a nudge shows when the agent has not seen the current list; otherwise it shows the next three.",
  }),
  "nudge.characters": setting({
    kind: integer(20, 1000),
    default: DEFAULTS.listInNudge.characters,
    project: "set",
    unit: "characters",
    says: "Characters of each todo that a nudge shows.",
  }),
  "workflows.folders": setting({
    kind: list(text("a folder", /^[^\0]+$/)),
    default: [],
    project: "nothing",
    says: "More folders with workflows, after the usual ones.",
  }),
  notify: unset({
    kind: notify,
    project: "never",
    absent: "none",
    says: "What tells you that a run waits for you, stopped or is done: a command, or `command`, `ntfy`, `webhook`, `slack`, `desktop` with their addresses, and `on` to choose what you hear of. See docs/how-to/notify.md.",
  }),
};

/** Runs on many machines. Only yours: a project must not choose the database that its words are written to. */
const FLEET = {
  "database.url": unset({
    kind: databaseUrl,
    project: "never",
    absent: "no fleet",
    says: "The PostgreSQL database of your fleet. It is a secret: it is never shown, and no agent, check or hook gets it. See docs/how-to/fleet.md.",
    env: "TILDONE_DATABASE_URL",
  }),
  "fleet.schema": setting({
    kind: text("a schema: small letters, digits and _, at most 40", /^[a-z][a-z0-9_]{0,39}$/),
    default: "tildone",
    project: "never",
    says: "The schema of that database. Teams that must not see each other's runs have one each.",
    env: "TILDONE_FLEET_SCHEMA",
  }),
  "fleet.allow": setting({
    kind: list(repository),
    default: [],
    project: "never",
    says: "Repositories whose submitted goals may run on workers of this machine, checks and `--prepare` included: an address, `*` in it for any text. A worker takes nothing else.",
  }),
  "fleet.slots": setting({
    kind: integer(1, 256),
    default: 2,
    project: "never",
    unit: "runs",
    says: "Runs that a worker of this machine works on at the same time.",
  }),
  "fleet.labels": setting({
    kind: list(label),
    default: [],
    project: "never",
    says: "What a worker of this machine offers, such as `gpu`. Goals that were submitted with `--needs` run only where all of it is offered.",
  }),
  "fleet.clones": setting({
    kind: integer(0, 10_000),
    default: 20,
    project: "never",
    unit: "clones",
    says: "How many clones of repositories a worker of this machine keeps. About once an hour it removes those that were not used for longest, never one that a run needs.",
  }),
  "fleet.keep": unset({
    kind: age,
    project: "never",
    absent: "everything",
    says: "How long the fleet keeps a run that is over, such as 90d. Workers of this machine remove older ones of repositories in `fleet.allow`, about once an hour: log, conversation, report and checkpoints. The branch of a result stays.",
  }),
  "fleet.perRepository": unset({
    kind: orUnlimited(integer(1, 10_000)),
    project: "never",
    unit: "runs",
    absent: "unlimited",
    says: "Runs of one repository at the same time, on all workers together. Each worker keeps to its own setting: give them the same.",
  }),
  "fleet.perProvider": unset({
    kind: orUnlimited(integer(1, 10_000)),
    project: "never",
    unit: "runs",
    absent: "unlimited",
    says: "Runs with the same provider of models at the same time, on all workers together. Each worker keeps to its own setting: give them the same.",
  }),
};

/** Every setting. A `*` in a key stands for the name of a host or an agent. */
const SETTINGS = {
  ...SWITCHES,
  ...CONTINUATION,
  ...AGENT,
  ...BUDGETS,
  ...CHECKS,
  ...CHECKPOINTS,
  ...APPROVAL,
  ...CONFINE,
  ...CALLS,
  ...WAITS,
  ...TURN,
  ...REST,
  ...FLEET,
};

export type Values = { readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K]["default"] };

/** The table as those see it who walk over it and know no single key. */
export const ROWS: ReadonlyMap<string, Setting<unknown>> = new Map(Object.entries<Setting<unknown>>(SETTINGS));

/** Defaults that hold for one host or one agent. */
export const SCOPED_DEFAULTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["hosts.pi.countdown", 3000],
  ["hosts.opencode.countdown", 2000],
  ["hosts.opencode.minimumGap", 1000],
  ["hosts.library.countdown", 2000],
  ["agents.coder.enabled", true],
  ["agents.build.enabled", true], // the agent OpenCode begins with
  ["agents.task.enabled", false],
  ["agents.plan.enabled", "never"],
  ["agents.planner.enabled", "never"],
]);

/** Where settings of one host may stand: also for clients and callers that no list of hosts knows. */
export const SETTING_HOSTS: readonly string[] = [...HOST_NAMES, "mcp", "library", "tildone"];
