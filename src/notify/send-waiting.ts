import type { NotifySettings } from "../config/index.ts";
import { DEFAULTS } from "../core/continuation/index.ts";
import { type DueDelivery, dueDeliveries, messageOf, retryAt } from "../core/notify/index.ts";
import type { Reply, Trigger } from "../core/react/index.ts";
import type { Run } from "../core/run/index.ts";
import { type Clock, type Known, type Log, openRun, record } from "../engine/index.ts";
import { sendBy } from "./channels.ts";
import type { Sending } from "./parcel.ts";
import { makeButtons } from "./tokens.ts";
import type { World } from "./world.ts";

export interface SenderPorts {
  readonly log: Log;
  readonly run: string;
  readonly notify: NotifySettings;
  readonly clock: Clock;
  readonly world: World;
}

/** A channel that did not answer by then has failed; a process that did not say so by then has died. */
export const PATIENCE_MS = 10_000;
const GRACE_MS = 5_000;

/**
 * Sends everything that waits in the log of a run, each channel for itself, and tries again what failed; resolves when nothing is left.
 * That it leaves is written down before it does, and only one process may write that: nothing is sent twice at a time.
 */
export async function sendWaiting(ports: SenderPorts): Promise<void> {
  const { log, run: id, clock } = ports;
  const begun = new Map<string, Promise<void>>();
  for (;;) {
    const { run } = openRun(log, id);
    const due = dueDeliveries(run).filter((one) => !begun.has(nameOf(one)));
    for (const one of due.filter(({ at }) => at <= clock.now())) {
      const over = sendOne(ports, one).finally(() => begun.delete(nameOf(one)));
      begun.set(nameOf(one), over);
    }
    const later = due.filter(({ at }) => at > clock.now())[0];
    if (begun.size === 0 && later === undefined) return;
    await Promise.race([...begun.values(), ...(later ? [until(clock, later.at)] : [])]);
  }
}

const nameOf = ({ id, channel }: DueDelivery): string => `${id} ${channel}`;

const until = (clock: Clock, at: number): Promise<void> =>
  new Promise((done) => void clock.setTimer(Math.max(at, clock.now() + 1), done));

async function sendOne({ log, run: name, notify, clock, world }: SenderPorts, { id, channel }: DueDelivery) {
  const { run } = openRun(log, name);
  const notification = run.ledger.notifications?.recent.find((one) => one.id === id);
  if (!notification) return;
  const message = messageOf(run, notification, notify.commands);
  const asked = run.ledger.approvals.find(({ call }) => call === notification.about);
  const now = clock.now();
  const made = asked ? makeButtons(world, { run: name, message, endsAt: asked.endsAt, channel, notify, now }) : [];
  const reply = tell(log, name, clock, {
    ...{ type: "notification.send", id, channel, until: clock.now() + PATIENCE_MS + GRACE_MS },
    buttons: made.map(({ button }) => button),
  });
  if (reply.type !== "done") return;
  const tries = Number(reply.details?.try);
  const outcome = await sendBy(channel, { message, notify, world, buttons: made, now: clock.now(), ms: PATIENCE_MS });
  const again = outcome.status === "failed" && outcome.mayRetry ? retryAt(tries, clock.now()) : undefined;
  tell(log, name, clock, {
    ...{ type: "notification.sent", id, channel, try: tries },
    outcome: told(outcome, again),
  });
}

function told(outcome: Sending, again: number | undefined): (Trigger & { type: "notification.sent" })["outcome"] {
  if (outcome.status === "delivered") return outcome;
  return { status: "failed", why: outcome.why, ...(again !== undefined && { retryAt: again }) };
}

function tell(log: Log, name: string, clock: Clock, trigger: Trigger): Reply {
  const known: Known & { readonly run: Run } = openRun(log, name);
  const { reaction } = record(log, name, known, trigger, { now: clock.now(), limits: DEFAULTS, role: "bystander" });
  return reaction?.reply ?? { type: "ignored", why: "no_run" };
}
