import type { Submission, WorkerRow } from "../../fleet/index.ts";

/** A worker of which nothing was heard for longer counts as gone. */
export const SILENT_MS = 30_000;

type Wanted = Pick<Submission, "queue" | "needs">;

export const isUp = ({ silentMs }: Pick<WorkerRow, "silentMs">): boolean => silentMs < SILENT_MS;

/** Whether the worker would take it. One that drains takes nothing more. */
export const isServing = (worker: WorkerRow, { queue, needs }: Wanted): boolean =>
  isUp(worker) &&
  !worker.draining &&
  worker.queues.includes(queue) &&
  needs.every((label) => worker.labels.includes(label));

/** Why nobody takes a goal of this queue; a name that is typed wrong is seen beside those that are served. */
export function unserved(queue: string, workers: readonly WorkerRow[]): string {
  const served = [...new Set(workers.filter(isUp).flatMap(({ queues }) => queues))];
  const others = served.length === 0 ? "" : ` (served: ${served.slice(0, 5).join(", ")})`;
  return `no worker serves the queue "${queue}" now${others}. Start one: tildone worker${queue === "runs" ? "" : ` --queue ${queue}`}`;
}

export function missingLabels(workers: readonly WorkerRow[], { queue, needs }: Wanted): string {
  const up = workers.filter((worker) => isUp(worker) && !worker.draining && worker.queues.includes(queue));
  const wanted = needs.join(", ");
  if (up.length === 0)
    return `No worker serves the queue "${queue}" now, so ${wanted} is not offered. Start one: tildone worker --labels ${needs.join(",")}`;
  const offered = up.map(({ id, labels }) => `${id}: ${labels.length === 0 ? "none" : labels.join(", ")}`);
  return `No worker offers ${wanted}, so it would never start. Labels of the workers: ${offered.slice(0, 5).join("; ")}${up.length > 5 ? "; …" : ""}.`;
}
