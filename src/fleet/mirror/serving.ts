import { allowsRepository } from "../allows-repository.ts";
import type { Submission, WorkerRow } from "../ports.ts";

/** A worker of which nothing was heard for longer counts as gone. */
const SILENT_MS = 30_000;

type Wanted = Pick<Submission, "queue" | "needs" | "repo">;

export const isUp = ({ silentMs }: Pick<WorkerRow, "silentMs">): boolean => silentMs < SILENT_MS;

/** Whether the worker would take it. One that drains takes nothing more. */
export const isServing = (worker: WorkerRow, wanted: Wanted): boolean =>
  takesMore(worker) && serves(worker, wanted) && offers(worker, wanted) && allows(worker, wanted);

/** Why no worker takes it, and what to do about it; undefined: one does. */
export function whyUnserved(wanted: Wanted, workers: readonly WorkerRow[]): string | undefined {
  const taking = workers.filter(takesMore);
  const ofQueue = taking.filter((worker) => serves(worker, wanted));
  if (ofQueue.length === 0) return unservedQueue(wanted, taking);
  const able = ofQueue.filter((worker) => offers(worker, wanted));
  if (able.length === 0) return missingLabels(wanted, ofQueue);
  if (able.some((worker) => allows(worker, wanted))) return undefined;
  const repo = `'${wanted.repo.replaceAll("'", "'\\''")}'`;
  return `No worker may take ${wanted.repo}. Start one that may: tildone worker --allow ${repo}${optionsFor(wanted)}`;
}

/** Whether a worker that is up has all the labels, whatever repositories it takes. */
export const isOffered = (wanted: Wanted, workers: readonly WorkerRow[]): boolean =>
  workers.some((worker) => takesMore(worker) && serves(worker, wanted) && offers(worker, wanted));

const takesMore = (worker: WorkerRow): boolean => isUp(worker) && !worker.draining;
const serves = ({ queues }: WorkerRow, { queue }: Wanted): boolean => queues.includes(queue);
const offers = ({ labels }: WorkerRow, { needs }: Wanted): boolean => needs.every((label) => labels.includes(label));
/** An older worker does not say what it allows. */
const allows = ({ allow }: WorkerRow, { repo }: Wanted): boolean =>
  allow === undefined || allowsRepository(allow, repo);

/** A name that is typed wrong is seen beside those that are served. */
function unservedQueue({ queue, needs }: Wanted, taking: readonly WorkerRow[]): string {
  const served = [...new Set(taking.flatMap(({ queues }) => queues))];
  const others = served.length === 0 ? "" : ` (served: ${served.slice(0, 5).join(", ")})`;
  return `No worker serves the queue "${queue}" now${others}. Start one: tildone worker${optionsFor({ queue, needs })}`;
}

const optionsFor = ({ queue, needs }: Pick<Wanted, "queue" | "needs">): string =>
  `${queue === "runs" ? "" : ` --queue ${queue}`}${needs.length === 0 ? "" : ` --labels ${needs.join(",")}`}`;

function missingLabels({ needs }: Wanted, ofQueue: readonly WorkerRow[]): string {
  const offered = ofQueue.map(({ id, labels }) => `${id}: ${labels.length === 0 ? "none" : labels.join(", ")}`);
  return `No worker offers ${needs.join(", ")}, so it would never start. Labels of the workers: ${offered.slice(0, 5).join("; ")}${offered.length > 5 ? "; …" : ""}.`;
}
