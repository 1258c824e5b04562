import { STOP } from "../../core/reason/index.ts";
import type { Report } from "../../core/report/index.ts";
import { type RunView, viewOf } from "../../core/view/index.ts";
import { type ReadRun, type RunCard, type RunSummary, summaryOf } from "../../engine/index.ts";
import type { FleetRun, WorkerRow } from "../ports.ts";
import { whyUnserved } from "./serving.ts";

/** What no log tells of a run: who drove it could not write it, or did not begin. */
interface Outside {
  readonly state: "ended" | "stop" | "wait";
  readonly word: string;
  readonly says: string;
}

/** Undefined: its log tells how it stands. */
function outsideOf(fleetRun: FleetRun, workers: readonly WorkerRow[] = []): Outside | undefined {
  const { run, state, outcome = "", seq } = fleetRun;
  const why = `${outcome.slice(0, 1).toUpperCase()}${outcome.slice(1).replace(/\.$/, "")}.`;
  switch (state) {
    case "cancelled":
      return { state: "ended", word: "cancelled", says: why };
    case "poisoned":
      return { state: "ended", word: "given up", says: why };
    case "parked": {
      const next = `Fix that, then: \`tildone say --run ${run} "continue"\`. Or end it: \`tildone cancel ${run}\`.`;
      return Object.hasOwn(STOP, outcome) ? undefined : { state: "stop", word: "stopped", says: `${why} ${next}` };
    }
    case "queued":
      return { state: "wait", word: "queued", says: whyUnserved(fleetRun, workers) ?? "It waits for a worker." };
    case "running":
      if (outcome !== "") return { state: "wait", word: "waiting", says: outcome };
      return seq === 0 ? { state: "wait", word: "starting", says: "A worker gets its files ready." } : undefined;
    case "finished":
      return undefined;
  }
}

/** A card as lists show it. */
export function cardFromOutside(run: FleetRun, card: RunCard): RunCard {
  const outside = outsideOf(run);
  const { asks = 0, held: _, ...rest } = summaryOf(card);
  if (!outside || (outside.state !== "ended" && asks > 0)) return card;
  const summary: RunSummary = { ...rest, state: outside.state, reason: outside.word, held: false };
  return { ...card, live: outside.state !== "ended", summary };
}

/** A run that is over is read as if its log ended with it: nothing waits for you, and nothing continues it. */
export function readFromOutside(fleetRun: FleetRun, read: ReadRun, workers: readonly WorkerRow[]): ReadRun {
  const outside = outsideOf(fleetRun, workers);
  if (!outside) return read.view.state.word === "cut off" ? { ...read, view: withoutWorker(read.view) } : read;
  if (outside.state !== "ended") return read.view.asks.length > 0 ? read : { ...read, view: shown(read.view, outside) };
  const { decision: _, turn: __, ...ledger } = read.run.ledger;
  const run: ReadRun["run"] = {
    ...read.run,
    status: "ended",
    ledger: { ...ledger, endReason: outside.word, held: false, approvals: [], questions: [] },
  };
  return { ...read, run, view: shown({ ...viewOf(run, read.seen), began: read.view.began }, outside) };
}

const UNHEARD = "Its worker is not heard of. Another worker continues from the last checkpoint.";

/** No command of yours continues it: it goes to the next worker that has room. */
const withoutWorker = (view: RunView): RunView => ({
  ...view,
  state: { ...view.state, says: UNHEARD, line: `cut off: ${UNHEARD}`, actsNext: "nobody" },
});

function shown(view: RunView, { state, word, says }: Outside): RunView {
  const tone = ({ ended: "over", stop: "attention", wait: "good" } as const)[state];
  return {
    ...view,
    state: { word, says, line: `${word}: ${says}`, actsNext: state === "stop" ? "you" : "nobody", tone },
    decision: { says, next: "", rule: "fleet" },
  };
}

/** Before there is a log, what was submitted is all that can be reported. */
export function reportFromOutside(run: FleetRun, told: Report, workers: readonly WorkerRow[]): Report {
  const outside = outsideOf(run, workers);
  const { goal, submittedAt: began, updatedAt: until, host = "tildone" } = run;
  const report = run.seq > 0 ? told : { ...told, ...{ run: run.run, goal, host, session: run.run, began, until } };
  if (!outside) return report;
  const verdict = { reason: outside.word, says: outside.says };
  return { ...report, verdict, ...(outside.state === "ended" && { status: "ended" as const }) };
}
