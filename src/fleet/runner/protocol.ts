import type { RunCard } from "../../engine/index.ts";
import type { AppliedWord, Barrier, Lease, Ledger, Mark, News, Row } from "../ports.ts";

/** What stands on this machine, as far as the record of the fleet needs it. Rows follow each other without a gap. */
export interface LocalRun {
  /** The next ones: not all, where there are many. */
  rowsAfter(seq: number): readonly Row[];
  card(): RunCard | undefined;
}

/** What a checkpoint holds besides the log. */
export interface Kept {
  readonly commit: string | undefined;
  readonly session?: string;
  /** Length of the conversation as it is stored; `from` and `bytes`: what is new of it. */
  readonly length: number;
  readonly news?: { readonly at: number; readonly bytes: Uint8Array };
}

export interface ProtocolParts {
  readonly ledger: Pick<Ledger, "append" | "barrier" | "get">;
  readonly lease: Lease;
  /** Where the log stood when it was claimed. */
  readonly from: number;
  readonly local: LocalRun;
  /** Takes files and conversation; they are in the remote when it resolves. */
  readonly keep: () => Promise<Kept>;
  /** Does it again until the database answers. */
  readonly insist: <T>(act: () => Promise<T>) => Promise<T>;
  /** The database forgot what it had confirmed, as one does that crashes and confirms before it writes: all is told again. */
  readonly forgotten?: () => void;
}

/**
 * What a driver says to the record, one thing after the other:
 *
 *     writing --append, barrier--> writing
 *        +--- one of them is refused ---> fenced, for good: nothing is said any more
 */
export function createProtocol({ ledger, lease, from, local, keep, insist, forgotten }: ProtocolParts) {
  let sent = from;
  let isFenced = false;
  /** Where the last barrier of this claim is. */
  let marked: number | undefined;
  /** Words that were applied here, and those of them that the record knows of. */
  let applied: AppliedWord[] = [];
  let told: AppliedWord[] = [];
  let last: Promise<unknown> = Promise.resolve();

  return {
    append: () => inTurn(append),
    barrier: () => inTurn(barrier),
    applies,
    isFenced: () => isFenced,
    sent: () => sent,
  };

  /** A word of yours stands in the local log, up to this row. */
  function applies(word: AppliedWord): void {
    applied.push(word);
  }

  /** Everything new, so that others see it; it counts only with the next barrier. */
  async function append(): Promise<Status> {
    if (isFenced) return "fenced";
    const news = newsNow();
    if (news.rows.length === 0 && news.applied.length === 0) return "written";
    return tell(news, () => ledger.append(lease, news), append);
  }

  /** Files and conversation first: what the record calls a checkpoint can be restored by everybody. */
  async function barrier(): Promise<Status> {
    if (isFenced) return "fenced";
    const kept = await keep();
    let news = newsNow();
    // Files and conversation are those of the whole log: so is the mark.
    while (local.rowsAfter(news.rows.at(-1)?.seq ?? sent).length > 0) {
      if ((await append()) === "fenced") return "fenced";
      news = newsNow();
    }
    const mark: Mark = {
      seq: news.rows.at(-1)?.seq ?? sent,
      bytes: kept.length,
      ...(kept.commit !== undefined && { commit: kept.commit }),
    };
    const said: Barrier = {
      ...news,
      mark,
      survived: marked !== undefined && mark.seq > marked,
      ...(kept.session !== undefined && { session: kept.session }),
      ...(kept.news && { conversation: kept.news }),
    };
    const status = await tell(said, () => ledger.barrier(lease, said), barrier);
    if (status === "written") marked = mark.seq;
    return status;
  }

  async function tell(
    news: News,
    act: () => ReturnType<Ledger["append"]>,
    again: () => Promise<Status>,
  ): Promise<Status> {
    const answer = await insist(act).catch(async (error: unknown) => {
      if (await isForgotten(news.from)) return undefined;
      throw error;
    });
    if (!answer) return again();
    const { status } = answer;
    if (status === "fenced") isFenced = true;
    else {
      sent = news.rows.at(-1)?.seq ?? sent;
      told.push(...news.applied);
      applied = applied.filter((word) => !news.applied.includes(word));
    }
    return status;
  }

  async function isForgotten(after: number): Promise<boolean> {
    const found = await insist(() => ledger.get(lease.run));
    if (found?.epoch !== lease.epoch || found.seq >= after) return false;
    const { seq } = found;
    applied = [...told.filter((word) => word.seq > seq), ...applied];
    told = told.filter((word) => word.seq <= seq);
    sent = seq;
    forgotten?.();
    return true;
  }

  function newsNow(): News {
    const rows = local.rowsAfter(sent);
    const card = local.card();
    const upTo = rows.at(-1)?.seq ?? sent;
    return { from: sent, rows, ...(card && { card }), applied: applied.filter(({ seq }) => seq <= upTo) };
  }

  function inTurn(act: () => Promise<Status>): Promise<Status> {
    const next = last.then(act, act);
    last = next.catch(() => {});
    return next;
  }
}

export type Protocol = ReturnType<typeof createProtocol>;
type Status = "written" | "fenced";
