import type { ClaimAnswer, FleetRun, FleetState, Mark, Row, Submission, Word, WordState } from "../ports.ts";
import { NO_SPEND, type Spend } from "./lost-spend.ts";

// A run as the ledger in memory keeps it, and as others see it.

export interface KeptWord extends WordState {
  readonly key: string;
  readonly wake?: number;
}

/** JSON text where others would share it by reference. */
export interface Kept {
  readonly submission: string;
  readonly rows: (Row & { readonly epoch: number })[];
  readonly lost: (Row & { readonly epoch: number })[];
  readonly inbox: KeptWord[];
  readonly submittedAt: number;
  state: FleetState;
  epoch: number;
  generation: number;
  attempts: number;
  eventVersion: number;
  limits: readonly string[];
  /** When it was told that it has its turn. */
  askedAt: number;
  conversation: Uint8Array;
  lostSpend: Spend;
  updatedAt: number;
  driver?: string | undefined;
  token?: string | undefined;
  session?: string;
  mark?: Mark;
  card?: string | undefined;
  markedCard?: string | undefined;
  outcome?: string | undefined;
  resultCommit?: string | undefined;
  isPublished?: boolean;
  report?: string | undefined;
  pr?: string | undefined;
}

export const keptOf = (submission: string, at: number): Kept => ({
  submission,
  rows: [],
  lost: [],
  inbox: [],
  submittedAt: at,
  state: "queued",
  epoch: 0,
  generation: 1,
  attempts: 0,
  eventVersion: 0,
  limits: [],
  askedAt: Number.NEGATIVE_INFINITY,
  conversation: new Uint8Array(),
  lostSpend: NO_SPEND,
  updatedAt: at,
});

export const nameOf = ({ submission }: Kept): string => (JSON.parse(submission) as Submission).run;

export function runOf(kept: Kept): FleetRun {
  const { state, epoch, driver, rows, mark, attempts, generation, card, eventVersion, outcome, resultCommit } = kept;
  return {
    ...(JSON.parse(kept.submission) as Submission),
    state,
    epoch,
    ...(driver !== undefined && { driver }),
    seq: rows.length,
    ...(mark && { checkpoint: { ...mark } }),
    attempts,
    generation,
    ...(card !== undefined && { card: JSON.parse(card) }),
    eventVersion,
    ...(outcome !== undefined && { outcome }),
    ...(resultCommit !== undefined && { resultCommit }),
    submittedAt: kept.submittedAt,
    updatedAt: kept.updatedAt,
  };
}

export const rowOf = ({ seq, at, by, v, event }: Row): Row => ({ seq, at, by, v, event });
const wordOf = ({ id, run, trigger, from, at }: Word): Word => ({ id, run, trigger, from, at });
export const stateOf = (word: KeptWord): WordState => ({
  ...wordOf(word),
  ...(word.appliedSeq !== undefined && { appliedSeq: word.appliedSeq }),
  ...(word.refused !== undefined && { refused: word.refused }),
});
export const openWords = ({ inbox }: Kept): readonly Word[] =>
  inbox.filter(({ appliedSeq }) => appliedSeq === undefined).map(wordOf);
export const saidAs = ({ id, wake }: KeptWord) => ({ id, ...(wake !== undefined && { wake: { generation: wake } }) });

export function refusalOf(
  kept: Kept | undefined,
  version: number,
): Exclude<ClaimAnswer, { status: "claimed" }> | undefined {
  if (!kept) return { status: "unknown" };
  const { state, outcome = "", resultCommit, eventVersion } = kept;
  if (state === "poisoned" || state === "cancelled") return { status: state };
  if (state === "parked") return { status: "parked", why: outcome };
  if (state === "finished") return { status: "finished", outcome, ...(resultCommit !== undefined && { resultCommit }) };
  return eventVersion > version ? { status: "newer", eventVersion } : undefined;
}
