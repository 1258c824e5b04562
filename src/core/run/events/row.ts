import type { Envelope } from "../event.ts";
import type { Ledger, Run } from "../run.ts";
import type { Kind } from "./form.ts";

/** All that is known about one type of event, beside its shape. What is left out here does not compile. */
export interface EventRow<E extends { readonly type: string }> {
  /** Counts up when the meaning of the type changes: an older tildone then leaves it alone. */
  readonly v: number;
  /** What it means, in one sentence: the reference page is printed from here. */
  readonly means: string;
  /** What one of them says in a log that you read; absent: what all of them mean. `run` is the run after it, so that items can be named by their index. */
  readonly line?: (event: E, run: Run, exact: ExactLine) => string;
  readonly fields: Fields<E>;
  /** A sign of life of a turn: up to here its time counts. What others append may come long after its process died. */
  readonly isLife?: true;
  /** The run after it. Total: whatever stood in the log before. */
  readonly fold: (run: Run, event: E, envelope: Envelope) => Run;
}

/** `exactLine`, handed in: it loads tables of Unicode, which folding a log does not need. */
export type ExactLine = (text: string, columns: number) => string;

type Fields<E> = { readonly [K in Exclude<keyof E, "type">]-?: Kind };

export type Rows<E extends { readonly type: string }> = {
  readonly [T in E["type"]]: EventRow<Extract<E, { readonly type: T }>>;
};

/** A fold that changes nothing but the ledger. */
export const ledgerOf =
  <E>(change: (ledger: Ledger, event: E, envelope: Envelope) => Ledger) =>
  (run: Run, event: E, envelope: Envelope): Run => {
    const ledger = change(run.ledger, event, envelope);
    return ledger === run.ledger ? run : { ...run, ledger };
  };
