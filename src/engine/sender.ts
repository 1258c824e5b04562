import type { Leaving, Nudge, Rechecked, Trigger } from "../core/react/index.ts";
import type { QueuedWords, Run } from "../core/run/index.ts";
import type { Answer, Settled } from "./held-boundary.ts";
import type { Clock, Host } from "./ports.ts";
import type { Unattended } from "./unattended.ts";

/** Everything that leaves for the host, and what became of it is told to the run. Asked first is a host that can be asked. */
export interface Sender {
  /** A nudge is due at this boundary: asks the host, and the run decides with what it says. */
  readonly recheck: (boundary: string) => void;
  readonly isRechecking: (boundary: string | undefined) => boolean;
  /** `answer`: the host waits for it at its boundary. */
  readonly send: (nudge: Nudge, answer?: Answer) => void;
  readonly deliver: (words: readonly QueuedWords[], isRechecked: boolean, answer?: Answer) => void;
}

export interface SenderParts {
  readonly host: Host;
  readonly clock: Clock;
  readonly barrier: (run: string) => Promise<void>;
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

export function createSender(parts: SenderParts): Sender {
  const { host, clock, session, run, unattended, tellNow, tell, failed } = parts;
  let asked: string | undefined;
  return { recheck, isRechecking: (boundary) => asked !== undefined && asked === boundary, send, deliver };

  function recheck(boundary: string): void {
    if (asked === boundary) return;
    asked = boundary;
    const isOurs = ofThisRun();
    void ask().then(async (answer) => {
      if (asked === boundary) asked = undefined;
      if (isOurs()) await tellOf({ boundary }, answer).catch((error: unknown) => failed(boundary, error));
    });
  }

  function send(nudge: Nudge, answer?: Answer): void {
    const outcome = ofRun();
    const failed = (message: string) => outcome({ type: "nudge.failed", nudge: nudge.id, message });
    leave(
      () => {
        const { id, status } = run().ledger.nudge ?? {};
        if (id !== nudge.id || status !== "intended") return answer?.(OVER); // it went out, or was taken back
        const why = run().ledger.interrupt ? "you interrupted" : whyKeptBack();
        if (why !== undefined) {
          unattended.insist(() => outcome({ type: "nudge.withdraw", nudge: nudge.id, why }));
          answer?.(OVER);
        } else if (answer) {
          // A process that lives for one event may die before its answer is out: the next event shows whether the agent got it.
          if (host.capabilities.resident)
            unattended.insist(() => outcome({ type: "nudge.delivered", nudge: nudge.id }));
          answer({ type: "nudge", nudge });
        } else
          unattended.attempt(
            () => host.nudge(session, nudge),
            () => outcome({ type: "nudge.delivered", nudge: nudge.id }),
            failed,
          );
      },
      failed,
      answer,
    );
  }

  function deliver(words: readonly QueuedWords[], isRechecked: boolean, answer?: Answer): void {
    const ids = words.map(({ id }) => id);
    const outcome = ofRun();
    const failed = (message: string) => outcome({ type: "words.failed", ids, message });
    const handOver = () =>
      unattended.attempt(
        () => host.deliver(session, words),
        () => outcome({ type: "words.delivered", ids }),
        failed,
      );
    const act = () => {
      const why = whyKeptBack();
      if (why === undefined) return answer ? answer({ type: "words", words }) : handOver();
      unattended.insist(() => failed(why));
      answer?.(OVER);
    };
    if (host.recheck && !isRechecked) recheckWords(ids, failed);
    else leave(act, failed, answer);
  }

  function recheckWords(ids: readonly string[], failed: (message: string) => void): void {
    const isOurs = ofThisRun();
    void ask().then(async (answer) => {
      if (isOurs())
        await tellOf({ words: ids }, answer).catch((error: unknown) =>
          unattended.insist(() => failed(messageOf(error))),
        );
    });
  }

  /** Nothing leaves before the log that led to it is safe; what happened meanwhile may keep it back. */
  function leave(act: () => void, failed: (message: string) => void, answer: Answer | undefined): void {
    const isOurs = ofThisRun();
    parts.barrier(run().id).then(
      () => (isOurs() ? act() : answer?.(OVER)),
      (error: unknown) => {
        unattended.insist(() => failed(messageOf(error)));
        answer?.(OVER);
      },
    );
  }

  /** Your word since it was decided. */
  function whyKeptBack(): string | undefined {
    const { held, off } = run().ledger;
    if (held) return "you put the run on hold";
    return off ? "you switched it off" : undefined;
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
const OVER: Settled = { type: "settled" };
const READY: Rechecked = { status: "ready", facts: [] };

const unknown = (message: string): Rechecked => ({ status: "unknown", message });

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
