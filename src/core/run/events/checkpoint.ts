import { clipLine } from "../../text/index.ts";
import type { TodoId } from "../../todo/index.ts";
import { type Checkpoint, type CheckpointMoment, MOMENTS } from "../checkpoint.ts";
import { NOTHING_DUE } from "../due-checkpoint.ts";
import { amount, flag, list, maybe, named, object, record, text, texts } from "./form.ts";
import { items, TEXT } from "./line.ts";
import { ledgerOf, type Rows } from "./row.ts";

/** The files at moments of the run, and what was taken back. */
export type CheckpointEvent =
  | {
      readonly type: "checkpoint.taken";
      readonly moment: CheckpointMoment;
      readonly ids: readonly TodoId[];
      readonly checkpoint: Checkpoint;
    }
  /** `lasting`: it will be no different in this run. */
  | { readonly type: "checkpoints.unavailable"; readonly why: string; readonly lasting: boolean }
  /** The files between `before` and `after` are what was taken back. */
  | {
      readonly type: "files.undone";
      readonly undo: string;
      readonly ids: readonly TodoId[];
      readonly before: Checkpoint;
      readonly after: Checkpoint;
      /** The steps that were taken back, by the checkpoints they lie between. */
      readonly steps: readonly { readonly from: string; readonly to: string }[];
      /** The undo that this one takes back: a redo. */
      readonly redoes?: string;
      /** How the todos stood before. */
      readonly were: Readonly<Record<TodoId, string>>;
    };

const changed = object({ files: amount, added: amount, removed: amount });
const checkpoint = object({ id: text, tree: text, facts: text, changed, ms: amount });

export function checkpointEvents(): Rows<CheckpointEvent> {
  return {
    "checkpoint.taken": {
      v: 1,
      means: "Recorded the files, so that later work can be undone.",
      line: ({ moment, ids, checkpoint: { id, changed: since } }, run) =>
        `checkpoint ${id}: ${MOMENTS[moment] ?? moment}${ids.length > 0 ? ` ${items(ids, run)}` : ""}${since.files > 0 ? ` (${since.files} ${since.files === 1 ? "file" : "files"}, +${since.added} -${since.removed})` : ""}`,
      fields: { moment: named(() => MOMENTS), ids: texts, checkpoint },
      fold: ledgerOf((ledger, event) => ({
        ...ledger,
        checkpoints: {
          ...ledger.checkpoints,
          taken: ledger.checkpoints.taken + 1,
          last: event.checkpoint,
          due: NOTHING_DUE,
        },
      })),
    },
    "checkpoints.unavailable": {
      v: 1,
      means: "The files could not be recorded, so the work since then cannot be undone.",
      line: (event) => `no checkpoint: ${clipLine(event.why, TEXT)}`,
      fields: { why: text, lasting: flag },
      fold: ledgerOf((ledger, event) => ({
        ...ledger,
        checkpoints: {
          ...ledger.checkpoints,
          due: NOTHING_DUE,
          failed: event.why,
          ...(event.lasting && { off: event.why }),
        },
      })),
    },
    "files.undone": {
      v: 1,
      means: "You undid what todos changed, or redid it.",
      line: ({ undo, ids, redoes, after }, run) =>
        `${redoes === undefined ? "undone" : "redone"} by you (${undo}): ${items(ids, run)}, ${after.changed.files} files`,
      fields: {
        undo: text,
        ids: texts,
        before: checkpoint,
        after: checkpoint,
        steps: list(object({ from: text, to: text })),
        redoes: maybe(text),
        were: record(text),
      },
      fold: ledgerOf((ledger, event) => ({
        ...ledger,
        checkpoints: {
          ...ledger.checkpoints,
          last: event.after,
          undos: [...ledger.checkpoints.undos, { id: event.undo, were: event.were }],
        },
      })),
    },
  };
}
