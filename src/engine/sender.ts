import type { Leaving, Nudge, Rechecked, Trigger } from "../core/react/index.ts";
import type { Run } from "../core/run/index.ts";
import type { LastAnswer, Settled } from "./held-boundary.ts";
import type { Clock, Host } from "./ports.ts";
import type { Unattended } from "./unattended.ts";

export interface SenderParts {
  readonly host: Host;
  readonly clock: Clock;
  /** Resolves when the log of a run is safe; absent: it always is. */
  readonly barrier?: (run: string) => Promise<void>;
  /** Takes in what other processes appended. */
  readonly look: () => void;
  readonly session: string;
  readonly run: () => Run;
  /** Why the run, as it stands now, would not send a nudge that was decided when it stood as given; undefined: it would. */
  readonly whyNotNow: (decided: Run) => string | undefined;
  /** Whether this process drives it: what one that was overtaken had to send, its successor sends. */
  readonly drives: () => boolean;
  readonly unattended: Unattended;
  /** At once. */
  readonly tellNow: (trigger: Trigger) => unknown;
  /** After what was told before it, and after a look at the files where it needs one. */
  readonly tell: (trigger: Trigger) => Promise<unknown>;
  /** Resolves when everything is told that came before; undefined: it is. */
  readonly idle: () => Promise<void> | undefined;
  /** What the host said could not be told. */
  readonly failed: (boundary: string, error: unknown) => void;
}

/**
 * Everything that leaves for the host, and what became of it is told to the run. `answer`: the host waits for it at its boundary.
 *
 *     due --a host that can be asked--> asked --the run decides--> leaving --the log is safe--> sent --> delivered | failed
 *                                                                     +-- your word or its work meanwhile --> withdrawn
 */
export function createSender({
  host,
  clock,
  barrier,
  look,
  session,
  run,
  whyNotNow,
  drives,
  unattended,
  tellNow,
  tell,
  idle,
  failed,
}: SenderParts) {
  /** Boundaries of another run of the session have the same names. */
  let asked: { readonly run: string; readonly boundary: string } | undefined;
  /** The last try to send each message: what an earlier one had to send was taken back meanwhile. */
  const tries = new Map<string, object>();
  return { recheck, isRechecking, send, deliver };

  function isRechecking(boundary?: string): boolean {
    return asked !== undefined && asked.boundary === boundary && asked.run === run().id;
  }

  /** A nudge is due at this boundary: asks the host, and the run decides with what it says. */
  function recheck(boundary: string): void {
    if (isRechecking(boundary)) return;
    const own = { run: run().id, boundary };
    asked = own;
    askBefore(
      { boundary },
      (error) => failed(boundary, error),
      () => {
        if (asked === own) asked = undefined;
      },
    );
  }

  function send(nudge: Nudge, answer?: LastAnswer): void {
    const { id } = nudge;
    const outcome = ofRun();
    const delivered = () => outcome({ type: "nudge.delivered", nudge: id });
    const notSent = (message: string) => outcome({ type: "nudge.failed", nudge: id, message });
    const notNow = (why: string) => outcome({ type: "nudge.withdraw", nudge: id, why });
    const decided = run();
    leave({ notSent, notNow }, answer, () => {
      const { nudge: now, boundary } = run().ledger;
      if (now?.id !== id || now.status !== "intended") return answer?.(OVER); // it went out, or was taken back
      // Your message ends the boundary at once; its turn is told a moment later, or to another process.
      const why = boundary?.id === nudge.boundary ? whyNotNow(decided) : "you sent a message";
      if (why !== undefined) {
        notNow(why);
        answer?.(OVER);
      } else if (answer) {
        if (!answer({ type: "nudge", nudge })) notNow(WAITS_NO_LONGER);
        // A process that lives for one event may die before its answer is out: the next event shows whether the agent got it.
        else if (host.capabilities.resident) delivered();
      } else handOver(() => host.nudge(session, nudge), delivered, notSent);
    });
  }

  function deliver(ids: readonly string[], isRechecked: boolean, answer?: LastAnswer): void {
    const words = run().ledger.words.filter(({ id }) => ids.includes(id));
    const outcome = ofRun();
    const delivered = () => outcome({ type: "words.delivered", ids });
    const notSent = (message: string) => outcome({ type: "words.failed", ids, message });
    const own = {};
    for (const id of ids) tries.set(id, own);
    if (host.recheck && !isRechecked) askBefore({ words: ids }, (error) => notSent(messageOf(error)));
    else
      leave({ notSent, notNow: notSent }, answer, () => {
        const { sending } = run().ledger;
        if (ids.some((id) => tries.get(id) !== own || !sending.includes(id))) return answer?.(OVER);
        for (const id of ids) tries.delete(id);
        const why = whyKeptBack();
        if (why !== undefined) {
          notSent(why);
          answer?.(OVER);
        } else if (answer) {
          if (!answer({ type: "words", words })) notSent(WAITS_NO_LONGER);
        } else handOver(() => host.deliver(session, words), delivered, notSent);
      });
  }

  /** Nothing leaves before the log that led to it is safe; what happened meanwhile may keep it back. */
  function leave({ notSent, notNow }: KeptBack, answer: LastAnswer | undefined, act: () => void): void {
    const isOurs = ofThisRun();
    whenSafe(answer === undefined).then(
      (stands) => {
        if (!isOurs() || !drives()) answer?.(OVER);
        else if (stands.status === "unknown") notSent(stands.message);
        else if (stands.status === "busy") notNow(BUSY_BY_NOW);
        else act();
      },
      (error: unknown) => {
        notSent(messageOf(error));
        answer?.(OVER);
      },
    );
  }

  /** How the session stands when the log is safe and read to its end: your hold may stand there by now, and the session may work. */
  async function whenSafe(mayAsk: boolean): Promise<Rechecked> {
    await barrier?.(run().id);
    const stands = barrier && host.recheck && mayAsk ? await ask() : READY;
    for (const fact of stands.status === "ready" ? stands.facts : []) await tell(fact);
    look();
    return stands;
  }

  /** Your word since they were sent. */
  function whyKeptBack(): string | undefined {
    const { ledger, status } = run();
    const { held, off } = ledger;
    if (status !== "live") return "the run is over";
    if (held) return "you put the run on hold";
    return off ? "you switched it off" : undefined;
  }

  /** Tells the run what the host says before something leaves. */
  function askBefore(before: Leaving, untold: (error: unknown) => void, heard?: () => void): void {
    const isOurs = ofThisRun();
    void askInTime().then(async (answer) => {
      heard?.();
      if (isOurs()) await tell({ type: "host.rechecked", before, ...answer }).catch(untold);
    });
  }

  /** What the host says while other things wait to be told is old when it is told: it is asked again after them. */
  async function askInTime(): Promise<Rechecked> {
    const answer = await ask();
    const before = idle();
    if (!before) return answer;
    await before;
    return askInTime();
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

  /** What became of something that left. It is told until it is in the log. */
  function ofRun(): (trigger: Trigger) => void {
    const isOurs = ofThisRun();
    return (trigger) => void unattended.insist(() => isOurs() && tellNow(trigger));
  }

  /** Another run may have begun in the session meanwhile, with names of its own that are the same. */
  function ofThisRun(): () => boolean {
    const { id } = run();
    return () => run().id === id;
  }
}

/** What is told of something that did not leave: it failed, or its time was over. */
interface KeptBack {
  readonly notSent: (message: string) => void;
  readonly notNow: (why: string) => void;
}

function handOver(act: () => Promise<void>, delivered: () => void, notSent: (message: string) => void): void {
  new Promise<void>((resolve) => resolve(act())).then(delivered, (error: unknown) => notSent(messageOf(error)));
}

const ANSWER_WITHIN_MS = 30_000;
const SILENT = "the host did not say how the session stands";
const BUSY_BY_NOW = "the session began to work while the log was made safe";
const WAITS_NO_LONGER = "the session continued before it could be answered";
const OVER: Settled = { type: "settled" };
const READY: Rechecked = { status: "ready", facts: [] };

const unknown = (message: string): Rechecked => ({ status: "unknown", message });

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
