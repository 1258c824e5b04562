import { clipLine } from "../../text/index.ts";
import { progressedWith } from "../progress.ts";
import type { FirstResult, Ledger, Millis, Receipt, Round } from "../run.ts";
import { firstResult, flag, list, maybe, number, object, oneOf, receipt, text, texts } from "./form.ts";
import { ledgerOf, type Rows } from "./row.ts";

/** Rounds of checks and what they proved. */
export type ProofEvent =
  | {
      readonly type: "round.began";
      readonly round: string;
      readonly purpose: Round["purpose"];
      readonly ids: readonly string[];
      readonly starts?: readonly string[];
      readonly until: Millis;
      readonly leaving?: Round["leaving"];
    }
  | {
      readonly type: "round.ended";
      readonly round: string;
      readonly receipts: readonly Receipt[];
      /** Why it did not run to its end, if so. */
      readonly cut?: string;
      /** It was stopped from outside and may be run anew at this boundary; one that could not run may not. */
      readonly again?: boolean;
    }
  /** The agent ran a check itself, one that is not run for it. */
  | { readonly type: "check.observed"; readonly receipt: Receipt }
  /** What a check says of the state from before the work. */
  | { readonly type: "check.tried"; readonly first: FirstResult }
  /** What the checks of these owners rely on was fingerprinted. `guard` names what was kept of it. */
  | { readonly type: "guard.taken"; readonly guard: string; readonly owners: readonly string[] };

export function proofEvents(): Rows<ProofEvent> {
  return {
    "round.began": {
      v: 1,
      means: "Checks began.",
      line: (event) => `checks began (${event.purpose})`,
      fields: {
        round: text,
        purpose: oneOf("complete", "finish", "phase"),
        ids: texts,
        starts: maybe(texts),
        until: number,
        leaving: maybe(object({ stay: text, summary: maybe(text) })),
      },
      fold: ledgerOf((ledger, event, { by }) => ({
        ...ledger,
        rounds: ledger.rounds + 1,
        verifying: {
          round: event.round,
          purpose: event.purpose,
          ids: event.ids,
          ...(event.starts && { starts: event.starts }),
          by,
          until: event.until,
          ...(event.leaving && { leaving: event.leaving }),
        },
      })),
    },
    "round.ended": {
      v: 1,
      means: "Checks ended, with their receipts.",
      line: (event) =>
        event.cut !== undefined
          ? `checks stopped: ${event.cut}`
          : event.receipts.map(receiptText).join("; ") || "no check to run",
      fields: { round: text, receipts: list(receipt), cut: maybe(text), again: maybe(flag) },
      fold: ledgerOf((ledger, event) => (event.round === ledger.verifying?.round ? roundEnded(ledger, event) : ledger)),
    },
    "check.observed": {
      v: 1,
      means: "The agent ran a check itself, with its result.",
      line: (event) => `the agent ran ${clipLine(event.receipt.command, 60)} itself: ${event.receipt.status}`,
      fields: { receipt },
      fold: ledgerOf((ledger, event) => ({
        ...ledger,
        receipts: { ...ledger.receipts, [event.receipt.key]: withoutTail(event.receipt) },
      })),
    },
    "check.tried": {
      v: 1,
      means: "A check was tried on the files from before the work, with its result.",
      line: ({ first }) => firstText(first),
      fields: { first: firstResult },
      // The first result stays the first: a later one could only be of other surroundings.
      fold: ledgerOf((ledger, { first }) => ({
        ...ledger,
        firsts: { [first.key]: { ...first, tail: "" }, ...ledger.firsts },
      })),
    },
    "guard.taken": {
      v: 1,
      means: "Recorded the protected files and definitions of checks.",
      line: (event) => `recorded the protected files of ${event.owners.length} checks`,
      fields: { guard: text, owners: texts },
      fold: ledgerOf((ledger, event) => ({
        ...ledger,
        guard: event.guard,
        guards: { ...ledger.guards, ...Object.fromEntries(event.owners.map((owner) => [owner, event.guard])) },
      })),
    },
  };
}

type Event<T extends ProofEvent["type"]> = Extract<ProofEvent, { readonly type: T }>;

/** One round per boundary, also one that could not run to its end; one that was stopped from outside may be run anew. */
function roundEnded({ verifying, ...ledger }: Ledger, { receipts, cut, again }: Event<"round.ended">): Ledger {
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
    // What the checks of a phase wrote is not work of the phase.
    ...(workspace !== undefined &&
      verifying?.leaving &&
      ledger.phaseWorkspace === ledger.workspace && { phaseWorkspace: workspace }),
    receipts: {
      ...ledger.receipts,
      ...Object.fromEntries(receipts.map((receipt) => [receipt.key, withoutTail(receipt)])),
    },
    checksPassed: [...ledger.checksPassed, ...first.map(({ key }) => key)],
    ...(newDoubt && { accepted: false }),
    // Within a turn its time is the turn's; at a boundary nothing else counts it.
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

/** `✗ check failed: npm test (exit 1, 0.4 s)` */
function receiptText({ command, status, exit, durationMs, proof }: Receipt): string {
  const passed = status === "passed" || status === "observed";
  const details = [
    ...(exit ? [`exit ${exit}`] : []),
    ...(durationMs > 0 ? [`${(durationMs / 1000).toFixed(1)} s`] : []),
    ...(proof?.where === "room" ? [proof.confined ? "clean room, confined" : "clean room"] : []),
    ...(proof?.why === undefined ? [] : [`no clean room: ${proof.why}`]),
  ];
  const more = details.length > 0 ? ` (${details.join(", ")})` : "";
  return `${passed ? "✓" : "✗"} check ${status.replace("_", " ")}: ${clipLine(command, 60)}${more}`;
}

/** `before the work: npm test failed (exit 1, 0.4 s); its result in the project counts` */
function firstText({ command, status, exit, durationMs, decides }: FirstResult): string {
  const details = [
    ...(exit ? [`exit ${exit}`] : []),
    ...(durationMs > 0 ? [`${(durationMs / 1000).toFixed(1)} s`] : []),
  ];
  const more = details.length > 0 ? ` (${details.join(", ")})` : "";
  const place = decides === "place" ? "; it works only in the project itself" : "";
  return `before the work: ${clipLine(command, 60)} ${status.replace("_", " ")}${more}${place}`;
}
