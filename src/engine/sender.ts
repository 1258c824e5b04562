import type { Leaving, Nudge, Rechecked, Trigger } from "../core/react/index.ts";
import type { QueuedWords, Run } from "../core/run/index.ts";
import type { Clock, Host } from "./ports.ts";
import type { Unattended } from "./unattended.ts";

/** Everything that leaves for the host, and what became of it is told to the run. Asked first is a host that can be asked. */
export interface Sender {
  /** A nudge is due at this boundary: asks the host, and the run decides with what it says. */
  readonly recheck: (boundary: string) => void;
  readonly isRechecking: (boundary: string) => boolean;
  readonly send: (nudge: Nudge) => void;
  readonly deliver: (words: readonly QueuedWords[], isRechecked: boolean) => void;
}

export interface SenderParts {
  readonly host: Host;
  readonly clock: Clock;
  readonly session: string;
  readonly run: () => Run;
  readonly unattended: Unattended;
  /** At once. */
  readonly tellNow: (trigger: Trigger) => unknown;
  /** After what was told before it, and after a look at the files where it needs one. */
  readonly tell: (trigger: Trigger) => Promise<unknown>;
  /** What the host said could not be told. */
  readonly failed: (boundary: string, error: unknown) => void;
}

export function createSender({ host, clock, session, run, unattended, tellNow, tell, failed }: SenderParts): Sender {
  let asked: string | undefined;
  return { recheck, isRechecking: (boundary) => asked === boundary, send, deliver };

  function recheck(boundary: string): void {
    if (asked === boundary) return;
    asked = boundary;
    const isOurs = ofThisRun();
    void ask().then(async (answer) => {
      if (asked === boundary) asked = undefined;
      if (isOurs()) await tellOf({ boundary }, answer).catch((error: unknown) => failed(boundary, error));
    });
  }

  function send(nudge: Nudge): void {
    const outcome = ofRun();
    unattended.attempt(
      () => host.nudge(session, nudge),
      () => outcome({ type: "nudge.delivered", nudge: nudge.id }),
      (message) => outcome({ type: "nudge.failed", nudge: nudge.id, message }),
    );
  }

  function deliver(words: readonly QueuedWords[], isRechecked: boolean): void {
    const ids = words.map(({ id }) => id);
    const outcome = ofRun();
    const failed = (message: string) => outcome({ type: "words.failed", ids, message });
    if (host.recheck && !isRechecked) {
      const isOurs = ofThisRun();
      void ask().then(async (answer) => {
        if (isOurs())
          await tellOf({ words: ids }, answer).catch((error: unknown) =>
            unattended.insist(() => failed(messageOf(error))),
          );
      });
    } else
      unattended.attempt(
        () => host.deliver(session, words),
        () => outcome({ type: "words.delivered", ids }),
        failed,
      );
  }

  /** Never rejects: a host that fails or keeps silent is unknown. */
  function ask(): Promise<Rechecked> {
    const late = Promise.withResolvers<Rechecked>();
    const timer = clock.setTimer(clock.now() + ANSWER_WITHIN_MS, () => late.resolve(unknown(SILENT)));
    const answer = new Promise<Rechecked>((resolve) => resolve(host.recheck?.(session) ?? READY)).catch(
      (error: unknown) => unknown(messageOf(error)),
    );
    return Promise.race([answer, late.promise]).finally(() => timer.cancel());
  }

  function tellOf(before: Leaving, answer: Rechecked): Promise<unknown> {
    return tell({ type: "host.rechecked", before, ...answer });
  }

  function ofRun(): (trigger: Trigger) => void {
    const isOurs = ofThisRun();
    return (trigger) => void (isOurs() && tellNow(trigger));
  }

  /** Another run may have begun in the session meanwhile, with names of its own that are the same. */
  function ofThisRun(): () => boolean {
    const { id } = run();
    return () => run().id === id;
  }
}

const ANSWER_WITHIN_MS = 30_000;
const SILENT = "the host did not say how the session stands";
const READY: Rechecked = { status: "ready", facts: [] };

const unknown = (message: string): Rechecked => ({ status: "unknown", message });

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
