import { HOST_NAMES, type HostName, OWN_HOST } from "../config/index.ts";
import { Failure, type Given, text, UsageError } from "./command.ts";
import { misfit, type Worker } from "./run-flags.ts";
import type { Task } from "./run-task.ts";

/**
 * The host that does the work: the one that is named, else the one that drove the run which is continued. Undefined: tildone's own
 * agent. A flag that would have no effect is refused here, before anything starts.
 */
export async function hostOf(task: Task, given: Given): Promise<HostName | undefined> {
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
  const worker = host && (await workerOf(host));
  const refusal = misfit(Object.keys(given.options), worker, task.type === "resume");
  if (refusal !== undefined) throw new UsageError(refusal);
  return host;
}

/** Loaded only for a host: tildone's own agent takes every flag. */
export async function workerOf(host: HostName): Promise<Worker> {
  const [{ programOf, supervised }, { unmeasurable }] = await Promise.all([
    import("../agent/supervisor/index.ts"),
    import("../engine/index.ts"),
  ]);
  const program = programOf(host);
  return { name: host, title: program.title, untold: unmeasurable(supervised(program), { tokens: 1, cost: 1 }) };
}
