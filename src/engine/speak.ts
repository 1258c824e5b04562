import { DEFAULTS } from "../core/continuation/index.ts";
import type { Reply, Trigger } from "../core/react/index.ts";
import type { Run } from "../core/run/index.ts";
import type { Spoken } from "../core/speaker/index.ts";
import { openRun } from "./open-run.ts";
import type { Log } from "./ports.ts";
import { record } from "./recorder.ts";

/** The agent has these messages: told by the process that handed them over, which may not be the one that decided it. */
export function tellDelivered(log: Log, id: string, ids: readonly string[], now: number): void {
  const context = {
    now,
    limits: DEFAULTS,
    role: "driver",
    mayNudge: false,
    mayCheck: false,
    delivery: "not now",
  } as const;
  const known = openRun(log, id);
  const others = known.run.ledger.sending.filter((each) => !ids.includes(each));
  const message = "there was no room for it in the answer";
  const { known: after } = record(log, id, known, { type: "words.failed", ids: others, message }, context);
  record(log, id, after, { type: "words.delivered", ids }, context);
}

/** The process that should have decided could not even begin, so none decides: written down once in a row, and nothing follows. */
export function tellFailed(log: Log, id: string, { where, message }: Failed, now: number): void {
  const limits = { ...DEFAULTS, enabled: false };
  const context = { now, limits, role: "driver", mayNudge: false, mayCheck: false, delivery: "not now" } as const;
  const trigger = { type: "host.failed", where, message } as const;
  const known = openRun(log, id);
  const last = log.read(id, known.seq - 1).events.at(-1)?.event;
  if (JSON.stringify(last) !== JSON.stringify(trigger)) record(log, id, known, trigger, context);
}

interface Failed {
  readonly where: string;
  readonly message: string;
}

/** The agent was refused what only you may say: written down, and nothing follows from it. */
export function tellRefused(
  log: Log,
  id: string,
  attempt: Omit<Trigger & { type: "attempt.refused" }, "type">,
  now: number,
  from?: Spoken,
): void {
  speak(log, id, { type: "attempt.refused", ...attempt }, now, from);
}

/** Words of the user from any process: recorded at once, acted on by the process that drives the run. */
export function speak(
  log: Log,
  id: string,
  trigger: Trigger,
  now: number,
  from?: Spoken,
): { readonly reply: Reply; readonly run: Run } {
  const context = { now, limits: DEFAULTS, role: "bystander", ...(from && { speaker: () => from }) } as const;
  const { known, reaction } = record(log, id, openRun(log, id), trigger, context);
  return { reply: reaction?.reply ?? { type: "ignored", why: "no_run" }, run: known.run };
}
