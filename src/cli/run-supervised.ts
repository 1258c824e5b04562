import type { SupervisedHost, SupervisorProgress } from "../agent/supervisor/index.ts";
import type { Flags } from "../config/index.ts";
import { decisionText } from "../core/words/index.ts";
import { Failure, type Given, has, UsageError } from "./command.ts";
import { requestFor } from "./commands/install.ts";
import { findProgram } from "./find-program.ts";
import { HOSTS } from "./hosts.ts";
import type { Io } from "./io.ts";
import { notOnPath } from "./system-error.ts";
import { clip } from "./wrap.ts";

/** `tildone run --host`: another program does the work, and is started again until its run is over. */
export async function runSupervised(named: string, given: Given, flags: Flags, io: Io): Promise<number> {
  const { HOST_PROCESSES, supervise } = await import("../agent/supervisor/index.ts");
  const hosts = Object.keys(HOST_PROCESSES) as SupervisedHost[];
  const host = hosts.find((name) => name === named);
  if (!host) throw new UsageError(`--host is one of: ${hosts.join(", ")}.`);
  const hostArgs = (given.options["host-arg"] as readonly string[] | undefined) ?? [];
  const goal = given.words[0]?.trim() ?? "";
  if (goal === "") throw new UsageError(`Say what to do: tildone run --host ${host} "goal".`);
  await refuseUnready(host, HOST_PROCESSES[host].program, hostArgs, io);
  const show = has(given, "json") ? (progress: SupervisorProgress) => io.out(JSON.stringify(asJson(progress))) : said;
  const { outcome, run, session } = await supervise({
    host,
    goal,
    flags,
    cwd: io.cwd,
    env: io.env,
    home: io.home,
    hostArgs,
    onProgress: show,
    stop: io.signal,
  });
  if (has(given, "json")) io.out(JSON.stringify({ type: "ended", ...outcome, run: run?.id, session }));
  else io.out(`${outcome.says}${run ? ` (run ${run.id})` : ""}`);
  return outcome.exit;

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
  host: SupervisedHost,
  program: string,
  hostArgs: readonly string[],
  io: Io,
): Promise<void> {
  if (findProgram(program, io) === undefined) throw new Failure(notOnPath(program));
  const hookHost = HOSTS.find((name) => name === host);
  const bringsSettings = hostArgs.some((arg) => /settings|plugin|hooks|mcp/.test(arg));
  if (!hookHost || bringsSettings) return;
  const { isInstalled } = await import("../hosts/hook/index.ts");
  if (!isInstalled(requestFor(hookHost, "user", io)))
    throw new Failure(
      `tildone is not installed in ${host}, so nothing would make it continue. Run: tildone install ${host}`,
    );
}

const asJson = (progress: SupervisorProgress) =>
  progress.type === "waiting"
    ? { type: "waiting", run: progress.run.id, decision: progress.run.ledger.decision }
    : progress;
