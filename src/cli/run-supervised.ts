import type { Program, SupervisorProgress } from "../agent/supervisor/index.ts";
import { unstartable } from "../checks/index.ts";
import { HOOK_HOSTS, type HostName, isDropped, sayWarning } from "../config/index.ts";
import { resumeProblem } from "../core/react/index.ts";
import { decisionText } from "../core/run/index.ts";
import { span } from "../core/text/index.ts";
import { Failure, type Given, has, text } from "./command.ts";
import { requestFor } from "./commands/install.ts";
import { endedRun } from "./ended-run.ts";
import { installedProgram } from "./installed-program.ts";
import type { Io } from "./io.ts";
import { jsonLine } from "./json.ts";
import { offerChecks } from "./offer-checks.ts";
import { newGoal } from "./run-alone.ts";
import { resumeOf } from "./run-task.ts";
import { spin } from "./spinner.ts";
import { takesOver } from "./takes-over.ts";
import type { Work } from "./work-on.ts";
import { clip } from "./wrap.ts";
import { reportAtEnd } from "./write-report.ts";

/** `tildone run --host`: another program does the work, and is started again until its run is over. */
export async function runSupervised(host: HostName, begun: Work, given: Given, io: Io): Promise<number> {
  const { task, config, flags, launch, warnings, stopSpinning } = begun;
  const { programOf, NotStarted, supervise } = await import("../agent/supervisor/index.ts");
  const isResumed = task.type === "resume" && task.run.status === "live";
  await refuseUnready(host, programOf(host), launch.hostArgs ?? [], io);
  const model = text(given, "model") ?? (task.type === "resume" ? task.run.ledger.model?.model : undefined);
  const isTakeover = takesOver(io);
  const resume = isResumed ? (isTakeover ? {} : resumeOf(task.message, given, config)) : undefined;
  if (resume && !isTakeover && task.type === "resume") {
    const context = { now: io.now(), limits: config.limits, role: "driver" } as const;
    const problem = resumeProblem(task.run, { type: "human.resume", ...resume }, context);
    if (problem !== undefined) throw new Failure(problem, 2);
  }
  const goal = task.type === "start" ? task.goal : isResumed ? (task.run.goal ?? "") : newGoal(task).goal;
  const { listOf } = await import("../agent/supervisor/index.ts");
  const show = has(given, "json") ? (progress: SupervisorProgress) => io.out(jsonLine(asJson(progress))) : said;
  const dropped = warnings.filter(isDropped).map(sayWarning);
  for (const warning of [...dropped, ...unstartable(config.checks.run, io)])
    io.out(has(given, "json") ? jsonLine({ type: "notice", text: warning }) : `tildone: ${warning}`);
  stopSpinning();
  let rest = () => {};
  const { outcome, run, session } = await supervise({
    host,
    goal,
    flags,
    cwd: io.cwd,
    env: io.env,
    home: io.home,
    launch,
    list: listOf(task.type === "start" ? task.plan : [], task.todos),
    ...(task.type === "start" && task.workflow !== undefined && { workflow: task.workflow }),
    ...(task.type === "resume" && !isResumed && { session: task.run.origin.session }),
    ...(task.type === "resume" &&
      resume && { resume: { session: task.run.origin.session, ...resume, ...(isTakeover && { takesOver: true }) } }),
    model,
    hostArgs: launch.hostArgs ?? [],
    onProgress: show,
    stop: io.signal,
  }).catch((error: unknown) => {
    rest();
    throw error instanceof NotStarted ? new Failure(error.message, 2) : error;
  });
  rest();
  const continued = endedRun({ outcome, run }, given, io.env);
  if (has(given, "json"))
    io.out(jsonLine({ type: "result", ...outcome, run: run?.id, session, ...(continued && { resume: continued }) }));
  else {
    io.out(`${outcome.says}${run ? ` (run ${run.id})` : ""}`);
    if (continued !== undefined) io.out(`Continue with: ${continued}`);
  }
  const exit = has(given, "json") ? outcome.exit : await offerChecks(run, outcome.exit, io);
  const report = text(given, "report");
  if (report !== undefined && run) await reportAtEnd(run.id, report, io);
  return exit;

  function said(progress: SupervisorProgress): void {
    rest();
    if (progress.type === "process.started") io.out(clip(`${host}: ${progress.prompt.split("\n")[0]}`, io.columns));
    if (progress.type === "process.ended" && progress.failure !== undefined)
      io.out(clip(`${host} ended: ${progress.failure}`, io.columns));
    if (progress.type === "waiting" && progress.run.ledger.decision?.type === "wait")
      io.out(decisionText(progress.run.ledger.decision));
    if (progress.type !== "process.started") return;
    const began = io.now();
    rest = spin(io, () => `${host} works · ${span(io.now() - began)}`);
  }
}

/** A host without tildone would work on its goal once, and nothing would look whether it is done. */
async function refuseUnready(host: HostName, program: Program, hostArgs: readonly string[], io: Io): Promise<void> {
  installedProgram(program, io);
  const hookHost = HOOK_HOSTS.find((name) => name === host);
  const bringsSettings = hostArgs.some((arg) => /settings|plugin|hooks|mcp/.test(arg));
  if (!hookHost || bringsSettings) return;
  const { isInstalled } = await import("../hooks/index.ts");
  if (!isInstalled(requestFor(hookHost, "user", io)))
    throw new Failure(
      `tildone is not installed in ${host}, so nothing would make it continue. Run: tildone install ${host}`,
    );
}

const asJson = (progress: SupervisorProgress) =>
  progress.type === "waiting"
    ? { type: "waiting", run: progress.run.id, decision: progress.run.ledger.decision }
    : progress;
