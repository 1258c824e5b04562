import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Resume } from "../agent/index.ts";
import { readWorkflows } from "../compose/index.ts";
import type { Config } from "../config/index.ts";
import { type PlanItem, readPlan } from "../core/plan/index.ts";
import type { Budget, Launch, ModelChoice, Run } from "../core/run/index.ts";
import { livingDriver, openRun, type RunCard } from "../engine/index.ts";
import { findWorkflow } from "../workflows/index.ts";
import { Failure, type Given, has, text, UsageError } from "./command.ts";
import { type HomeStore, withStore } from "./home.ts";
import type { Io } from "./io.ts";
import { pickRun } from "./pick-run.ts";
import { refuseAgent } from "./speaker.ts";
import { whoDrives } from "./who-drives.ts";

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

export async function taskOf(given: Given, io: Io): Promise<Task> {
  const todos = (given.options.todo as readonly string[] | undefined) ?? [];
  if (has(given, "resume")) return { type: "resume", ...(await resumed(given.words, io)), todos };
  if (given.words.length > 1)
    throw new UsageError(`Unexpected argument "${given.words[1]}". Put quotes around the goal: tildone run "goal".`);
  const plan = planOf(text(given, "file"), io);
  const workflow = text(given, "workflow");
  const goal = given.words[0]?.trim() || plan?.title || (plan ? "Work through the list" : "");
  if (goal === "") throw new UsageError('Say what to do: tildone run "goal". To continue a run: tildone run --resume.');
  if (workflow !== undefined) {
    const found = findWorkflow(await readWorkflows(io), workflow);
    if (found.status === "not_found") throw new Failure(found.message, 2);
  }
  return { type: "start", goal, plan: plan?.items ?? [], todos, workflow };
}

async function resumed(words: readonly string[], io: Io): Promise<{ readonly run: Run; readonly message: string }> {
  return withStore(io, (store) => {
    refuseAgent(store, io, "resume", words[0]);
    const { card, message } = resumable(store, words, io);
    notDriven(store, card);
    if (card.cwd !== io.cwd)
      throw new Failure(
        `Run ${card.run} lives in another folder: cd ${card.cwd} && tildone run --resume ${card.run}`,
        2,
      );
    return { run: openRun(store.log, card.run).run, message };
  });
}

/** `[run] ["message"]`: the first word is a run if there is one of that name. */
export function resumable(
  store: HomeStore,
  [first, second]: readonly string[],
  io: Io,
): { readonly card: RunCard; readonly message: string } {
  const isRun = first !== undefined && store.runs.list().some(({ run }) => run.startsWith(first));
  if (first !== undefined && !isRun && (second !== undefined || !/\s/.test(first.trim()))) pickRun(store, first, io);
  return { card: pickRun(store, isRun ? first : undefined, io), message: (isRun ? second : first)?.trim() ?? "" };
}

/** What a person's word carries: the message, and limits and checks that are given anew. */
export function resumeOf(message: string, given: Given, { budget, checks }: Config): Resume {
  const fresh = Object.fromEntries(
    BUDGET_FLAGS.flatMap(([flag, name]) =>
      given.options[flag] === undefined || budget[name] === undefined ? [] : [[name, budget[name]]],
    ),
  ) as Budget;
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

/** What the next `--resume` uses again, besides the model. */
export function launchOf(given: Given, host: string | undefined, before: Launch = {}): Launch {
  const hostArgs = given.options["host-arg"] as readonly string[] | undefined;
  const agent = text(given, "agent");
  return {
    ...before,
    ...(host !== undefined && { host }),
    ...(agent !== undefined && { agent }),
    ...(hostArgs && { hostArgs }),
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

/** Two processes never drive one run: whoever lives has it. */
function notDriven(store: HomeStore, card: RunCard): void {
  const driver = livingDriver(card, store.drivers.of(card));
  if (!driver) return;
  throw new Failure(
    [
      `${card.run} is being worked on by ${whoDrives(driver)}, so it cannot be resumed here.`,
      `  watch it:        tildone log ${card.run} --follow`,
      `  end it there:    ${driver.isHere ? `kill -INT ${driver.pid}` : `Ctrl-C on ${driver.machine}`}`,
    ].join("\n"),
  );
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
