import { clipLine } from "../../text/index.ts";
import type { Ledger, QueuedWords } from "../run.ts";
import { flag, maybe, object, oneOf, text, texts } from "./form.ts";
import { TEXT } from "./line.ts";
import { ledgerOf, type Rows } from "./row.ts";

/** Messages of yours on their way to the agent. */
export type WordsEvent =
  | { readonly type: "words.queued"; readonly words: QueuedWords }
  | { readonly type: "words.edited"; readonly id: string; readonly text: string }
  | { readonly type: "words.removed"; readonly id: string }
  /** Handed to the host; until it is known what became of them they are not handed over again. */
  | { readonly type: "words.sent"; readonly ids: readonly string[] }
  | { readonly type: "words.delivered"; readonly ids: readonly string[] }
  /**
   * They did not reach the agent and wait again. `lost`: they were not refused; the process that was to say them is gone, and
   * they are due at once.
   */
  | {
      readonly type: "words.failed";
      readonly ids: readonly string[];
      readonly message: string;
      readonly lost?: boolean;
    };

export function wordsEvents(): Rows<WordsEvent> {
  return {
    "words.queued": {
      v: 1,
      means: "A message of yours waits for the agent.",
      line: (event) => `you queued (${event.words.kind}): ${clipLine(event.words.text, TEXT)}`,
      fields: { words: object({ id: text, text, kind: oneOf("steer", "follow-up") }) },
      fold: ledgerOf((ledger, event) => ({
        ...ledger,
        words: [...ledger.words.filter(({ id }) => id !== event.words.id), event.words],
        unsent: NEVER_UNSENT,
      })),
    },
    "words.edited": {
      v: 1,
      means: "A queued message was changed.",
      fields: { id: text, text },
      fold: ledgerOf((ledger, event) => ({
        ...ledger,
        words: ledger.words.map((words) => (words.id === event.id ? { ...words, text: event.text } : words)),
      })),
    },
    "words.removed": {
      v: 1,
      means: "A queued message was removed.",
      fields: { id: text },
      fold: ledgerOf((ledger, event) => ({
        ...withoutSending(ledger, [event.id]),
        words: ledger.words.filter(({ id }) => id !== event.id),
      })),
    },
    "words.sent": {
      v: 1,
      means: "A queued message is on its way to the agent.",
      fields: { ids: texts },
      fold: ledgerOf((ledger, event) => ({ ...ledger, sending: [...new Set([...ledger.sending, ...event.ids])] })),
    },
    "words.delivered": {
      v: 1,
      means: "A queued message reached the agent.",
      fields: { ids: texts },
      fold: ledgerOf((ledger, event) => ({
        ...withoutSending(ledger, event.ids),
        unsent: NEVER_UNSENT,
        words: ledger.words.filter(({ id }) => !event.ids.includes(id)),
      })),
    },
    "words.failed": {
      v: 1,
      means: "A queued message did not reach the agent and waits again.",
      line: (event) => `your message did not reach the agent and waits again: ${clipLine(event.message, TEXT)}`,
      fields: { ids: texts, message: text, lost: maybe(flag) },
      fold: ledgerOf((ledger, event, { at }) => ({
        ...withoutSending(ledger, event.ids),
        unsent: event.lost ? ledger.unsent : { tries: ledger.unsent.tries + 1, at },
        errors: ledger.errors + 1,
      })),
    },
  };
}

export const NEVER_UNSENT: Ledger["unsent"] = { tries: 0, at: 0 };

const withoutSending = (ledger: Ledger, ids: readonly string[]): Ledger => ({
  ...ledger,
  sending: ledger.sending.filter((id) => !ids.includes(id)),
});
