import { createHash } from "node:crypto";
import type { NotifySettings } from "../config/index.ts";
import type { Message } from "../core/notify/index.ts";
import type { Button, Channel } from "../core/run/index.ts";
import type { World } from "./world.ts";

/** Where `tildone serve` takes the buttons of notifications. */
export const BUTTON_PATH = "/notify/answer";

/** A button as it is sent, and as the log knows it. */
export interface MadeButton {
  readonly token: string;
  readonly button: Button;
}

/** A phone that was away all day answers nothing: also a call that waits longer. */
const LONGEST_MS = 60 * 60_000;
const BYTES = 32;

interface Asked {
  readonly run: string;
  readonly message: Message;
  /** When the call stops waiting. */
  /** When silence counts as "no"; undefined: never. */
  readonly endsAt: number | undefined;
  readonly channel: Channel;
  readonly notify: NotifySettings;
  readonly now: number;
}

/**
 * Buttons for the answers that a message may carry, new ones at every try. None without an address that a phone reaches over TLS, and
 * none where the message itself could be read on its way.
 */
export function makeButtons(
  world: Pick<World, "random">,
  { run, message, endsAt, channel, notify, now }: Asked,
): readonly MadeButton[] {
  if (channel !== "ntfy" || notify.address === undefined || !isPrivate(notify.ntfy?.url)) return [];
  return message.answers.map((answer) => {
    const token = `${run}.${Buffer.from(world.random(BYTES)).toString("base64url")}`;
    return { token, button: { hash: hashOf(token), answer, until: Math.min(endsAt ?? Infinity, now + LONGEST_MS) } };
  });
}

/** All that is kept of a token. */
export const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** The run that a token is for, and nothing that could be a path or a query. */
export const runOf = (token: string): string | undefined => /^([\w-]{1,80})\.[\w-]{43}$/.exec(token)?.[1];

const isPrivate = (url: string | undefined): boolean =>
  url !== undefined && (url.startsWith("https://") || /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)[:/]/.test(url));
