import { checkKey, isFresh, isUnseen, mayRun, type OwnedCheck, showsWork, suspicion } from "../continuation/index.ts";
import type { Receipt, Run } from "../run/index.ts";
import { MARKS, type Proof, type Todo } from "../todo/index.ts";

/** How far an item is to be believed, and how it is drawn. */
export const STANDINGS = {
  proven: { proof: "proven", says: "completed, and its check passed on the files as they are" },
  observed: { proof: "claimed", says: "completed; the agent ran its check itself, which is no proof" },
  confirmed: { proof: "proven", says: "completed by you" },
  unshown: { proof: "claimed", says: "completed; the agent's own check of it passed before the work, too" },
  unproven: { proof: "claimed", says: "completed, but no check of it passed on the files as they are" },
  suspect: { proof: "suspect", says: "completed, but a file its check relies on was modified without being declared" },
  unseen: { proof: "suspect", says: "completed without any work seen" },
  abandoned: { proof: "abandoned", says: "given up" },
  blocked: { proof: "blocked", says: "blocked" },
  failed: { proof: "failed", says: "its check failed" },
  working: { proof: "working", says: "in progress" },
  open: { proof: "open", says: "not started" },
} as const satisfies Record<string, { proof: Proof; says: string }>;
export type Standing = keyof typeof STANDINGS;

/** How many items stand in which way: those that there are, with their mark and what it means, the best first. */
export const standingRows = (counts: Readonly<Partial<Record<Standing, number>>>) =>
  Object.entries(STANDINGS).flatMap(([standing, { proof, says }]) => {
    const count = counts[standing as Standing] ?? 0;
    return count === 0 ? [] : [{ standing, proof, says, count, glyph: MARKS[proof].glyph }];
  });

/** The first reason that speaks wins: doubt before proof. */
export function standingOf(run: Run, todo: Todo): Standing {
  const { ledger } = run;
  const entry = ledger.todoLedgers[todo.id];
  if (todo.status === "abandoned") return "abandoned";
  if (todo.status === "blocked") return "blocked";
  if (todo.status !== "completed") return isDisproven(run, todo) ? "failed" : OPEN[todo.status];
  if (entry?.completedByHuman) return "confirmed";
  if (!ledger.accepted && suspicion(ledger, todo.id) !== undefined) return "suspect";
  if (!ledger.accepted && isUnseen(ledger, todo.id)) return "unseen";
  if (isDisproven(run, todo)) return "failed";
  return provenBy(run, todo);
}

const OPEN = { not_started: "open", in_progress: "working" } as const;

/** The last word of one of its own checks was no. */
function isDisproven({ ledger }: Run, { id, checks }: Todo): boolean {
  return checks.some((check) => isFailure(ledger.receipts[checkKey(id, check)]));
}

const isFailure = (receipt: Receipt | undefined): boolean =>
  receipt?.status === "failed" || receipt?.status === "timed_out";

/**
 * What speaks for it: its own checks that may run, else the checks of the run, else checks that the agent proposed and was
 * seen to run. Own checks that say nothing about the work leave it to those of the run.
 */
function provenBy(run: Run, { id, checks }: Todo): Standing {
  const ofRun = run.ledger.checks.map((check) => ({ owner: "run", check }));
  const own = checks.filter(mayRun);
  if (own.length === 0 && ofRun.length > 0) return spokenFor(run, ofRun);
  const spoken = spokenFor(
    run,
    (own.length > 0 ? own : checks).map((check) => ({ owner: id, check })),
  );
  return spoken === "unshown" && ofRun.length > 0 ? spokenFor(run, ofRun) : spoken;
}

function spokenFor(run: Run, owned: readonly OwnedCheck[]): Standing {
  const results = owned.map(({ owner, check }) => ({ check, receipt: run.ledger.receipts[checkKey(owner, check)] }));
  if (results.length === 0 || !results.every(({ receipt }) => isFresh(run, receipt))) return "unproven";
  if (results.some(({ receipt }) => receipt?.status === "observed")) return "observed";
  return results.some(({ check, receipt }) => receipt && showsWork(check, receipt)) ? "proven" : "unshown";
}
