import type { Nudge, Trigger } from "../core/react/index.ts";
import type { QueuedWords } from "../core/run/index.ts";
import type { Host } from "./ports.ts";
import type { Unattended } from "./unattended.ts";

/** What goes to the host: it is sent once, and what became of it is told to the run. */
export interface Outbox {
  readonly send: (nudge: Nudge) => void;
  readonly deliver: (words: readonly QueuedWords[]) => void;
}

export function createOutbox(
  { host, session, runId }: { readonly host: Host; readonly session: string; readonly runId: () => string },
  unattended: Unattended,
  tell: (trigger: Trigger) => unknown,
): Outbox {
  return { send, deliver };

  function send(nudge: Nudge): void {
    const outcome = ofThisRun();
    unattended.attempt(
      () => host.nudge(session, nudge),
      () => outcome({ type: "nudge.delivered", nudge: nudge.id }),
      (message) => outcome({ type: "nudge.failed", nudge: nudge.id, message }),
    );
  }

  function deliver(words: readonly QueuedWords[]): void {
    const ids = words.map(({ id }) => id);
    const outcome = ofThisRun();
    unattended.attempt(
      () => host.deliver(session, words),
      () => outcome({ type: "words.delivered", ids }),
      (message) => outcome({ type: "words.failed", ids, message }),
    );
  }

  /** Another run may have begun in the session meanwhile, with names of its own that are the same. */
  function ofThisRun(): (trigger: Trigger) => void {
    const run = runId();
    return (trigger) => void (runId() === run && tell(trigger));
  }
}
