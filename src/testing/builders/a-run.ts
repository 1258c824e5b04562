import type { Boundary, Failure, Ledger, Receipt, Run } from "../../core/run/index.ts";
import { UNBORN } from "../../core/run/index.ts";
import type { Todo } from "../../core/todo/index.ts";
import type { WorkflowState } from "../../core/workflow/index.ts";

/** What a test says about a run; the rest is as in a new one. */
export interface RunGiven extends Partial<Ledger> {
  readonly goal?: string;
  readonly status?: Run["status"];
  readonly todos?: readonly Todo[];
  readonly workflow?: WorkflowState;
}

/** A live run at a boundary that nothing was decided about yet; what is given stays as given. */
export function aRun({ goal, status = "live", todos = [], workflow, ...ledger }: RunGiven = {}): Run {
  return {
    ...UNBORN,
    id: "run-1",
    status,
    origin: { host: "test", session: "s", cwd: "/project" },
    ...(goal !== undefined && { goal }),
    plan: { todos, workflow },
    ledger: {
      ...UNBORN.ledger,
      began: 1,
      claim: { driver: "one", epoch: 1 },
      boundaries: 1,
      boundary: aBoundary(),
      nextTodoId: todos.length + 1,
      firstListEnd: todos.length,
      ...ledger,
    },
  };
}

/** The moment an agent stopped. */
export function aBoundary(given: Partial<Boundary> = {}): Boundary {
  return { id: "b1", at: 0, question: false, round: "none", status: "open", ...given };
}

/** A failure of a provider. */
export const aFailure = (kind: Failure["kind"], given: Partial<Failure> = {}): Failure => ({
  kind,
  message: `the turn failed: ${kind}`,
  ...given,
});

/** The result of a check that speaks for `owner`; passed unless said otherwise. */
export function aReceipt(owner: string, command: string, given: Partial<Receipt> = {}): Receipt {
  return {
    key: `${owner} ${command}`,
    owner,
    command,
    status: "passed",
    durationMs: 5,
    digest: "digest",
    tail: "",
    askedBy: "test",
    suspect: false,
    at: 0,
    ...given,
  };
}

/** Receipts as a ledger keeps them. */
export const receiptsOf = (...receipts: readonly Receipt[]): Ledger["receipts"] =>
  Object.fromEntries(receipts.map((receipt) => [receipt.key, receipt]));
