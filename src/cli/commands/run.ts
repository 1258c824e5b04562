import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { HeadlessOptions } from "../../agent/index.ts";
import { readWorkflows } from "../../compose/index.ts";
import { flagOptions, loadConfig, sayProblem } from "../../config/index.ts";
import { readPlan } from "../../core/plan/index.ts";
import type { ModelChoice } from "../../core/run/index.ts";
import { livingDriver, openRun, type RunCard } from "../../engine/index.ts";
import { findWorkflow } from "../../workflows/index.ts";
import { askInPlace } from "../ask-in-place.ts";
import { type Command, Failure, type Given, has, JSON_OPTION, text, UsageError } from "../command.ts";
import { type HomeStore, withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { needsPi } from "../needs-pi.ts";
import { pickRun } from "../pick-run.ts";
import { runSupervised } from "../run-supervised.ts";
import { jsonView, textView } from "../run-view.ts";
import { whoDrives } from "../who-drives.ts";
import { formatOf, writeReport } from "../write-report.ts";

export const run: Command = {
  name: "run",
  takes: '"goal"',
  summary: "Works on a goal without anybody watching, until its list is done and proven, or there is a reason to stop.",
  details: `  tildone run "mend the failing tests" --check "npm test"
  tildone run --resume            goes on with the last run of this folder

Calls that change something ask first: answer with tildone approve, or choose
--approval auto-edit (edits are free) or yolo (everything is). Without an answer a
call is denied after approval.timeout. Ctrl-C finishes the tool that runs and
stops; twice stops now. Both can be resumed.`,
  options: {
    ...JSON_OPTION,
    model: { type: "string", value: "provider/id", says: "The model; otherwise what pi is set to." },
    "base-url": { type: "string", value: "url", says: "An OpenAI-compatible server; --model is the name it knows." },
    agent: { type: "string", value: "name", says: "The agent whose settings hold (agents.<name>); coder without it." },
    file: { type: "string", value: "plan.md", says: "A plan: its checkboxes become the list." },
    workflow: { type: "string", value: "name", says: "Work through this workflow (tildone workflow list)." },
    report: { type: "string", value: "file", says: "Write a report at the end: .md, .html or .json." },
    todo: { type: "string", value: "text", multiple: true, says: "A todo of yours; may be given often." },
    check: { type: "string", value: "command", multiple: true, says: "Must pass at the end; may be given often." },
    approval: { type: "string", value: "mode", says: "ask, auto-edit, yolo or plan." },
    "max-continuations": { type: "string", value: "n", says: "Continuations without a new state of the files." },
    "max-todo-continuations": { type: "string", value: "n", says: "The same by its older name." },
    "max-tokens": { type: "string", value: "n", says: "Tokens that the run may use." },
    "max-cost": { type: "string", value: "n", says: "What the run may cost." },
    "max-minutes": { type: "string", value: "n", says: "Active minutes that the run may take." },
    "auto-complete-todos": {
      type: "boolean",
      says: "Send the agent on (the default); --no-auto-complete-todos does not.",
    },
    resume: { type: "boolean", says: "Go on with a run: its id, or the last one of this folder." },
    host: {
      type: "string",
      value: "name",
      says: "Let claude-code, codex, gemini, opencode or pi do the work; install tildone there first.",
    },
    "host-arg": { type: "string", value: "arg", multiple: true, says: "Passed on to that host; may be given often." },
  },
  words: 1,
  run: async (given, io) => {
    io.works();
    const host = text(given, "host");
    if (host !== undefined) return runSupervised(host, given, flagsOf(given), io);
    const agent = await needsPi(() => import("../../agent/index.ts"));
    const { remembered, ...task } = await taskOf(given, io);
    const report = text(given, "report");
    if (report !== undefined) formatOf(report);
    const name = text(given, "agent") ?? "coder";
    const loaded = await loadConfig({ cwd: io.cwd, env: io.env, home: io.home, agent: name, flags: flagsOf(given) });
    if (!loaded.ok) throw new Failure(loaded.errors.map(sayProblem).join("\n"), 2);
    const { reasoningEffort, model: usual } = loaded.config.agent;
    const choice = choiceOf(given) ?? remembered ?? {};
    const model = choice.model ?? usual;
    const { baseUrl } = choice;
    const apiKey = io.env.TILDONE_API_KEY ?? io.env.OPENAI_API_KEY;
    const chosen = await agent.chooseModel({
      ...(model !== undefined && { model }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(apiKey !== undefined && { apiKey }),
    });
    if (!chosen.ok) throw new Failure(chosen.message, 2);
    const view = has(given, "json")
      ? jsonView(io)
      : textView(io, {
          event: agent.lineFor,
          answer: io.isInteractive ? () => undefined : agent.answerFor,
          call: agent.lineForCall,
        });
    const asksHere = io.isInteractive && !has(given, "json");
    const result = await agent.runHeadless({
      ...task,
      ...(Object.keys(choice).length > 0 && { chosen: withoutCredentials(choice) }),
      cwd: io.cwd,
      env: io.env,
      home: io.home,
      agent: name,
      ...(reasoningEffort !== undefined && { thinkingLevel: reasoningEffort as HeadlessOptions["thinkingLevel"] }),
      flags: flagsOf(given),
      modelRuntime: chosen.modelRuntime,
      ...(chosen.model && { model: chosen.model }),
      onProgress: view.take,
      ...(asksHere && { onOpen: (opened) => askInPlace(opened, io, view.yield) }),
      stop: io.signal,
      stopNow: io.signalAgain,
    });
    view.end(result);
    const { run: ended } = result;
    if (report !== undefined && ended) await withStore(io, (store) => writeReport(store, ended.id, io.cwd, report));
    return result.outcome.exit;
  },
};

interface Task extends Pick<HeadlessOptions, "prompt" | "goal" | "todos" | "resume" | "plan"> {
  /** The model that the run was begun with, as it was named then. */
  readonly remembered?: ModelChoice;
}

/** What is named now counts as a whole: a server that was named before does not know every model. */
function choiceOf(given: Given): ModelChoice | undefined {
  const [model, baseUrl] = [text(given, "model"), text(given, "base-url")];
  if (model === undefined && baseUrl === undefined) return undefined;
  return { ...(model !== undefined && { model }), ...(baseUrl !== undefined && { baseUrl }) };
}

/** No secret is written to the log. */
function withoutCredentials({ baseUrl, ...choice }: ModelChoice): ModelChoice {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return choice;
  const url = new URL(baseUrl);
  if (url.username === "" && url.password === "") return { ...choice, baseUrl };
  url.username = "";
  url.password = "";
  return { ...choice, baseUrl: url.href };
}

async function taskOf(given: Given, io: Io): Promise<Task> {
  const todos = (given.options.todo as readonly string[] | undefined) ?? [];
  if (has(given, "resume")) {
    const { card, remembered } = await withStore(io, (store) => {
      const found = notDriven(store, pickRun(store, given.words[0], io));
      return { card: found, remembered: openRun(store.log, found.run).run.ledger.model };
    });
    if (card.cwd !== io.cwd) throw new Failure(`that run lives in ${card.cwd}: go there and say it again.`);
    return { prompt: "", resume: card.session, todos, ...(remembered && { remembered }) };
  }
  const plan = planOf(text(given, "file"), io);
  const workflow = text(given, "workflow");
  const goal = given.words[0]?.trim() || plan?.title || "";
  if (workflow !== undefined && goal !== "") {
    const found = findWorkflow(await readWorkflows(io), workflow);
    if (found.status === "not_found") throw new Failure(found.message, 2);
    return { prompt: `/workflow ${workflow} ${goal}`, todos };
  }
  if (plan)
    return {
      prompt: `${goal || "Work through the list."}`,
      goal: goal || "Work through the list",
      plan: plan.items,
      todos,
    };
  if (goal === "")
    throw new UsageError('Say what to do: tildone run "goal". To go on with a run: tildone run --resume.');
  return { prompt: goal, goal, todos };
}

/** Two processes never drive one run: whoever lives has it. */
function notDriven(store: HomeStore, card: RunCard): RunCard {
  const driver = livingDriver(card, store.drivers.of(card));
  if (!driver) return card;
  throw new Failure(
    [
      `${card.run} is being worked on by ${whoDrives(driver)}, so it cannot be resumed here.`,
      `  watch it:        tildone log ${card.run} --follow`,
      `  end it there:    ${driver.isHere ? `kill -INT ${driver.pid}` : `Ctrl-C on ${driver.machine}`}`,
    ].join("\n"),
  );
}

/** Those options that are settings, as the configuration reads them. The model is chosen here, whatever it is called. */
const flagsOf = ({ options }: Given) =>
  Object.fromEntries(Object.entries(options).filter(([name]) => name !== "model" && Object.hasOwn(flagOptions, name)));

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
