import { dueDeliveries, newsIn, retryAt, staleBecause } from "../notify/index.ts";
import type { Notification, Run } from "../run/index.ts";
import type { Draft } from "./draft.ts";
import { recordAnswer } from "./handle-calls.ts";
import { done, duplicate, nothing, type Reply } from "./reaction.ts";
import type { Trigger } from "./trigger.ts";
import type { TriggerIn } from "./trigger-table.ts";

/**
 * What just happened and you want to hear of is queued with it, in one transaction: if a process dies afterwards, the log says what is
 * still to be sent. A process that takes a run over has what is left over sent.
 */
export function queueNotifications(draft: Draft): void {
  const { notify } = draft.context;
  if (!notify || notify.channels.length === 0) return;
  const news = newsIn(draft.run, draft.events).filter(
    ({ kind, reason }) => notify.kinds.includes(kind) && !(reason === "done_accepted" && isAccepting(draft)),
  );
  for (const { kind, reason, about, digest } of news)
    draft.add("engine", {
      type: "notification.queued",
      id: `n${(draft.run.ledger.notifications?.count ?? 0) + 1}`,
      ...{ kind, reason, channels: notify.channels },
      ...(about !== undefined && { about }),
      ...(digest !== undefined && { digest }),
    });
  const isTakenOver = draft.events.some(({ event }) => event.type === "run.claimed");
  if (news.length > 0 || (isTakenOver && dueDeliveries(draft.run).length > 0))
    draft.perform({ type: "notifications.send" });
}

/** You accept it right now, here or in another process: that it is done is no news to you. */
const isAccepting = ({ events, context }: Draft): boolean =>
  [...(context.foreign ?? []), ...events].some(({ event }) => event.type === "human.accepted");

export function handleNotification(draft: Draft, trigger: TriggerIn<"notification">): Reply {
  if (trigger.type === "human.press") return press(draft, trigger);
  const found = find(draft.run, trigger.id);
  if (!found) return nothing;
  return trigger.type === "notification.send" ? send(draft, found, trigger) : sent(draft, found, trigger);
}

/** May it leave now? Of several processes that ask, one may. */
function send(
  draft: Draft,
  found: Notification,
  { id, channel, until, buttons }: Trigger & { type: "notification.send" },
): Reply {
  const { now } = draft.context;
  const delivery = found.deliveries[channel];
  const isCut = delivery?.status === "sending" && delivery.until <= now;
  if (isCut) draft.add("engine", { type: "notification.cut", id, channel, try: delivery.try });
  // One that was cut off may have arrived: twice is better than never, and its id is the same.
  const isAgain = isCut && retryAt(delivery.try, now) !== undefined;
  const isDue = delivery?.status === "queued" || (delivery?.status === "retrying" && delivery.retryAt <= now);
  if (!isDue && !isAgain) return duplicate;
  const stale = staleBecause(draft.run, found);
  if (stale !== undefined) {
    draft.add("engine", { type: "notification.skipped", id, channel, why: stale });
    return nothing;
  }
  const tried = delivery.status === "queued" ? 0 : delivery.try;
  draft.add("engine", { type: "notification.sending", id, channel, try: tried + 1, until, buttons });
  return { ...done(""), details: { try: tried + 1 } };
}

/** A process that was slow, not dead, may still say what became of it. */
function sent(
  draft: Draft,
  found: Notification,
  { id, channel, try: number, outcome }: Trigger & { type: "notification.sent" },
): Reply {
  const delivery = found.deliveries[channel];
  const isOpen = delivery?.status === "sending" || delivery?.status === "cut";
  if (!isOpen || delivery.try !== number) return duplicate;
  if (outcome.status === "delivered")
    draft.add("engine", { type: "notification.delivered", id, channel, try: number, said: outcome.said });
  else {
    const { why, retryAt } = outcome;
    const again = delivery.status === "sending" && retryAt !== undefined;
    draft.add("engine", { type: "notification.failed", id, channel, try: number, why, ...(again && { retryAt }) });
  }
  return done("");
}

/** A button answers the call it was made for, as it was asked about, once. It never grants more than this call. */
function press(draft: Draft, { hash }: Trigger & { type: "human.press" }): Reply {
  const { run, context } = draft;
  const found = run.ledger.notifications?.recent.find(({ buttons }) => buttons.some((one) => one.hash === hash));
  const button = found?.buttons.find((one) => one.hash === hash);
  if (!found || !button) return refused("button_used", "This button was used before, or is not known.");
  if (button.until <= context.now) return refused("button_expired", "This button has expired.");
  const asked = run.ledger.approvals.find(({ call, digest }) => call === found.about && digest === found.digest);
  if (!asked) return refused("approval_gone", "The call does not wait for an answer any more.");
  draft.add("human", { type: "button.pressed", id: found.id, answer: button.answer });
  recordAnswer(draft, {
    type: "approval.answered",
    call: asked.call,
    outcome: button.answer === "approve" ? "once" : "denied",
    words: "",
    ...(asked.digest !== undefined && { digest: asked.digest }),
  });
  return { ...done(button.answer), details: { approval: asked } };
}

const find = ({ ledger }: Run, id: string): Notification | undefined =>
  ledger.notifications?.recent.find((one) => one.id === id);

const refused = (code: string, message: string): Reply => ({ type: "refused", refusal: { code, message } });
