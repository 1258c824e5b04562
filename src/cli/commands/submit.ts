import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { newRunId } from "../../compose/index.ts";
import { HOST_NAMES, OWN_HOST } from "../../config/index.ts";
import { redact } from "../../core/secret/index.ts";
import { isTrivialCheck } from "../../core/todo/index.ts";
import type { Submission, WorkerRow } from "../../fleet/index.ts";
import { type Command, Failure, type Given, has, JSON_OPTION, number, text, UsageError } from "../command.ts";
import { fleetSettings } from "../fleet/fleet-settings.ts";
import { ownName } from "../fleet/own-name.ts";
import { repositoryOf } from "../fleet/repository.ts";
import type { Io } from "../io.ts";
import { jsonLine } from "../json.ts";

const QUEUE = "runs";
const PRIORITY = 10;
const MOST_PRIORITY = 1000;
const MOST_GOAL = 20_000;
const MOST_PLAN = 400_000;

export const submit: Command = {
  name: "submit",
  takes: '"goal"',
  summary: "Puts a goal on the queue of your fleet; a worker anywhere works on it.",
  examples: [
    ['tildone submit "fix the tests" --repo ../app.git --check "npm test"', "prints the run's id"],
    ["tildone submit --file plan.md --repo https://example.com/a.git", "a plan as the goal"],
    ['tildone submit "speed it up" --repo ../app.git --needs gpu', "a worker with that label"],
    ['tildone submit "fix it" --repo ../app.git --budget minutes=60', "with limits"],
  ],
  details: `The worker clones the repository with its own git credentials, runs --prepare once, lets the
agent work, runs the checks and pushes the result as branch tildone/<run>. Workers take only
repositories that their fleet.allow names. Watch and steer it from any machine with the
same database: tildone status, log --follow, say, hold, approve, cancel.`,
  options: {
    ...JSON_OPTION,
    repo: { type: "string", value: "url", completes: "file", says: "The repository, without credentials." },
    ref: {
      type: "string",
      value: "ref",
      says: "The branch, tag or commit to start from; default: its default branch.",
    },
    check: { type: "string", value: "command", multiple: true, says: "Must pass at the end; repeatable." },
    prepare: { type: "string", value: "command", says: "Runs once in the new clone, before the agent: npm ci." },
    file: { type: "string", value: "plan.md", completes: "file", says: "A plan: its checkboxes become the list." },
    priority: { type: "string", value: "n", says: `0 is first; default: ${PRIORITY}.` },
    queue: { type: "string", value: "name", says: `The queue; default: ${QUEUE}.` },
    needs: { type: "string", value: "labels", says: "Labels that the worker must have, with commas: gpu,linux." },
    "max-tokens": { type: "string", value: "n", says: "Tokens that the run may use." },
    "max-cost": { type: "string", value: "n", says: "What the run may cost." },
    "max-minutes": { type: "string", value: "n", says: "Active minutes that the run may take." },
    budget: { type: "string", value: "limits", says: "All of them in one: tokens=500000,cost=2,minutes=60." },
    host: { type: "string", value: "name", completes: "host", says: "Let this host do the work, as in tildone run." },
    model: { type: "string", value: "provider/id", says: "The model." },
    "base-url": { type: "string", value: "url", says: "An OpenAI-compatible server, as the worker reaches it." },
    approval: {
      type: "string",
      value: "mode",
      completes: ["ask", "auto-edit", "yolo", "plan"],
      says: "Which calls wait for you: ask, auto-edit, yolo or plan; default: what the worker is set to.",
    },
    pr: { type: "boolean", says: "Also describe the result for a pull request: tildone report <run> --pr." },
  },
  words: 1,
  run: async (given, io) => {
    const submission = submissionOf(given, io);
    const { url, schema } = await fleetSettings(io);
    const { isOffered, isServing, openLedger, submitGoal, whyUnserved } = await import("../../fleet/index.ts");
    const ledger = await openLedger({ url, schema });
    try {
      const workers = await ledger.workers();
      const unserved = whyUnserved(submission, workers);
      // A set of labels that no worker offers would wait without end.
      if (unserved !== undefined && submission.needs.length > 0 && !isOffered(submission, workers))
        throw new Failure(unserved);
      await submitGoal({ url, schema }, ledger, submission);
      const serving = workers.filter((worker) => isServing(worker, submission));
      tell(submission, { workers: serving, unserved }, given, io);
      return 0;
    } finally {
      await ledger.close();
    }
  },
};

interface Around {
  readonly workers: readonly WorkerRow[];
  /** Why none of them takes it. */
  readonly unserved: string | undefined;
}

function tell({ run, queue, goal }: Submission, { workers, unserved }: Around, given: Given, io: Io): void {
  if (has(given, "json")) {
    io.out(jsonLine({ run, queue, workers: workers.length }));
    return;
  }
  if (redact(goal) !== goal) io.err("What looks like a secret in the goal was replaced by [redacted].");
  io.out(`Submitted ${run}.`);
  if (unserved !== undefined) io.out(`It waits. ${unserved}`);
  io.out(`  watch:  tildone log ${run} --follow`);
  io.out(`  steer:  tildone say --run ${run} "message"   (also hold, approve, extend)`);
  io.out(`  end it: tildone cancel ${run}`);
}

export function submissionOf(given: Given, io: Io): Submission {
  const plan = planOf(given, io);
  const goal = given.words[0]?.trim() || (plan === undefined ? "" : "Work through the plan.");
  if (goal === "")
    throw new UsageError('Say what to do: tildone submit "goal" --repo <url>, or give a plan with --file.');
  if (goal.length > MOST_GOAL)
    throw new UsageError(`The goal has ${goal.length} characters; the maximum is ${MOST_GOAL}.`);
  const repo = text(given, "repo");
  if (repo === undefined)
    throw new UsageError("Say which repository: --repo https://example.com/team/app.git. Workers clone it themselves.");
  const host = hostOf(text(given, "host"));
  const baseUrl = baseUrlOf(text(given, "base-url"));
  return {
    run: newRunId(),
    goal: redact(goal),
    repo: repositoryOf(repo, io.cwd),
    ...optional("ref", refOf(text(given, "ref"))),
    checks: commandsOf(given),
    ...optional("prepare", plain("prepare", text(given, "prepare"))),
    ...optional("plan", plan),
    queue: nameOf(text(given, "queue") ?? QUEUE),
    needs: labelsOf(text(given, "needs")),
    priority: priorityOf(given),
    budget: budgetOf(given),
    ...optional("host", host === OWN_HOST ? undefined : host),
    ...optional("model", modelOf(text(given, "model"))),
    ...optional("baseUrl", baseUrl),
    ...optional("approval", modeOf(text(given, "approval"))),
    pr: has(given, "pr"),
    by: ownName(),
  };
}

const optional = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };

function planOf(given: Given, io: Io): string | undefined {
  const file = text(given, "file");
  if (file === undefined) return undefined;
  let plan: string;
  try {
    plan = readFileSync(resolve(io.cwd, file), "utf8");
  } catch {
    throw new UsageError(`The plan cannot be read: ${file}.`);
  }
  if (plan.length > MOST_PLAN) throw new UsageError(`${file} is too long for a plan: over ${MOST_PLAN / 1000} kB.`);
  return redact(plan);
}

function hostOf(named: string | undefined): string | undefined {
  if (named === undefined || named === OWN_HOST || HOST_NAMES.some((host) => host === named)) return named;
  throw new UsageError(`--host is one of: ${HOST_NAMES.join(", ")}. It must be installed on the worker.`);
}

function refOf(ref: string | undefined): string | undefined {
  if (ref === undefined || /^(?!-)(?!.*\.\.)[\w./+@-]{1,200}$/.test(ref)) return ref;
  throw new UsageError(`--ref is a branch, a tag or a commit, not "${ref.slice(0, 100)}".`);
}

function commandsOf(given: Given): readonly string[] {
  const { check } = given.options;
  return Array.isArray(check) ? check.map((command: string) => falsifiable(plain("check", command)!)) : [];
}

/** The worker would refuse it, and nobody is there to be told. */
function falsifiable(check: string): string {
  if (!isTrivialCheck({ run: check })) return check;
  throw new UsageError(`--check "${check.slice(0, 100)}" always passes and proves nothing. Name one that can fail.`);
}

/** It stands in the database and is shown: a secret belongs into the worker's own environment. */
function plain(name: string, command: string | undefined): string | undefined {
  if (command === undefined) return undefined;
  if (command.trim() === "") throw new UsageError(`--${name} needs a command.`);
  if (redact(command) === command) return command;
  throw new UsageError(`--${name} contains what looks like a secret. Put it into the worker's environment instead.`);
}

function nameOf(queue: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,39}$/.test(queue)) return queue;
  throw new UsageError(`--queue is a name of letters, digits, . _ and -, not "${queue.slice(0, 60)}".`);
}

function labelsOf(given: string | undefined): readonly string[] {
  const labels = (given ?? "").split(",").map((label) => label.trim());
  const wanted = [...new Set(labels.filter((label) => label !== ""))].sort();
  const wrong = wanted.find((label) => !/^[A-Za-z0-9][\w.-]{0,39}$/.test(label));
  if (given !== undefined && wanted.length === 0)
    throw new UsageError("--needs takes labels with commas, such as gpu,linux; it names none.");
  if (wrong !== undefined)
    throw new UsageError(`--needs takes labels with commas, such as gpu,linux; "${wrong}" is none.`);
  return wanted;
}

function priorityOf(given: Given): number {
  const priority = number(given, "priority") ?? PRIORITY;
  if (Number.isInteger(priority) && priority <= MOST_PRIORITY) return priority;
  throw new UsageError(`--priority is a whole number from 0 (first) to ${MOST_PRIORITY}.`);
}

const LIMITS = ["tokens", "cost", "minutes"] as const;

function budgetOf(given: Given): Submission["budget"] {
  const budget: { tokens?: number; cost?: number; minutes?: number } = {};
  const all = text(given, "budget");
  for (const part of all === undefined ? [] : all.split(",")) {
    const [, name, value] = /^\s*(tokens|cost|minutes)=([\d_.]+)\s*$/.exec(part) ?? [];
    if (name === undefined) throw new UsageError("--budget is tokens=N,cost=N,minutes=N, each of them optional.");
    const limit = name as (typeof LIMITS)[number];
    if (budget[limit] !== undefined) throw new UsageError(`--budget limits ${limit} twice: give one.`);
    budget[limit] = limitOf(`--budget ${limit}`, limit, Number(value!.replaceAll("_", "")));
  }
  for (const name of LIMITS) {
    const value = number(given, `max-${name}`);
    if (value === undefined) continue;
    if (budget[name] !== undefined) throw new UsageError(`--budget and --max-${name} both limit ${name}: give one.`);
    budget[name] = limitOf(`--max-${name}`, name, value);
  }
  return budget;
}

const MOST_TOKENS = 1e12;

function limitOf(option: string, name: (typeof LIMITS)[number], value: number): number {
  if (name === "tokens" && !(Number.isInteger(value) && value > 0 && value <= MOST_TOKENS))
    throw new UsageError(`${option} needs a whole number from 1 to ${MOST_TOKENS}.`);
  if (Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`${option} needs a number above 0.`);
}

function modelOf(model: string | undefined): string | undefined {
  if (model === undefined || /^[^\s-][^\s]*$/.test(model)) return model;
  throw new UsageError(
    `--model is provider/id, for example anthropic/claude-sonnet-4-5; "${model.slice(0, 60)}" is not.`,
  );
}

function baseUrlOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url?.protocol.startsWith("http")) throw new UsageError("--base-url begins with http:// or https://.");
  if (url.username !== "" || url.password !== "" || redact(given) !== given)
    throw new UsageError("--base-url must not contain a user, password or token: the worker's own keys are used.");
  return given;
}

const MODES = ["ask", "auto-edit", "yolo", "plan"];

function modeOf(given: string | undefined): string | undefined {
  if (given === undefined || MODES.includes(given)) return given;
  throw new UsageError(`--approval is ask, auto-edit, yolo or plan, not "${given.slice(0, 40)}".`);
}
