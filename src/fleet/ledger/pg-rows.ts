import type { RunCard } from "../../engine/index.ts";
import type { FleetRun, FleetState, Row, Submission, Word, WordState } from "../ports.ts";
import { fromStored, maybeFrom } from "./stored-text.ts";

/** What every statement selects of a run: big numbers as floats, because the driver gives those of 8 bytes as text. */
export const RUN_COLUMNS = `run, submission, state, epoch, generation, driver, seq, event_version, session, checkpoint_seq,
  checkpoint_commit, checkpoint_bytes::float8, checkpoints, attempts, claim_token, card, outcome, result_commit,
  lost_tokens, lost_cost, lost_minutes, submitted_at, updated_at`;

export interface RunRow {
  readonly run: string;
  readonly submission: string;
  readonly state: FleetState;
  readonly epoch: number;
  readonly generation: number;
  readonly driver: string | null;
  readonly seq: number;
  readonly event_version: number;
  readonly session: string | null;
  readonly checkpoint_seq: number;
  readonly checkpoint_commit: string | null;
  readonly checkpoint_bytes: number;
  readonly checkpoints: number;
  readonly attempts: number;
  readonly claim_token: string | null;
  readonly card: string | null;
  readonly outcome: string | null;
  readonly result_commit: string | null;
  readonly lost_tokens: number;
  readonly lost_cost: number;
  readonly lost_minutes: number;
  readonly submitted_at: number;
  readonly updated_at: number;
}

export function runIn(row: RunRow): FleetRun {
  const outcome = maybeFrom(row.outcome);
  return {
    ...(JSON.parse(row.submission) as Submission),
    state: row.state,
    epoch: row.epoch,
    ...(row.driver !== null && { driver: fromStored(row.driver) }),
    seq: row.seq,
    ...(row.checkpoints > 0 && {
      checkpoint: {
        seq: row.checkpoint_seq,
        ...(row.checkpoint_commit !== null && { commit: row.checkpoint_commit }),
        bytes: row.checkpoint_bytes,
      },
    }),
    attempts: row.attempts,
    generation: row.generation,
    ...(row.card !== null && { card: JSON.parse(row.card) as RunCard }),
    eventVersion: row.event_version,
    ...(outcome !== undefined && { outcome }),
    ...(row.result_commit !== null && { resultCommit: row.result_commit }),
    submittedAt: row.submitted_at,
    updatedAt: row.updated_at,
  };
}

export const ROW_COLUMNS = "seq, at, by, v, event";
export const rowIn = ({ seq, at, by, v, event }: Row): Row => ({ seq, at, by, v, event });

export const WORD_COLUMNS = "id::float8, run, trigger, said_from, at, applied_seq, refused";
export interface WordRow {
  readonly id: number;
  readonly run: string;
  readonly trigger: string;
  readonly said_from: string;
  readonly at: number;
  readonly applied_seq: number | null;
  readonly refused: string | null;
}
export const wordIn = ({ id, run, trigger, said_from, at }: WordRow): Word => ({
  id,
  run,
  trigger,
  from: said_from,
  at,
});
export const wordStateIn = (row: WordRow): WordState => ({
  ...wordIn(row),
  ...(row.applied_seq !== null && { appliedSeq: row.applied_seq }),
  ...(row.refused !== null && { refused: fromStored(row.refused) }),
});
