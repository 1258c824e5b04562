import type { Envelope } from "./event.ts";
import type { Ledger } from "./run.ts";
import { moveTime } from "./timebase.ts";

/** What the host reports about itself. */
export function evolveHost(ledger: Ledger, { event, at }: Envelope): Ledger {
  switch (event.type) {
    case "question.opened":
      return {
        ...ledger,
        questions: [...ledger.questions.filter((id) => id !== event.id), event.id],
        ...(event.text !== undefined && { questionTexts: { ...ledger.questionTexts, [event.id]: event.text } }),
      };
    case "question.closed": {
      const questions = ledger.questions.filter((id) => id !== event.id);
      const { [event.id]: _answered, ...texts } = ledger.questionTexts ?? {};
      return { ...ledger, questions, ...(ledger.questionTexts && { questionTexts: texts }) };
    }
    case "recovery.began":
      return { ...ledger, recovering: { until: event.until } };
    case "recovery.ended": {
      const { recovering: _over, ...rest } = ledger;
      return rest;
    }
    case "compaction.began":
      return { ...ledger, compacting: { until: event.until } };
    case "compaction.ended": {
      const { compacting: _over, ...rest } = ledger;
      return rest;
    }
    case "background.changed": {
      const { agents, awaited, commands, until } = event;
      return { ...ledger, background: { agents, awaited, until, ...(commands !== undefined && { commands }) } };
    }
    case "mode.changed":
      return { ...ledger, readOnly: event.readOnly };
    case "model.chosen": {
      const { type: _, ...model } = event;
      return { ...ledger, model };
    }
    case "host.failed":
      return { ...ledger, errors: ledger.errors + 1 };
    case "clock.moved":
      return moveTime(ledger, event.by, event.timebase);
    case "config.dropped": {
      const { dropped: _before, ...rest } = ledger;
      return event.files.length > 0 ? { ...rest, dropped: { files: event.files, told: false } } : rest;
    }
    case "attempt.refused": {
      const count = (ledger.refused?.[event.attempt]?.count ?? 0) + 1;
      return { ...ledger, refused: { ...ledger.refused, [event.attempt]: { count, at } } };
    }
    case "host.left":
      return { ...ledger, left: { at } };
    default:
      return ledger;
  }
}
