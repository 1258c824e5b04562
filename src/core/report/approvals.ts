import { type Approval, OUTCOMES, type Outcome, shortDigest } from "../call/index.ts";
import type { Actor, Envelope } from "../run/index.ts";
import { exactRows, fold } from "../text/index.ts";

/** A question about one call, and the result. */
export interface ReportedApproval {
  readonly at: number;
  readonly approval: Approval;
  readonly answer?: Outcome;
  readonly answeredAt?: number;
  readonly by?: Actor;
  /** What runs instead, where you changed the arguments. */
  readonly runs?: { readonly what: string; readonly digest?: string };
}

/** Reads a log event by event: a question that is asked or answered, and its number. A call may ask more than once, one question at a time. */
export function followApprovals(): (envelope: Envelope) => { number: number; asked: ReportedApproval } | undefined {
  const open = new Map<string, { readonly number: number; readonly asked: ReportedApproval }>();
  let count = 0;
  return ({ at, by, event }) => {
    if (event.type === "approval.requested") {
      const { approval } = event;
      const question = { number: count++, asked: { at, approval } };
      open.set(approval.call, question);
      const [oldest] = open.keys();
      if (open.size > MOST_APPROVALS) open.delete(oldest!);
      return question;
    }
    if (event.type !== "approval.answered") return undefined;
    const question = open.get(event.call);
    if (question === undefined) return undefined;
    open.delete(event.call);
    const { outcome, what, digest } = event;
    const runs = what !== undefined && { runs: { what, digest } };
    return { ...question, asked: { ...question.asked, answer: outcome, answeredAt: at, by, ...runs } };
  };
}

/** How much is kept of what a log asked: more would make a page that is too long to read, and one question may be 64 KiB long. */
export const MOST_APPROVALS = 2000;
const MOST_CHARACTERS = 4_000_000;

/** The newest questions, the oldest of them first, and how many there was no room for. */
export function collectApprovals() {
  const follow = followApprovals();
  const kept = new Map<number, ReportedApproval>();
  let [leftOut, characters] = [0, 0];
  return {
    add(envelope: Envelope): void {
      const found = follow(envelope);
      if (found === undefined || (found.asked.answer !== undefined && !kept.has(found.number))) return;
      characters += sizeOf(found.asked) - sizeOf(kept.get(found.number));
      kept.set(found.number, found.asked);
      while (kept.size > 1 && (kept.size > MOST_APPROVALS || characters > MOST_CHARACTERS)) dropOldest();
    },
    all: (): readonly ReportedApproval[] => [...kept.values()],
    leftOut: (): number => leftOut,
  };

  function dropOldest(): void {
    const [first] = kept;
    const [number, asked] = first!;
    characters -= sizeOf(asked);
    kept.delete(number);
    leftOut++;
  }
}

const sizeOf = (asked: ReportedApproval | undefined): number =>
  asked === undefined ? 0 : asked.approval.what.length + (asked.runs?.what.length ?? 0);

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
