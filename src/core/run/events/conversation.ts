import { clipLine } from "../../text/index.ts";
import type { TodoId } from "../../todo/index.ts";
import { NOTES } from "../conversation.ts";
import { text, texts } from "./form.ts";
import { items, TEXT } from "./line.ts";
import { ledgerOf, type Rows } from "./row.ts";

/** Conversations of the agent, one after the other, and what it hands on from one to the next. */
export type ConversationEvent =
  /** Within a turn; one that begins with a nudge is told by that. */
  | { readonly type: "conversation.began"; readonly why: string }
  /** A todo ended, and the next one begins where it ended. Only where new conversations are asked for. */
  | { readonly type: "conversation.kept"; readonly why: string }
  | { readonly type: "note.written"; readonly ids: readonly TodoId[]; readonly text: string };

export function conversationEvents(): Rows<ConversationEvent> {
  return {
    "conversation.began": {
      v: 1,
      means: "The agent continues in a new conversation, with a briefing instead of what was said before.",
      line: (event) => `new conversation: ${clipLine(event.why, TEXT)}`,
      fields: { why: text },
      fold: (run) => run, // what follows from it is `conversationAfter`
    },
    "conversation.kept": {
      v: 1,
      means: "The next todo begins in the same conversation, although new ones are asked for.",
      line: (event) => `same conversation: ${clipLine(event.why, TEXT)}`,
      fields: { why: text },
      fold: (run) => run,
    },
    "note.written": {
      v: 1,
      means: "The agent noted something that later todos must know.",
      line: (event, run) => `note on ${items(event.ids, run)}: ${clipLine(event.text, TEXT)}`,
      fields: { ids: texts, text },
      fold: ledgerOf((ledger, { ids, text }) => ({
        ...ledger,
        notes: [...ledger.notes, { ids, text }].slice(-NOTES.most),
      })),
    },
  };
}
