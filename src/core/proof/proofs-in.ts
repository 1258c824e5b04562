import { checkKey, type OwnedCheck } from "../continuation/index.ts";
import { type Envelope, evolve, type Receipt, type Run, UNBORN } from "../run/index.ts";
import type { Check } from "../todo/index.ts";
import { currentPhase } from "../workflow/index.ts";

/** The newest receipt of a check that still speaks for something, and what is needed to repeat it. */
export interface ProofCase {
  readonly owner: string;
  /** Of its todo in the list. */
  readonly index?: number;
  readonly text?: string;
  readonly receipt: Receipt;
  /** Absent: the log does not say which check it was. */
  readonly check?: Check;
  /** Globs of files that you let the agent change, as far as the list said so then. */
  readonly declared: readonly string[];
}

export interface Proofs {
  readonly run: Run;
  readonly cases: readonly ProofCase[];
}

/** Todos in their order, then phases, then the checks of the run. */
export function proofsIn(envelopes: Iterable<Envelope>): Proofs {
  const newest = new Map<string, Pick<ProofCase, "receipt" | "check" | "declared">>();
  let run: Run = UNBORN;
  for (const envelope of envelopes) {
    const { event } = envelope;
    const receipts =
      event.type === "check.observed"
        ? [event.receipt]
        : event.type === "round.ended" && event.round === run.ledger.verifying?.round
          ? event.receipts
          : [];
    for (const receipt of receipts)
      newest.set(receipt.key, { receipt, check: checkOf(run, receipt), declared: declaredByYou(run) });
    run = evolve(run, envelope);
  }
  const all = [...newest.values()];
  const { todos } = run.plan;
  const ids = new Set(todos.map(({ id }) => id));
  return {
    run,
    cases: [
      ...todos.flatMap(({ id, text }, index) =>
        all.filter(({ receipt }) => receipt.owner === id).map((each) => ({ owner: id, index, text, ...each })),
      ),
      ...all
        .filter(({ receipt: { owner } }) => !ids.has(owner) && isOfRun(owner))
        .map((each) => ({ owner: each.receipt.owner, ...each })),
    ],
  };
}

/** What a todo proved that is no longer on the list speaks for nothing. */
const isOfRun = (owner: string): boolean => owner === "run" || owner.startsWith("phase:");

/** Of two with the same words the later one's receipt is the one that was kept. */
function checkOf(run: Run, { owner, key }: Receipt): Check | undefined {
  const owned: readonly OwnedCheck[] = [
    ...run.ledger.checks.map((check) => ({ owner: "run", check })),
    ...run.plan.todos.flatMap(({ id, checks }) => checks.map((check) => ({ owner: id, check }))),
    ...(currentPhase(run.plan.workflow)?.phase.checks ?? []).map((check) => ({ owner, check })),
  ];
  return owned.findLast((each) => checkKey(each.owner, each.check) === key)?.check;
}

const declaredByYou = ({ plan }: Run): readonly string[] =>
  plan.todos.filter(({ by }) => by !== "model").flatMap(({ touches }) => touches);
