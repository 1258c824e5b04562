import { type Approval, OUTCOMES, type Outcome, shortDigest } from "../call/index.ts";
import type { Actor, Envelope } from "../run/index.ts";
import { exactRows, fold } from "../text/index.ts";

/** A question about one call, and what came of it. */
export interface ReportedApproval {
  readonly at: number;
  readonly approval: Approval;
  readonly answer?: Outcome;
  readonly answeredAt?: number;
  readonly by?: Actor;
  /** What runs instead, where you changed the arguments. */
  readonly runs?: { readonly what: string; readonly digest?: string };
}

/** Every question of a log, the oldest first. A call may ask more than once, one question at a time. */
export function approvalsOf(envelopes: Iterable<Envelope>): readonly ReportedApproval[] {
  const asked: ReportedApproval[] = [];
  const open = new Map<string, number>();
  for (const { at, by, event } of envelopes) {
    if (event.type === "approval.requested") {
      open.set(event.approval.call, asked.length);
      asked.push({ at, approval: event.approval });
    }
    if (event.type !== "approval.answered") continue;
    const index = open.get(event.call);
    if (index === undefined) continue;
    open.delete(event.call);
    const { outcome, what, digest } = event;
    const runs = what !== undefined && { runs: { what, ...(digest !== undefined && { digest }) } };
    asked[index] = { ...asked[index]!, answer: outcome, answeredAt: at, by, ...runs };
  }
  return asked;
}

/** Rows of a block, so wide that few of them are broken. */
export const approvalRows = (text: string, more: string): readonly string[] =>
  fold(exactRows(text, COLUMNS), MOST_ROWS, (hidden) => `… ${hidden} lines are not shown; all of it: ${more}`);
const COLUMNS = 160;
const MOST_ROWS = 200;

export const showsAll = ({ call, digest }: Approval, run: string): string =>
  `tildone approvals ${run} --show ${digest === undefined ? call : shortDigest(digest)}`;

/** How it was answered, and the digest that the answer is bound to. */
export function approvalAnswer({ approval, answer, runs }: ReportedApproval): string {
  const digest = runs ? runs.digest : approval.digest;
  const said = answer === undefined ? "not answered yet" : OUTCOMES[answer];
  return `${said}${digest === undefined ? "" : `, SHA-256 ${digest}`}`;
}
