import { type Config, lineOf } from "../config/index.ts";
import { MODE_SAYS, type Mode } from "../core/call/index.ts";
import type { Budget, ModelChoice } from "../core/run/index.ts";
import { counted, span } from "../core/text/index.ts";
import type { Io } from "./io.ts";
import { styleOf } from "./style.ts";
import { printable, wrap } from "./wrap.ts";

/** What a run works with, said before anything is loaded that takes time. */
export interface RunFacts {
  /** The host that does the work; absent: tildone's own agent. */
  readonly host?: string;
  /** Absent: the host chooses. */
  readonly model?: string;
  readonly baseUrl?: string;
  readonly folder: string;
  /** Commands that must pass at the end. */
  readonly checks: readonly string[];
  readonly budget: Budget;
  /** The part of it that you did not ask for. */
  readonly byDefault?: "minutes";
  /** Absent: the host asks by its own rules. */
  readonly approval?: Mode;
  /** What the command line said when it ran last: you say it again if you want it again. */
  readonly before?: string;
}

export function factsOf(
  config: Pick<Config, "approval" | "checks">,
  more: Pick<RunFacts, "host" | "folder" | "budget" | "byDefault" | "before"> & {
    readonly choice: ModelChoice;
    /** Of a run that continues: what it had to pass before. */
    readonly own?: readonly string[];
  },
): RunFacts {
  const { choice, host, own = [], ...rest } = more;
  return {
    ...rest,
    ...choice,
    checks: [...new Set([...own, ...config.checks.run.map(({ run }) => lineOf(run))])],
    ...(host === undefined ? { approval: config.approval.mode } : { host }),
  };
}

export function headerLines(facts: RunFacts, io: Io): readonly string[] {
  const style = styleOf(io);
  const rows = {
    ...(facts.host !== undefined && { host: facts.host }),
    model: modelText(facts),
    folder: shortFolder(facts.folder, io.home),
    checks: facts.checks.join(", ") || 'none; --check "npm test" makes the run prove its work',
    budget: budgetText(facts),
    approval: approvalText(facts, io),
  };
  return Object.entries(rows).flatMap(([name, text]) =>
    wrap(printable(text), (io.isTerminal ? io.columns : 200) - MARGIN)
      .split("\n")
      .map((line, at) => `${style.role("dim", (at === 0 ? name : "").padEnd(MARGIN))}${line}`),
  );
}

const MARGIN = 10;

function modelText({ model, baseUrl, host }: RunFacts): string {
  if (model === undefined) return host === undefined ? "the first that has a key" : "the one that is set there";
  return baseUrl === undefined ? model : `${model} at ${baseUrl}`;
}

function budgetText({ budget, byDefault }: RunFacts): string {
  const { tokens, cost, minutes, continuations } = budget;
  const usual = byDefault === undefined ? "" : ` (the default; --max-${byDefault} changes it)`;
  const parts = [
    ...(minutes === undefined ? [] : [span(minutes * 60_000) + usual]),
    ...(tokens === undefined ? [] : [`${tokens} tokens`]),
    ...(cost === undefined ? [] : [`$${cost.toFixed(2)}`]),
    ...(continuations === undefined ? [] : [counted(continuations, "continuation")]),
  ];
  return parts.join(", ") || "unlimited";
}

function approvalText({ approval, host, before }: RunFacts, io: Io): string {
  if (approval === undefined) return `${host} asks or denies by its own settings`;
  const answers = ASKS.has(approval) ? (io.isInteractive ? "; you answer here" : "; answer with tildone approve") : "";
  const was = before === undefined || before === approval ? "" : `; last time it ran with --approval ${before}`;
  return `${approval}: ${MODE_SAYS[approval]}${answers}${was}`;
}

const ASKS: ReadonlySet<Mode> = new Set(["ask", "auto-edit"]);

function shortFolder(folder: string, home: string): string {
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}
