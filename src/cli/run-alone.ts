import type { HeadlessOptions } from "../agent/index.ts";
import { unstartable } from "../checks/index.ts";
import type { Config } from "../config/index.ts";
import { resumeProblem } from "../core/react/index.ts";
import { askInPlace } from "./ask-in-place.ts";
import { Failure, type Given, has, text } from "./command.ts";
import { endedRun } from "./ended-run.ts";
import type { Io } from "./io.ts";
import { needsPi } from "./needs-pi.ts";
import { offerChecks } from "./offer-checks.ts";
import { choiceOf, resumeOf, type Task, withoutCredentials } from "./run-task.ts";
import { jsonView, textView } from "./run-view.ts";
import { takesOver } from "./takes-over.ts";
import type { Work } from "./work-on.ts";
import { reportAtEnd } from "./write-report.ts";

/** `tildone run` with tildone's own agent. */
export async function runAlone(begun: Work, given: Given, io: Io): Promise<number> {
  const { task, config, flags, launch, stopSpinning } = begun;
  const work = workOf(task, given, config, io);
  const agent = await needsPi(() => import("../agent/index.ts"));
  const before = task.type === "resume" ? task.run.ledger : undefined;
  const name = launch.agent ?? "coder";
  const { reasoningEffort } = config.agent;
  const choice = choiceOf(given) ?? before?.model ?? {};
  const model = choice.model ?? config.agent.model;
  const { baseUrl } = choice;
  const apiKey = io.env.TILDONE_API_KEY ?? io.env.OPENAI_API_KEY;
  const chosen = await agent.chooseModel({
    ...(model !== undefined && { model }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(apiKey !== undefined && { apiKey }),
  });
  if (!chosen.ok) throw new Failure(chosen.message, 2);
  stopSpinning();
  const view = has(given, "json")
    ? jsonView(io)
    : textView(io, {
        event: agent.lineFor,
        answer: io.isInteractive ? () => undefined : agent.answerFor,
        call: agent.lineForCall,
      });
  for (const text of unstartable(config.checks.run, io)) view.take({ type: "notice", text });
  const asksHere = io.isInteractive && !has(given, "json");
  const running = agent.runHeadless({
    ...work,
    launch,
    ...(Object.keys(choice).length > 0 && { chosen: withoutCredentials(choice) }),
    cwd: io.cwd,
    env: io.env,
    home: io.home,
    agent: name,
    ...(reasoningEffort !== undefined && { thinkingLevel: reasoningEffort as HeadlessOptions["thinkingLevel"] }),
    flags,
    modelRuntime: chosen.modelRuntime,
    ...(chosen.model && { model: chosen.model }),
    onProgress: view.take,
    onOpen: (opened) => {
      const { model: used } = opened.session;
      const unsaid = used && baseUrl === undefined ? `${used.provider}/${used.id}` : begun.facts.model;
      if (unsaid !== undefined && unsaid !== begun.facts.model) view.take({ type: "notice", text: `model: ${unsaid}` });
      if (asksHere) askInPlace(opened, io, view.yield);
    },
    stop: io.signal,
    stopNow: io.signalAgain,
  });
  const result = await running.catch((error: unknown) => {
    throw error instanceof agent.NotOpened ? new Failure(error.message, 2) : error;
  });
  view.end(result, endedRun(result, given, io.env));
  const { run } = result;
  const exit = has(given, "json") ? result.outcome.exit : await offerChecks(run, result.outcome.exit, io);
  const report = text(given, "report");
  if (report !== undefined && run) await reportAtEnd(run.id, report, io);
  return exit;
}

type Job = Pick<HeadlessOptions, "prompt" | "goal" | "todos" | "resume" | "session" | "plan" | "takesOver">;

/** What cannot be continued is refused here, before anything starts. */
function workOf(task: Task, given: Given, config: Config, io: Io): Job {
  if (task.type === "start") {
    const { goal, plan, todos, workflow } = task;
    if (workflow !== undefined) return { prompt: `/workflow ${workflow} ${goal}`, todos };
    return { prompt: goal, goal, todos, plan };
  }
  const { run, message, todos } = task;
  const { session } = run.origin;
  if (run.status === "ended") return { session, ...newGoal(task), todos };
  if (takesOver(io)) return { session, prompt: "", resume: {}, todos, takesOver: true };
  const resume = resumeOf(message, given, config);
  const context = { now: io.now(), limits: config.limits, role: "driver" } as const;
  const problem = resumeProblem(run, { type: "human.resume", ...resume }, context);
  if (problem !== undefined) throw new Failure(config.off === undefined ? problem : `${problem} (${config.off})`, 2);
  return { session, prompt: "", resume, todos };
}

/** A run that is over does not continue; its conversation does, with something new to do. */
export function newGoal({ message }: Task & { type: "resume" }): { readonly prompt: string; readonly goal: string } {
  return message === ""
    ? { prompt: "Work through the list.", goal: "Work through the list" }
    : { prompt: message, goal: message };
}
