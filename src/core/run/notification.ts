import type { Millis } from "./run.ts";

/** What you can be told of while you look away. */
export const NOTIFY_KINDS = {
  approval: "A call waits for your approval.",
  question: "The agent asked you a question.",
  release: "A todo waits for your release.",
  budget: "A budget is spent.",
  stopped: "A run stopped before it was done.",
  done: "A run finished.",
} as const satisfies Record<string, string>;
export type NotifyKind = keyof typeof NOTIFY_KINDS;

/** By what a notification leaves. */
export const CHANNELS = {
  command: "your command",
  ntfy: "ntfy",
  webhook: "your webhook",
  slack: "Slack",
  desktop: "the desktop",
} as const satisfies Record<string, string>;
export type Channel = keyof typeof CHANNELS;

/** One thing that you are told, by each channel once. */
export interface Notification {
  readonly id: string;
  readonly kind: NotifyKind;
  /** The reason of the stop, or the kind of the wait. */
  readonly reason: string;
  /** The call or the question that it is about. */
  readonly about?: string;
  /** Of the call as it was asked about: a button answers this and nothing else. */
  readonly digest?: string;
  readonly at: Millis;
  readonly deliveries: Readonly<Partial<Record<Channel, Delivery>>>;
  readonly buttons: readonly Button[];
}

export type Delivery =
  | { readonly status: "queued" }
  /** On its way since `try` began; without an outcome by `until` its process died. */
  | { readonly status: "sending"; readonly try: number; readonly until: Millis }
  | { readonly status: "retrying"; readonly try: number; readonly retryAt: Millis }
  | { readonly status: "delivered" | "failed" | "cut" | "skipped"; readonly try: number };

/** Answers one call, once, until `until`. Only the hash of its token is known here. */
export interface Button {
  readonly hash: string;
  readonly answer: ButtonAnswer;
  readonly until: Millis;
}
export type ButtonAnswer = "approve" | "deny";

/** Older ones are forgotten: their buttons answer nothing any more. */
const MOST_KEPT = 50;

export interface Notifications {
  readonly count: number;
  readonly recent: readonly Notification[];
}

export function withNotification(before: Notifications | undefined, added: Notification): Notifications {
  const { count, recent } = before ?? { count: 0, recent: [] };
  return { count: count + 1, recent: [...recent, added].slice(-MOST_KEPT) };
}

/** The notifications with one of them changed; as they are where it is not known any more. */
export function withChange(
  before: Notifications | undefined,
  id: string,
  change: (one: Notification) => Notification,
): Notifications | undefined {
  if (!before?.recent.some((one) => one.id === id)) return before;
  return { ...before, recent: before.recent.map((one) => (one.id === id ? change(one) : one)) };
}
