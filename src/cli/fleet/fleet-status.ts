import { STOP, stopRow } from "../../core/reason/index.ts";
import { clipLine, span } from "../../core/text/index.ts";
import type { FleetRun, WorkerRow } from "../../fleet/index.ts";
import type { Io } from "../io.ts";
import { jsonText } from "../json.ts";
import { styleOf } from "../style.ts";
import { clip, wrap } from "../wrap.ts";
import { fleetSettings } from "./fleet-settings.ts";

const SHOWN = 20;
const MOST = 1000;
/** Of runs that are over, the last day is what you want to know; all of them become many. */
const DAY_MS = 86_400_000;

/** What waits, who works and what each run does; never what a run says. */
export async function fleetStatus(isJson: boolean, io: Io): Promise<number> {
  const access = await fleetSettings(io);
  const { isServing, isUp, openLedger, whyUnserved } = await import("../../fleet/index.ts");
  const ledger = await openLedger(access);
  try {
    const [counts, open, workers] = await Promise.all([
      ledger.counts(io.now() - DAY_MS),
      ledger.list({ states: ["queued", "running", "parked"], limit: MOST }),
      ledger.workers(),
    ]);
    const queued = open.filter(({ state }) => state === "queued").sort((a, b) => a.submittedAt - b.submittedAt);
    const whyOf = (run: FleetRun) => {
      const why = run.outcome ?? (run.state === "queued" ? whyUnserved(run, workers) : undefined);
      return why === undefined ? {} : { why };
    };
    const facts = {
      runs: Object.fromEntries(counts.map(({ state, count }) => [state, count])),
      queue: {
        depth: counts.find(({ state }) => state === "queued")?.count ?? 0,
        ...(queued[0] && { oldestMs: Math.max(0, io.now() - queued[0].submittedAt) }),
        unserved: queued.filter((run) => !workers.some((worker) => isServing(worker, run))).map(({ run }) => run),
      },
      workers: workers.map(({ silentMs, ...worker }) => ({ ...worker, silentMs, up: isUp({ silentMs }) })),
      slots: sumOf(workers.filter(isUp)),
      failovers: open.reduce((sum, { epoch }) => sum + Math.max(0, epoch - 1), 0),
      lagMs: Math.max(
        0,
        ...open.filter(({ state }) => state === "running").map(({ updatedAt }) => io.now() - updatedAt),
      ),
      open: open.map((each) => {
        const { run, state, driver, epoch, attempts, queue, needs, repo, goal, seq, updatedAt: updated } = each;
        return { run, state, driver, epoch, attempts, queue, needs, repo, goal, seq, updated, ...whyOf(each) };
      }),
    };
    if (isJson) io.out(jsonText(facts));
    else for (const line of linesOf(facts, open, facts.workers, io)) io.out(line);
    return 0;
  } finally {
    await ledger.close();
  }
}

const sumOf = (workers: readonly WorkerRow[]) => ({
  all: workers.reduce((sum, { slots }) => sum + slots, 0),
  busy: workers.reduce((sum, { busy }) => sum + busy, 0),
});

interface Facts {
  readonly runs: Readonly<Record<string, number>>;
  readonly queue: { readonly depth: number; readonly oldestMs?: number; readonly unserved: readonly string[] };
  readonly slots: { readonly all: number; readonly busy: number };
  readonly failovers: number;
  readonly open: readonly { readonly why?: string }[];
}

function linesOf(
  { runs, queue, slots, failovers, open: reasons }: Facts,
  open: readonly FleetRun[],
  workers: readonly (WorkerRow & { readonly up: boolean })[],
  io: Io,
) {
  const style = styleOf(io);
  const up = workers.filter((worker) => worker.up);
  const count = (state: string) => runs[state] ?? 0;
  const oldest = queue.oldestMs === undefined ? "" : `, the oldest for ${span(queue.oldestMs)}`;
  const lines = [
    `${style.strong("queue")}    ${queue.depth} waiting${oldest}`,
    `${style.strong("runs")}     ${count("running")} running, ${count("parked")} waiting for you (${failovers} ${failovers === 1 ? "failover" : "failovers"})`,
    `${style.strong("last day")} ${count("finished")} finished, ${count("cancelled")} cancelled, ${count("poisoned")} given up`,
    `${style.strong("workers")}  ${up.length} up, ${slots.busy} of ${slots.all} slots busy`,
    ...workers.map((worker) => clip(`  ${workerLine(worker)}`, io.columns)),
  ];
  if (workers.length === 0) lines.push("  none. Start one: tildone worker");
  for (const [index, run] of open.slice(0, SHOWN).entries()) {
    lines.push(clip(runLine(run, io), io.columns));
    const why = reasons[index]?.why;
    if (why !== undefined) lines.push(style.role("dim", wrap(whyText(why), io.columns - 4).replace(/^/gm, "    ")));
  }
  if (open.length > SHOWN) lines.push(`${open.length - SHOWN} more: tildone fleet status --json`);
  return lines;
}

/** What it waits for, or why it stopped. */
const whyText = (outcome: string): string => (Object.hasOwn(STOP, outcome) ? stopRow(outcome).says : outcome);

function workerLine({ id, version, busy, slots, labels, draining, silentMs }: WorkerRow): string {
  const state = silentMs >= 30_000 ? `silent for ${span(silentMs)}` : draining ? "draining" : "up";
  return `${id.padEnd(24)} ${state.padEnd(10)} ${busy}/${slots}  ${version}${labels.length > 0 ? `  ${labels.join(", ")}` : ""}`;
}

function runLine({ run, state, driver, goal, epoch, needs, queue, updatedAt }: FleetRun, io: Io): string {
  const where =
    state === "running"
      ? ` on ${driver ?? "?"}`
      : state === "queued"
        ? ` in ${queue}${needs.length > 0 ? ` (${needs.join(", ")})` : ""}`
        : "";
  const again = epoch > 1 ? `, claim ${epoch}` : "";
  return `${run}  ${state}${where}${again}  ${span(Math.max(0, io.now() - updatedAt))} ago  ${clipLine(goal, 100)}`;
}
