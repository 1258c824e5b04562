import type { Reply } from "../core/react/index.ts";
import type { QueuedWords } from "../core/run/index.ts";
import type { Engine } from "../engine/index.ts";

/**
 * Words of the user that arrive while the agent works. They stand in the run's log from the moment they are queued, go
 * to the agent in order at a boundary, and are off the queue when the host took them.
 */
export interface MessageQueue {
  /** `steer` goes to the agent at its next boundary, `follow-up` when the run would otherwise be over. */
  add(text: string, kind?: QueuedWords["kind"]): Promise<Queued>;
  edit(id: string, text: string): Promise<Queued>;
  remove(id: string): Promise<Queued>;
  /** In the order they will be delivered within their kind. */
  list(): readonly QueuedWords[];
  /** Takes everything back that is not delivered, to be edited as one text; "" if there is nothing. */
  takeBack(): Promise<string>;
}

/** Whether a message was taken. */
export type Queued =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly code: "blank" | "no_run" | "words_gone"; readonly message: string };

/** The messages of a session, kept in its log until they are delivered. */
export function createMessageQueue(engine: Engine, session: string, newId: () => string): MessageQueue {
  const list = () => engine.run(session)?.ledger.words ?? [];

  async function remove(id: string): Promise<Queued> {
    return answered(await engine.tell(session, { type: "words.remove", id }), id);
  }

  return {
    async add(text, kind = "steer") {
      const words = { id: newId(), text: text.trim(), kind };
      if (words.text === "") return BLANK;
      return answered(await engine.tell(session, { type: "words.queue", words }), words.id);
    },
    async edit(id, text) {
      const words = text.trim();
      if (words === "") return BLANK;
      return answered(await engine.tell(session, { type: "words.edit", id, text: words }), id);
    },
    remove,
    list,
    async takeBack() {
      const taken: string[] = [];
      for (const { id, text } of list()) if ((await remove(id)).ok) taken.push(text);
      return taken.join("\n\n");
    },
  };
}

const BLANK: Queued = { ok: false, code: "blank", message: "The message is empty." };

function answered(reply: Reply, id: string): Queued {
  if (reply.type === "refused") return { ok: false, code: "words_gone", message: reply.refusal.message };
  if (reply.type === "ignored" && (reply.why === "no_run" || reply.why === "run_ended"))
    return { ok: false, code: "no_run", message: "There is no run to queue a message for; send it to the agent." };
  return { ok: true, id };
}
