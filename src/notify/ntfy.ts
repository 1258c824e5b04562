import type { NotifyKind } from "../core/run/index.ts";
import { notSet, type Parcel, type Sending } from "./parcel.ts";
import { post } from "./post.ts";
import { BUTTON_PATH, type MadeButton } from "./tokens.ts";

/** Publishes to a topic of ntfy, with buttons where they may be given. */
export async function byNtfy({ message, notify, world, buttons, ms }: Parcel): Promise<Sending> {
  const { ntfy, address } = notify;
  if (!ntfy) return notSet("ntfy");
  const url = new URL(ntfy.url);
  const at = url.pathname.lastIndexOf("/");
  const topic = url.pathname.slice(at + 1);
  const server = `${url.origin}${url.pathname.slice(0, at + 1)}`;
  const open = address === undefined ? undefined : `${address}/runs/${encodeURIComponent(message.run)}`;
  return post(world, {
    url: server,
    headers: ntfy.token === undefined ? {} : { authorization: `Bearer ${ntfy.token}` },
    body: {
      ...{ topic, title: message.title, message: message.text, tags: [TAGS[message.kind]] },
      priority: message.news === "needs_you" ? 4 : 3,
      ...(open !== undefined && { click: open, actions: actionsOf(buttons, address!, open) }),
    },
    ms,
  });
}

/** The token goes in a header: an address is written to logs. */
const actionsOf = (buttons: readonly MadeButton[], address: string, open: string): readonly object[] => [
  ...buttons.map(({ token, button }) => ({
    action: "http",
    label: button.answer === "approve" ? "Approve" : "Deny",
    url: `${address}${BUTTON_PATH}`,
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: "{}",
    clear: true,
  })),
  { action: "view", label: "Open", url: open },
];

const TAGS: Readonly<Record<NotifyKind, string>> = {
  approval: "raised_hand",
  question: "question",
  release: "raised_hand",
  budget: "moneybag",
  stopped: "warning",
  done: "white_check_mark",
};
