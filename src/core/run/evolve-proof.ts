import type { Envelope, LedgerEvent } from "./event.ts";
import { progressedWith } from "./progress.ts";
import type { Ledger, Receipt } from "./run.ts";

/** Rounds of checks and what they proved. */
export function evolveProof(ledger: Ledger, { event, by }: Envelope): Ledger {
  switch (event.type) {
    case "round.began":
      return {
        ...ledger,
        rounds: ledger.rounds + 1,
        verifying: {
          round: event.round,
          purpose: event.purpose,
          ids: event.ids,
          by,
          until: event.until,
          ...(event.leaving && { leaving: event.leaving }),
        },
      };
    case "round.ended":
      return event.round === ledger.verifying?.round ? roundEnded(ledger, event) : ledger;
    case "check.observed":
      return { ...ledger, receipts: { ...ledger.receipts, [event.receipt.key]: withoutTail(event.receipt) } };
    case "guard.taken":
      return {
        ...ledger,
        guard: event.guard,
        guards: { ...ledger.guards, ...Object.fromEntries(event.owners.map((owner) => [owner, event.guard])) },
      };
    default:
      return ledger;
  }
}

type RoundEnded = LedgerEvent & { type: "round.ended" };

/** One round per boundary, also one that could not run to its end; one that was stopped from outside may be run anew. */
function roundEnded({ verifying, ...ledger }: Ledger, { receipts, cut, again }: RoundEnded): Ledger {
  const passed = receipts.filter(({ status }) => status === "passed");
  const first = passed.filter(({ key }) => !ledger.checksPassed.includes(key));
  const newDoubt = receipts.some((receipt) => receipt.suspect && !isKnownDoubt(receipt, ledger.receipts[receipt.key]));
  const failed = receipts.filter(({ status }) => status !== "passed").map(({ owner }) => owner);
  const attempted = cut !== undefined ? [] : (verifying?.ids.filter((id) => failed.includes(id)) ?? []);
  const workspace = receipts.at(-1)?.workspace ?? ledger.workspace;
  const next: Ledger = {
    ...ledger,
    ...(ledger.boundary && !again && { boundary: { ...ledger.boundary, round: "ran" } }),
    ...(workspace !== undefined && { workspace }),
    // What the checks of a phase wrote, nobody wrote in the phase.
    ...(workspace !== undefined &&
      verifying?.leaving &&
      ledger.phaseWorkspace === ledger.workspace && { phaseWorkspace: workspace }),
    receipts: {
      ...ledger.receipts,
      ...Object.fromEntries(receipts.map((receipt) => [receipt.key, withoutTail(receipt)])),
    },
    checksPassed: [...ledger.checksPassed, ...first.map(({ key }) => key)],
    ...(newDoubt && { accepted: false }),
    // Within a turn its time is the turn's; at a boundary nobody else counts it.
    ...(ledger.boundary && !ledger.turn && { spent: withTime(ledger.spent, receipts) }),
    todoLedgers: Object.fromEntries(
      Object.entries(ledger.todoLedgers).map(([id, entry]) => [
        id,
        {
          ...entry,
          failedAttempts: entry.failedAttempts + (attempted.includes(id) ? 1 : 0),
        },
      ]),
    ),
  };
  return first.reduce((after, { owner }) => progressedWith(after, owner), next);
}

/** What was accepted is what was known then; a check that is suspect for another reason is a new doubt. */
const isKnownDoubt = ({ doubt }: Receipt, before: Receipt | undefined): boolean =>
  before?.suspect === true && before.doubt === doubt;

const withTime = (spent: Ledger["spent"], receipts: readonly Receipt[]): Ledger["spent"] => ({
  ...spent,
  activeMs: receipts.reduce((sum, { durationMs }) => sum + durationMs, spent.activeMs),
});

/** The output stays in the log; the fold keeps the end of a failure only, for the next nudge. */
const withoutTail = (receipt: Receipt): Receipt =>
  receipt.status === "passed" ? { ...receipt, tail: "" } : { ...receipt, tail: receipt.tail.slice(-TAIL) };

const TAIL = 2000;
