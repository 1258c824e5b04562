import type { Mode, Rule } from "../core/call/index.ts";
import { DEFAULTS, type Limits } from "../core/continuation/index.ts";
import type { Budget } from "../core/run/index.ts";
import type { Check } from "../core/todo/index.ts";
import type { Confine } from "./confine-kind.ts";
import type { NotifySettings } from "./notify-kind.ts";
import type { Resolved, Scope } from "./resolve.ts";
import type { RoomMode } from "./room-kind.ts";
import type { Values } from "./settings.ts";

/** The settings in the shape their readers take; times are milliseconds. */
export interface Config {
  readonly limits: Limits;
  /** Why nothing is sent on; absent when continuation is on. */
  readonly off?: string;
  readonly budget: Budget;
  /** The same for an unattended run: never without an end, unless you say so. */
  readonly unattended: Budget;
  readonly checks: {
    /** Protected files that the agent may change. */
    readonly touches: readonly string[];
    readonly room: RoomMode;
    /** Installs dependencies in a room. */
    readonly prepare?: Check;
    /** Of checks in a room. */
    readonly confine: Confine;
    readonly network: boolean;
    readonly run: readonly Check[];
    /** Words of commands that a model's check may consist of. */
    readonly allow: readonly string[];
    readonly protect: readonly string[];
    readonly timeoutMs: number;
    readonly tailBytes: number;
  };
  readonly checkpoints: { readonly enabled: boolean | "auto"; readonly keep: number };
  readonly approval: {
    readonly mode: Mode;
    readonly rules: readonly Rule[];
    readonly protect: readonly string[];
    readonly protectInYolo: readonly string[];
    readonly timeoutMs: number;
  };
  /** Of the standalone agent's shell. */
  readonly confine: {
    readonly mode: Confine;
    readonly network: boolean;
    readonly read: readonly string[];
    readonly write: readonly string[];
    readonly env: readonly string[];
  };
  readonly calls: { readonly concurrency: number; readonly deadlineMs: number };
  readonly workflows: { readonly folders: readonly string[] };
  readonly agent: {
    readonly model?: string;
    readonly maxTokens?: number;
    readonly reasoningEffort?: NonNullable<Values["agents.*.reasoningEffort"]>;
  };
  readonly notify?: NotifySettings;
  readonly log: { readonly keepMs: number | undefined };
  readonly runs: { readonly ageOutMs: number };
  /** Runs on many machines. */
  readonly fleet: {
    /** A secret. Absent: there is no fleet. */
    readonly url?: string;
    readonly schema: string;
    /** Repositories whose goals may run on workers of this machine. */
    readonly allow: readonly string[];
    readonly slots: number;
    readonly labels: readonly string[];
    /** Clones of repositories that a worker keeps. */
    readonly clones: number;
    readonly perRepository?: number;
    readonly perProvider?: number;
    /** How long a run that is over is kept; absent: without end. */
    readonly keepMs?: number;
  };
}

const DAY_MS = 24 * 60 * 60_000;

export function assemble({ values, unattendedMinutes }: Resolved, scope: Scope, offBy: string | undefined): Config {
  const off = whyOff(values, scope, offBy);
  const notify = values.notify;
  return {
    limits: limitsOf(values, off === undefined),
    ...(off !== undefined && { off }),
    budget: budgetOf(values, "budget"),
    unattended: budgetOf({ ...values, "budget.minutes": unattendedMinutes }, "budget"),
    checks: {
      run: values["checks.run"],
      allow: values["checks.allow"],
      protect: values["checks.protect"],
      touches: values["checks.touches"],
      room: values["checks.room"],
      ...(values["checks.prepare"] && { prepare: values["checks.prepare"] }),
      confine: values["checks.confine"],
      network: values["checks.network"],
      timeoutMs: values["checks.timeout"],
      tailBytes: values["checks.tailBytes"],
    },
    checkpoints: { enabled: values["checkpoints.enabled"], keep: values["checkpoints.keep"] },
    approval: {
      mode: values["approval.mode"],
      rules: values["approval.rules"],
      protect: values["approval.protect"],
      protectInYolo: values["approval.protectInYolo"],
      timeoutMs: values["approval.timeout"],
    },
    confine: {
      mode: values.confine,
      network: values["confined.network"],
      read: values["confined.read"],
      write: values["confined.write"],
      env: values["confined.env"],
    },
    calls: { concurrency: values["calls.concurrency"], deadlineMs: values["calls.deadline"] },
    workflows: { folders: values["workflows.folders"] },
    agent: given({
      model: values["agents.*.model"],
      maxTokens: values["agents.*.maxTokens"],
      reasoningEffort: values["agents.*.reasoningEffort"],
    }),
    ...(notify !== undefined && { notify }),
    log: { keepMs: values["log.keep"] },
    runs: { ageOutMs: values["runs.ageOutDays"] * DAY_MS },
    fleet: {
      schema: values["fleet.schema"],
      allow: values["fleet.allow"],
      slots: values["fleet.slots"],
      labels: values["fleet.labels"],
      clones: values["fleet.clones"],
      ...given({
        url: values["database.url"],
        perRepository: limited(values["fleet.perRepository"]),
        perProvider: limited(values["fleet.perProvider"]),
        keepMs: values["fleet.keep"],
      }),
    },
  };
}

/** Everything must be on: tildone itself, the host, and the agent where there is one to ask about. */
function whyOff(values: Values, { host, agent }: Scope, offBy: string | undefined): string | undefined {
  if (offBy !== undefined) return offBy;
  if (!values["continuation.enabled"]) return "continuation.enabled is false.";
  if (!values["hosts.*.enabled"]) return `hosts.${host}.enabled is false.`;
  if (agent === undefined || values["agents.*.enabled"] === true) return undefined;
  if (values["agents.*.enabled"] === "never") return `tildone never continues the agent "${agent}".`;
  return `tildone does not continue the agent "${agent}"; agents.${agent}.enabled turns it on.`;
}

function limitsOf(values: Values, enabled: boolean): Limits {
  return {
    enabled,
    idleTurns: values["continuation.idleTurns"],
    stillTurns: values["continuation.maxContinuations"],
    nudgedTurns: values["continuation.turnsSinceProgress"],
    countdownMs: values["continuation.countdown"],
    minimumGapMs: values["continuation.minimumGap"],
    backoffMs: { first: values["waits.backoff"], most: values["waits.longestBackoff"] },
    backoffTries: values["waits.backoffTries"],
    rateLimitWindows: values["waits.rateLimitWindows"],
    attemptsPerTodo: values["continuation.attemptsPerTodo"],
    deadlineMs: {
      background: values["waits.background"],
      compaction: values["waits.compaction"],
      recovery: values["waits.recovery"],
      checks: values["waits.checks"],
    },
    brake: {
      ...DEFAULTS.brake,
      sameCalls: values["turn.repeatedCalls"],
      idleAnswers: values["turn.answersWithoutActivity"],
      stillAnswers: values["turn.answersWithoutChange"],
      silenceMs: values["turn.silence"] || Number.POSITIVE_INFINITY,
      answerMs: values["turn.longestAnswer"] || Number.POSITIVE_INFINITY,
    },
    perTodo: budgetOf(values, "budget.perTodo"),
    context: { ...DEFAULTS.context, mode: values["continuation.context"], every: values["continuation.contextEvery"] },
    listInNudge: { items: values["nudge.items"], characters: values["nudge.characters"] },
  };
}

function budgetOf(values: Values, prefix: "budget" | "budget.perTodo"): Budget {
  return given({
    tokens: limited(values[`${prefix}.tokens`]),
    cost: limited(values[`${prefix}.cost`]),
    minutes: limited(values[`${prefix}.minutes`]),
    continuations: limited(values[`${prefix}.continuations`]),
  });
}

const limited = (value: number | undefined): number | undefined =>
  value === Number.POSITIVE_INFINITY ? undefined : value;

/** Without the fields that are not set: absent means not limited. */
function given<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
