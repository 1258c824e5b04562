import { ATTEMPTS, type Attempt, attemptText } from "../../speaker/index.ts";
import { clipLine } from "../../text/index.ts";
import type { DroppedFile, ModelChoice } from "../event.ts";
import type { Millis } from "../run.ts";
import { moveTime, type Timebase } from "../timebase.ts";
import { amount, flag, list, maybe, named, number, object, text, timebase } from "./form.ts";
import { TEXT } from "./line.ts";
import { ledgerOf, type Rows } from "./row.ts";

/** What the host reports about itself, and what is known around a run. */
export type HostEvent =
  | { readonly type: "question.opened"; readonly id: string; readonly text?: string }
  | { readonly type: "question.closed"; readonly id: string }
  | { readonly type: "recovery.began"; readonly until: Millis }
  | { readonly type: "recovery.ended" }
  | { readonly type: "compaction.began"; readonly until: Millis }
  | { readonly type: "compaction.ended" }
  | {
      readonly type: "background.changed";
      readonly agents: number;
      readonly awaited: number;
      /** All commands that run there, awaited or not, where the host tells. */
      readonly commands?: number;
      readonly until: Millis;
    }
  | { readonly type: "mode.changed"; readonly readOnly: boolean }
  | ({ readonly type: "model.chosen" } & ModelChoice)
  | { readonly type: "host.failed"; readonly where: string; readonly message: string }
  /** The time of day was set, or the machine slept: by so much the run's own times are moved along. Zero: from now on they are measured. */
  | { readonly type: "clock.moved"; readonly by: Millis; readonly timebase: Timebase }
  /** Files of the project that are not applied from now on; none: all are. */
  | { readonly type: "config.dropped"; readonly files: readonly DroppedFile[] }
  /** The agent said through its shell what only you may say, and was refused. `isLast`: more of this kind are not written down. */
  | {
      readonly type: "attempt.refused";
      readonly attempt: Attempt;
      /** The command as it was typed. */
      readonly text: string;
      readonly because: string;
      readonly isLast?: boolean;
    }
  /** Its process ended within a turn, and nothing shows why. */
  | { readonly type: "host.left" };

export function hostEvents(): Rows<HostEvent> {
  return {
    "question.opened": {
      v: 1,
      means: "The agent asked you a question.",
      fields: { id: text, text: maybe(text) },
      isLife: true,
      fold: ledgerOf((ledger, event) => ({
        ...ledger,
        questions: [...ledger.questions.filter((id) => id !== event.id), event.id],
        ...(event.text !== undefined && { questionTexts: { ...ledger.questionTexts, [event.id]: event.text } }),
      })),
    },
    "question.closed": {
      v: 1,
      means: "The question was answered or withdrawn.",
      fields: { id: text },
      isLife: true,
      fold: ledgerOf((ledger, event) => {
        const questions = ledger.questions.filter((id) => id !== event.id);
        const { [event.id]: _answered, ...texts } = ledger.questionTexts ?? {};
        return { ...ledger, questions, ...(ledger.questionTexts && { questionTexts: texts }) };
      }),
    },
    "recovery.began": {
      v: 1,
      means: "The host recovers the session.",
      fields: { until: number },
      fold: ledgerOf((ledger, event) => ({ ...ledger, recovering: { until: event.until } })),
    },
    "recovery.ended": {
      v: 1,
      means: "The host recovered.",
      fields: {},
      fold: ledgerOf((ledger) => {
        const { recovering: _over, ...rest } = ledger;
        return rest;
      }),
    },
    "compaction.began": {
      v: 1,
      means: "The host compacts the context.",
      fields: { until: number },
      fold: ledgerOf((ledger, event) => ({ ...ledger, compacting: { until: event.until } })),
    },
    "compaction.ended": {
      v: 1,
      means: "The host compacted the context.",
      fields: {},
      fold: ledgerOf((ledger) => {
        const { compacting: _over, ...rest } = ledger;
        return rest;
      }),
    },
    "background.changed": {
      v: 1,
      means: "The number of background agents and commands changed.",
      line: (event) =>
        `in the background: agents ${event.agents}, commands ${event.commands ?? event.awaited}, of which awaited ${event.awaited}`,
      fields: { agents: amount, awaited: amount, commands: maybe(amount), until: number },
      fold: ledgerOf((ledger, event) => {
        const { agents, awaited, commands, until } = event;
        return { ...ledger, background: { agents, awaited, until, ...(commands !== undefined && { commands }) } };
      }),
    },
    "mode.changed": {
      v: 1,
      means: "The host entered or left its plan or read-only mode.",
      line: (event) => (event.readOnly ? "read-only mode" : "read-only mode left"),
      fields: { readOnly: flag },
      fold: ledgerOf((ledger, event) => ({ ...ledger, readOnly: event.readOnly })),
    },
    "model.chosen": {
      v: 1,
      means: "The model that you named for the run; a resumed run asks the same one.",
      line: (event) => `model: ${[event.model, event.baseUrl].filter((part) => part !== undefined).join(" at ")}`,
      fields: { model: maybe(text), baseUrl: maybe(text) },
      fold: ledgerOf((ledger, event) => {
        const { type: _, ...model } = event;
        return { ...ledger, model };
      }),
    },
    "host.failed": {
      v: 1,
      means: "The host or an adapter failed; shown and counted.",
      line: (event) => `${event.where} failed: ${clipLine(event.message, TEXT)}`,
      fields: { where: text, message: text },
      fold: ledgerOf((ledger) => ({ ...ledger, errors: ledger.errors + 1 })),
    },
    "clock.moved": {
      v: 1,
      means: "The time of day was set or the machine slept; waits and budgets count only the time that passed.",
      line: (event) =>
        event.by === 0
          ? "waits and budgets are measured by this machine's clock from here on"
          : `the time of day moved by ${Math.round(event.by / 1000)} s; that time does not count`,
      fields: { by: number, timebase },
      fold: ledgerOf((ledger, event) => moveTime(ledger, event.by, event.timebase)),
    },
    "config.dropped": {
      v: 1,
      means: "Files of the project are not applied from now on, because of a mistake in them; none: all are again.",
      line: (event) =>
        event.files.length === 0
          ? "the project's settings are applied again"
          : `not applied: ${event.files.map(({ file, says }) => `${file}: ${clipLine(says, TEXT)}`).join("; ")}`,
      fields: { files: list(object({ file: text, line: maybe(number), says: text })) },
      fold: ledgerOf((ledger, event) => {
        const { dropped: _before, ...rest } = ledger;
        return event.files.length > 0 ? { ...rest, dropped: { files: event.files, told: false } } : rest;
      }),
    },
    "attempt.refused": {
      v: 1,
      means:
        "The agent tried what only you may do, such as approving a call, and was refused; at most one a minute and 20 of a kind are recorded.",
      line: (event, _run, exact) => attemptText(event, exact),
      fields: { attempt: named(() => ATTEMPTS), text, because: text, isLast: maybe(flag) },
      fold: ledgerOf((ledger, event, { at }) => {
        const count = (ledger.refused?.[event.attempt]?.count ?? 0) + 1;
        return { ...ledger, refused: { ...ledger.refused, [event.attempt]: { count, at } } };
      }),
    },
    "host.left": {
      v: 1,
      means: "The host's process ended in the middle of a turn without saying why.",
      fields: {},
      fold: ledgerOf((ledger, _event, { at }) => ({ ...ledger, left: { at } })),
    },
  };
}
