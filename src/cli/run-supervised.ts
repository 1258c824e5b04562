import type { Program, SupervisorProgress } from "../agent/supervisor/index.ts";
import { unstartable } from "../checks/index.ts";
import {
  type Flags,
  HOOK_HOSTS,
  HOST_NAMES,
  type HostName,
  isDropped,
  loadConfig,
  OWN_HOST,
  sayProblem,
  sayWarning,
} from "../config/index.ts";
import { resumeProblem } from "../core/react/index.ts";
import { decisionText } from "../core/run/index.ts";
import { findProgram } from "../machine/index.ts";
import { Failure, type Given, has, text, UsageError } from "./command.ts";
import { requestFor } from "./commands/install.ts";
import { endedRun } from "./ended-run.ts";
import type { Io } from "./io.ts";
import { offerChecks } from "./offer-checks.ts";
import { newGoal } from "./run-alone.ts";
import { misfit } from "./run-flags.ts";
import { launchOf, resumeOf, type Task } from "./run-task.ts";
import { clip } from "./wrap.ts";
import { reportAtEnd } from "./write-report.ts";

/**
 * The host that does the work: the one that is named, else the one that drove the run which is continued. Undefined: tildone's own
 * agent. A flag that would have no effect is refused here, before anything starts.
 */
export async function hostOf(task: Task, given: Given): Promise<HostName | undefined> {
  const { programOf, supervised } = await import("../agent/supervisor/index.ts");
  const named = text(given, "host");
  if (named !== undefined && !HOST_NAMES.some((host) => host === named))
    throw new UsageError(`--host is one of: ${HOST_NAMES.join(", ")}.`);
  const lives = task.type === "resume" ? task.run.origin.host : undefined;
  if (lives !== undefined && named !== undefined && named !== lives)
    throw new UsageError(`That run lives in ${lives}; --host ${named} cannot continue it. Leave --host out.`);
  const drove = task.type === "resume" ? task.run.ledger.launch?.host : undefined;
  const wanted = named ?? drove ?? (lives === OWN_HOST ? undefined : lives);
  const host = HOST_NAMES.find((name) => name === wanted);
  if (wanted !== undefined && !host)
    throw new Failure(`That run lives in ${wanted}, which tildone cannot start. Continue it there, with a message.`, 2);
  const worker = host && {
    name: host,
    title: programOf(host).title,
    can: supervised(programOf(host)),
  };
  const refusal = misfit(Object.keys(given.options), worker, task.type === "resume");
  if (refusal !== undefined) throw new UsageError(refusal);
  return host;
}

/** `tildone run --host`: another program does the work, and is started again until its run is over. */
export async function runSupervised(host: HostName, task: Task, given: Given, flags: Flags, io: Io): Promise<number> {
  const { programOf, NotStarted, supervise } = await import("../agent/supervisor/index.ts");
  const loaded = await loadConfig({ cwd: io.cwd, env: io.env, home: io.home, host, flags });
  if (!loaded.ok) throw new Failure(loaded.errors.map(sayProblem).join("\n"), 2);
  const isResumed = task.type === "resume" && task.run.status === "live";
  const launch = launchOf(given, host, task.type === "resume" ? task.run.ledger.launch : undefined);
  await refuseUnready(host, programOf(host), launch.hostArgs ?? [], io);
  const model = text(given, "model") ?? (task.type === "resume" ? task.run.ledger.model?.model : undefined);
  const resume = isResumed ? resumeOf(task.message, given, loaded.config) : undefined;
  if (resume && task.type === "resume") {
    const context = { now: io.now(), limits: loaded.config.limits, role: "driver" } as const;
    const problem = resumeProblem(task.run, { type: "human.resume", ...resume }, context);
    if (problem !== undefined) throw new Failure(problem, 2);
  }
  const goal = task.type === "start" ? task.goal : isResumed ? (task.run.goal ?? "") : newGoal(task).goal;
  const { listOf } = await import("../agent/supervisor/index.ts");
  const show = has(given, "json") ? (progress: SupervisorProgress) => io.out(JSON.stringify(asJson(progress))) : said;
  const dropped = loaded.warnings.filter(isDropped).map(sayWarning);
  for (const warning of [...dropped, ...unstartable(loaded.config.checks.run, io)])
    io.out(has(given, "json") ? JSON.stringify({ type: "notice", text: warning }) : `tildone: ${warning}`);
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
    ...(task.type === "resume" && resume && { resume: { session: task.run.origin.session, ...resume } }),
    model,
    hostArgs: launch.hostArgs ?? [],
    onProgress: show,
    stop: io.signal,
  }).catch((error: unknown) => {
    throw error instanceof NotStarted ? new Failure(error.message, 2) : error;
  });
  const continued = endedRun({ outcome, run }, given, io.env);
  if (has(given, "json"))
    io.out(
      JSON.stringify({ type: "ended", ...outcome, run: run?.id, session, ...(continued && { resume: continued }) }),
    );
  else {
    io.out(`${outcome.says}${run ? ` (run ${run.id})` : ""}`);
    if (continued !== undefined) io.out(`Continue with: ${continued}`);
  }
  const exit = has(given, "json") ? outcome.exit : await offerChecks(run, outcome.exit, io);
  const report = text(given, "report");
  if (report !== undefined && run) await reportAtEnd(run.id, report, io);
  return exit;

  function said(progress: SupervisorProgress): void {
    if (progress.type === "process.started") io.out(clip(`${host}: ${progress.prompt.split("\n")[0]}`, io.columns));
    if (progress.type === "process.ended" && progress.failure !== undefined)
      io.out(clip(`${host} ended: ${progress.failure}`, io.columns));
    if (progress.type === "waiting" && progress.run.ledger.decision?.type === "wait")
      io.out(decisionText(progress.run.ledger.decision));
  }
}

/** A host without tildone would work on its goal once, and nobody would look whether it is done. */
async function refuseUnready(
  host: HostName,
  { title, program, comesWith }: Program,
  hostArgs: readonly string[],
  io: Io,
): Promise<void> {
  if (findProgram(program, io) === undefined)
    throw new Failure(
      `${title} (\`${program}\`) is not on your PATH. Install it (npm install -g ${comesWith}), or open a terminal that finds it.`,
    );
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
