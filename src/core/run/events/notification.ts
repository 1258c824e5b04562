import { clipLine } from "../../text/index.ts";
import {
  type Button,
  type ButtonAnswer,
  CHANNELS,
  type Channel,
  type Delivery,
  NOTIFY_KINDS,
  type NotifyKind,
  withChange,
  withNotification,
} from "../notification.ts";
import type { Ledger, Millis } from "../run.ts";
import { amount, list, maybe, number, object, oneOf, text } from "./form.ts";
import { TEXT } from "./line.ts";
import { ledgerOf, type Rows } from "./row.ts";

/** What you are told while you look away: queued with what it is about, then sent by each channel, at most once at a time. */
export type NotificationEvent =
  | {
      readonly type: "notification.queued";
      readonly id: string;
      readonly kind: NotifyKind;
      readonly reason: string;
      readonly about?: string;
      readonly digest?: string;
      readonly channels: readonly Channel[];
    }
  | {
      readonly type: "notification.sending";
      readonly id: string;
      readonly channel: Channel;
      readonly try: number;
      readonly until: Millis;
      readonly buttons: readonly Button[];
    }
  | {
      readonly type: "notification.delivered";
      readonly id: string;
      readonly channel: Channel;
      readonly try: number;
      readonly said: string;
    }
  /** `retryAt`: it is tried again then; absent: it is given up. */
  | {
      readonly type: "notification.failed";
      readonly id: string;
      readonly channel: Channel;
      readonly try: number;
      readonly why: string;
      readonly retryAt?: Millis;
    }
  | {
      readonly type: "notification.cut";
      readonly id: string;
      readonly channel: Channel;
      readonly try: number;
    }
  | {
      readonly type: "notification.skipped";
      readonly id: string;
      readonly channel: Channel;
      readonly why: string;
    }
  | { readonly type: "button.pressed"; readonly id: string; readonly answer: ButtonAnswer };

/** A name that a newer version may know more of. */
const name = text;
const button = object({ hash: text, answer: oneOf("approve", "deny"), until: number });

export function notificationEvents(): Rows<NotificationEvent> {
  return {
    "notification.queued": {
      v: 1,
      means: "Something happened that you want to hear of while you look away.",
      line: ({ kind, channels }) => `you are told: ${says(kind)} (${channels.map(nameOf).join(", ")})`,
      fields: { id: text, kind: name, reason: text, about: maybe(text), digest: maybe(text), channels: list(name) },
      fold: ledgerOf((ledger, { id, kind, reason, about, digest, channels }, { at }) => ({
        ...ledger,
        notifications: withNotification(ledger.notifications, {
          ...{ id, kind, reason, at, buttons: [] },
          ...(about !== undefined && { about }),
          ...(digest !== undefined && { digest }),
          deliveries: Object.fromEntries(channels.map((channel) => [channel, { status: "queued" }])),
        }),
      })),
    },
    "notification.sending": {
      v: 1,
      means: "A notification is about to leave.",
      line: ({ channel, try: number }) => `notifying by ${nameOf(channel)}${number > 1 ? `, try ${number}` : ""}`,
      fields: { id: text, channel: name, try: amount, until: number, buttons: list(button) },
      fold: ledgerOf((ledger, { id, channel, try: number, until, buttons }) => {
        const sending = moved(ledger, id, channel, { status: "sending", try: number, until });
        const notifications = withChange(sending.notifications, id, (one) => ({
          ...one,
          buttons: [...one.buttons, ...buttons],
        }));
        return notifications === undefined ? ledger : { ...ledger, notifications };
      }),
    },
    "notification.delivered": {
      v: 1,
      means: "A notification was delivered.",
      line: ({ channel, said }) => `notified by ${nameOf(channel)}: ${clipLine(said, TEXT)}`,
      fields: { id: text, channel: name, try: amount, said: text },
      fold: ledgerOf((ledger, { id, channel, try: number }) =>
        moved(ledger, id, channel, { status: "delivered", try: number }),
      ),
    },
    "notification.failed": {
      v: 1,
      means: "A notification could not be delivered; it is tried again a few times.",
      line: ({ channel, why, retryAt }) =>
        `notification by ${nameOf(channel)} failed: ${clipLine(why, TEXT)}${retryAt === undefined ? "; given up" : "; trying again"}`,
      fields: { id: text, channel: name, try: amount, why: text, retryAt: maybe(number) },
      fold: ledgerOf((ledger, { id, channel, try: number, retryAt }) =>
        moved(
          ledger,
          id,
          channel,
          retryAt === undefined ? { status: "failed", try: number } : { status: "retrying", try: number, retryAt },
        ),
      ),
    },
    "notification.cut": {
      v: 1,
      means: "The process died while it sent a notification. It may have arrived; it is not sent again.",
      line: ({ channel }) => `notification by ${nameOf(channel)} was cut off; it may have arrived`,
      fields: { id: text, channel: name, try: amount },
      fold: ledgerOf((ledger, { id, channel, try: number }) =>
        moved(ledger, id, channel, { status: "cut", try: number }),
      ),
    },
    "notification.skipped": {
      v: 1,
      means: "A notification was not sent, because it was no news any more.",
      line: ({ channel, why }) => `no notification by ${nameOf(channel)}: ${clipLine(why, TEXT)}`,
      fields: { id: text, channel: name, why: text },
      fold: ledgerOf((ledger, { id, channel }) => moved(ledger, id, channel, { status: "skipped", try: 0 })),
    },
    "button.pressed": {
      v: 1,
      means: "You answered a call with a button of a notification. Its other buttons answer nothing any more.",
      line: ({ answer }) => `you pressed ${answer === "approve" ? "Approve" : "Deny"} in a notification`,
      fields: { id: text, answer: oneOf("approve", "deny") },
      fold: ledgerOf((ledger, { id }) => {
        const notifications = withChange(ledger.notifications, id, (one) => ({ ...one, buttons: [] }));
        return notifications === undefined ? ledger : { ...ledger, notifications };
      }),
    },
  };
}

function moved(ledger: Ledger, id: string, channel: Channel, delivery: Delivery): Ledger {
  const notifications = withChange(ledger.notifications, id, (one) => ({
    ...one,
    deliveries: { ...one.deliveries, [channel]: delivery },
  }));
  return notifications === undefined ? ledger : { ...ledger, notifications };
}

const nameOf = (channel: string): string => (Object.hasOwn(CHANNELS, channel) ? CHANNELS[channel as Channel] : channel);
const says = (kind: string): string =>
  Object.hasOwn(NOTIFY_KINDS, kind) ? NOTIFY_KINDS[kind as NotifyKind] : `${kind}.`;
