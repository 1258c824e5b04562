import type { Trigger } from "../core/react/index.ts";
import { asksForCheckpoint, type CheckpointMoment, type Envelope, isDue, type Run } from "../core/run/index.ts";
import type { EnginePorts } from "./engine.ts";

export interface CheckpointingParts {
  readonly ports: Pick<EnginePorts, "checkpoints" | "clock" | "cwd" | "host">;
  readonly run: () => Run;
  /** No other process has taken the run over: one process takes its checkpoints. */
  readonly drives: () => boolean;
  /** An error of it is shown and ends here. */
  readonly tell: (trigger: Trigger) => void;
}

/** Longer than this no agent waits; the checkpoint is finished beside its work. */
const LONGEST_WAIT_MS = 20_000;
/** A call does not run if what it does cannot be written down within five seconds. */
export const CALL_WAITS_MS = 3_000;
const TOO_SLOW = "recording the files takes longer than a hook may wait";

/**
 * Takes the checkpoints of a run: what is due by its log, and at both ends of a turn, so that what you change between turns is known to
 * be yours. One at a time; it is in the log when it is kept.
 */
export function createCheckpointing({ ports, run, drives, tell }: CheckpointingParts) {
  const { checkpoints, clock, cwd } = ports;
  const longest = checkpoints?.briefMs ?? LONGEST_WAIT_MS;
  let last: Promise<void> | undefined;
  /** It was waited for as long as this process may wait. */
  let isTooSlow = false;
  return { due, ofTurn, taken, isTaking: () => last !== undefined };

  /**
   * What the log asks for is begun; a caller that has to wait for it waits for `taken`. A process that lives for one event takes only
   * what that event asks for: most of them answer before git could start. Without news nothing is: a checkpoint that the run would not
   * have is not taken again and again.
   */
  function due(events: readonly Envelope[]): void {
    if (events.length === 0) return;
    const isMine = ports.host.capabilities.resident || events.some(asksForCheckpoint);
    if (isMine && isDue(run().ledger.checkpoints.due)) begin(() => dueMoment(run()));
  }

  /** The turn of a run that has work begins or ends. */
  function ofTurn(moment: "turn_began" | "turn_ended"): void {
    const { plan, ledger, status } = run();
    if (status === "live" && (plan.todos.length > 0 || plan.workflow) && ledger.checkpoints.taken > 0)
      begin(() => ({ moment, ids: [] }));
  }

  /** Resolves when nothing is being taken any more, or after a while. */
  async function taken(longestMs = longest): Promise<void> {
    if (!last || isTooSlow) return;
    const late = Promise.withResolvers<"late">();
    const timer = clock.setTimer(clock.now() + longestMs, () => late.resolve("late"));
    const ended = await Promise.race([last, late.promise]);
    timer.cancel();
    if (ended !== "late" || checkpoints?.briefMs === undefined) return;
    isTooSlow = true;
    tell({ type: "checkpoints.unavailable", why: TOO_SLOW, lasting: false });
  }

  /** One that was never finished would be begun by each of these processes, and finished by none. */
  function isHopeless(): boolean {
    const { taken: count, failed } = run().ledger.checkpoints;
    return checkpoints?.briefMs !== undefined && count === 0 && failed === TOO_SLOW;
  }

  function begin(momentNow: () => Moment | undefined): void {
    if (!checkpoints || isHopeless()) return;
    const next = (last ?? Promise.resolve()).then(async () => {
      const moment = drives() && run().ledger.checkpoints.off === undefined ? momentNow() : undefined;
      if (moment) await take(checkpoints, moment);
    });
    const over = next
      .catch(() => {})
      .then(() => {
        if (last === over) last = undefined;
      });
    last = over;
  }

  async function take(port: NonNullable<typeof checkpoints>, { moment, ids }: Moment): Promise<void> {
    const { id: of, ledger } = run();
    const { taken: count, last: before } = ledger.checkpoints;
    const request = { cwd, run: of, id: `c${count + 1}`, ...(before && { after: before.tree }) };
    const result = await port.take(request).catch((error: unknown) => ({
      status: "none" as const,
      why: error instanceof Error ? error.message : String(error),
      lasting: false,
    }));
    if (run().id !== of) return;
    if (result.status === "none")
      tell({ type: "checkpoints.unavailable", why: result.why.slice(0, 500), lasting: result.lasting });
    // Nothing changed since the turn before: the same checkpoint stands for both.
    else if (moment !== "turn_began" || result.checkpoint.tree !== before?.tree)
      tell({ type: "checkpoint.taken", moment, ids, checkpoint: result.checkpoint });
  }
}

interface Moment {
  readonly moment: CheckpointMoment;
  readonly ids: readonly string[];
}

/** Undefined: one that was taken meanwhile served it, too. */
function dueMoment({ ledger }: Run): Moment | undefined {
  const { due } = ledger.checkpoints;
  if (!isDue(due)) return undefined;
  const ids = [...new Set([...due.ended, ...due.started])];
  if (ids.length > 0) return { moment: due.ended.length > 0 ? "end" : "start", ids };
  return { moment: due.list ? "list" : due.phase ? "phase" : "call", ids };
}

export type Checkpointing = ReturnType<typeof createCheckpointing>;
