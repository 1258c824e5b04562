import type { Nudge, QueuedWords, Trigger } from "../core/run/index.ts";
import type { Host } from "./ports.ts";
import type { Unattended } from "./unattended.ts";

/** What goes to the host: it is sent once, and what became of it is told to the run. */
export interface Outbox {
  readonly send: (nudge: Nudge) => void;
  /** `undelivered`: what is to follow when the host did not take the words. */
  readonly deliver: (words: readonly QueuedWords[], undelivered: () => void) => void;
  /** Words that the host is about to take can be neither changed nor taken back. */
  readonly isOnItsWay: (words: string) => boolean;
}

export function createOutbox(
  { host, session }: { readonly host: Host; readonly session: string },
  unattended: Unattended,
  tell: (trigger: Trigger) => unknown,
): Outbox {
  let delivering: readonly string[] = [];
  return { send, deliver, isOnItsWay: (words) => delivering.includes(words) };

  function send(nudge: Nudge): void {
    unattended.attempt(
      () => host.nudge(session, nudge),
      () => tell({ type: "nudge.delivered", nudge: nudge.id }),
      (message) => tell({ type: "nudge.failed", nudge: nudge.id, message }),
    );
  }

  function deliver(words: readonly QueuedWords[], undelivered: () => void): void {
    const ids = words.map(({ id }) => id);
    delivering = ids;
    unattended.attempt(
      () => host.deliver(session, words),
      () => {
        delivering = [];
        tell({ type: "words.delivered", ids });
      },
      (message) => {
        delivering = [];
        tell({ type: "host.failed", where: "words", message });
        undelivered();
      },
    );
  }
}
