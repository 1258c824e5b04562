import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Resume } from "../agent/index.ts";
import type { Config, Flags } from "../config/index.ts";
import { type PlanItem, readPlan } from "../core/plan/index.ts";
import type { Budget, Launch, ModelChoice, Run } from "../core/run/index.ts";
import { CONTEXT_MODES } from "../core/workflow/index.ts";
import { Failure, type Given, has, text, UsageError } from "./command.ts";
import type { Io } from "./io.ts";

/** What `tildone run` is asked to do. */
export type Task =
  | {
      readonly type: "start";
      readonly goal: string;
      readonly plan: readonly PlanItem[];
      readonly todos: readonly string[];
      readonly workflow?: string;
    }
  /** A run that exists; `message` is what you say to it. */
  | { readonly type: "resume"; readonly run: Run; readonly message: string; readonly todos: readonly string[] };

/** Loads no more than it needs: what a run works with is said before everything else is loaded. */
export async function taskOf(given: Given, io: Io): Promise<Task> {
  const todos = (given.options.todo as readonly string[] | undefined) ?? [];
  if (has(given, "resume")) {
    const { resumed } = await import("./resumed-run.ts");
    return { type: "resume", ...(await resumed(given.words, io)), todos };
  }
  if (given.words.length > 1)
    throw new UsageError(`Unexpected argument "${given.words[1]}". Put quotes around the goal: tildone run "goal".`);
  const plan = planOf(text(given, "file"), io);
  const workflow = text(given, "workflow");
  const goal = given.words[0]?.trim() || plan?.title || (plan ? "Work through the list" : "");
  if (goal === "") throw new UsageError('Say what to do: tildone run "goal". To continue a run: tildone run --resume.');
  if (workflow !== undefined) await refuseUnknownWorkflow(workflow, io);
  return { type: "start", goal, plan: plan?.items ?? [], todos, workflow };
}

/** What a person's word carries: the message, and limits and checks that are given anew. */
export function resumeOf(message: string, given: Given, { budget, checks }: Config): Resume {
  const named = BUDGET_FLAGS.filter(([flag]) => given.options[flag] !== undefined);
  const endless = named.find(([, name]) => budget[name] === undefined);
  if (endless)
    throw new UsageError(
      `--${endless[0]} unlimited belongs to the start of a run. Give this one a number, or more with tildone extend --${endless[1]} <n>.`,
    );
  const fresh = Object.fromEntries(named.map(([, name]) => [name, budget[name]])) as Budget;
  return {
    ...(message !== "" && { words: { id: randomUUID(), text: message, kind: "steer" } }),
    ...(Object.keys(fresh).length > 0 && { budget: fresh }),
    ...(given.options.check !== undefined && { checks: checks.run }),
  };
}

const BUDGET_FLAGS = [
  ["max-tokens", "tokens"],
  ["max-cost", "cost"],
  ["max-minutes", "minutes"],
] as const;

/** Options that are used again with the next `--resume`, and are settings at the same time. */
export function rememberedFlags({ context, contextEvery }: Launch = {}): Flags {
  return {
    ...(context !== undefined && { context }),
    ...(contextEvery !== undefined && { "context-every": String(contextEvery) }),
  };
}

/** What the next `--resume` uses again, besides the model. Its values are settings, which are read and refused elsewhere. */
export function launchOf(given: Given, host: string | undefined, before: Launch = {}): Launch {
  const hostArgs = given.options["host-arg"] as readonly string[] | undefined;
  const agent = text(given, "agent");
  const context = has(given, "fresh") ? "fresh" : CONTEXT_MODES.find((mode) => mode === text(given, "context"));
  const every = text(given, "context-every");
  const approval = text(given, "approval");
  const { approval: _then, ...kept } = before;
  return {
    ...kept,
    ...(host !== undefined && { host }),
    ...(agent !== undefined && { agent }),
    ...(hostArgs && { hostArgs }),
    ...(context !== undefined && { context }),
    ...(every !== undefined && { contextEvery: Number(every) }),
    ...(approval !== undefined && { approval }),
  };
}

/** What is named now counts as a whole: a server that was named before does not know every model. */
export function choiceOf(given: Given): ModelChoice | undefined {
  const [model, baseUrl] = [text(given, "model"), text(given, "base-url")];
  if (model === undefined && baseUrl === undefined) return undefined;
  return { ...(model !== undefined && { model }), ...(baseUrl !== undefined && { baseUrl }) };
}

/** No secret is written to the log. */
export function withoutCredentials({ baseUrl, ...choice }: ModelChoice): ModelChoice {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return choice;
  const url = new URL(baseUrl);
  if (url.username === "" && url.password === "") return { ...choice, baseUrl };
  url.username = "";
  url.password = "";
  return { ...choice, baseUrl: url.href };
}

async function refuseUnknownWorkflow(name: string, io: Io): Promise<void> {
  const [{ readWorkflows }, { findWorkflow }] = await Promise.all([
    import("../compose/index.ts"),
    import("../workflows/index.ts"),
  ]);
  const found = findWorkflow(await readWorkflows(io), name);
  if (found.status === "not_found") throw new Failure(found.message, 2);
}

function planOf(file: string | undefined, io: Io) {
  if (file === undefined) return undefined;
  let markdown: string;
  try {
    markdown = readFileSync(resolve(io.cwd, file), "utf8");
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, 2);
  }
  const read = readPlan(markdown);
  if (!read.ok) throw new Failure(`${file}: ${read.message}`, 2);
  return read;
}
