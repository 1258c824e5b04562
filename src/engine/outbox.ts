import type { Nudge, QueuedWords, Trigger } from "../core/run/index.ts";
import type { Host } from "./ports.ts";
import type { Unattended } from "./unattended.ts";

/** What goes to the host: it is sent once, and what became of it is told to the run. */
export interface Outbox {
  readonly send: (nudge: Nudge) => void;
  readonly deliver: (words: readonly QueuedWords[]) => void;
}

export function createOutbox(
  { host, session }: { readonly host: Host; readonly session: string },
  unattended: Unattended,
  tell: (trigger: Trigger) => unknown,
): Outbox {
  return { send, deliver };

  function send(nudge: Nudge): void {
    unattended.attempt(
      () => host.nudge(session, nudge),
      () => tell({ type: "nudge.delivered", nudge: nudge.id }),
      (message) => tell({ type: "nudge.failed", nudge: nudge.id, message }),
    );
  }

  function deliver(words: readonly QueuedWords[]): void {
    const ids = words.map(({ id }) => id);
    unattended.attempt(
      () => host.deliver(session, words),
      () => tell({ type: "words.delivered", ids }),
      (message) => tell({ type: "words.failed", ids, message }),
    );
  }
}
