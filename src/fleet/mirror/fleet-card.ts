import { clipLine } from "../../core/text/index.ts";
import type { RunCard, RunSummary } from "../../engine/index.ts";
import { OVER } from "../ledger/index.ts";
import type { FleetRun } from "../ports.ts";
import { cardFromOutside } from "./outside.ts";

/** The card that its driver wrote, with the repository in place of a folder on that machine; before that, one of its submission. */
export function cardOfFleetRun(run: FleetRun): RunCard {
  if (run.card) return cardFromOutside(run, { ...run.card, cwd: run.repo });
  const isOpen = !OVER.includes(run.state);
  const summary: RunSummary = {
    goal: clipLine(run.goal, 200),
    done: 0,
    total: 0,
    held: false,
    ...(isOpen ? { state: "wait", reason: run.state } : { state: "ended", reason: run.state }),
  };
  return cardFromOutside(run, {
    run: run.run,
    host: run.host ?? "tildone",
    session: run.run,
    cwd: run.repo,
    live: isOpen,
    began: run.submittedAt,
    updated: run.updatedAt,
    summary,
  });
}
