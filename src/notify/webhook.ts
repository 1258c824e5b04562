import { createHmac } from "node:crypto";
import { notSet, type Parcel, type Sending } from "./parcel.ts";
import { post } from "./post.ts";

/** JSON to an address of yours, signed as "Standard Webhooks" says, so that libraries can check it. */
export async function byWebhook({ message, notify, world, now, ms }: Parcel): Promise<Sending> {
  const { webhook } = notify;
  if (!webhook) return notSet("webhook");
  const { answers: _, ...said } = message;
  const body = JSON.stringify({ type: `run.${message.kind}`, timestamp: new Date(now).toISOString(), data: said });
  const seconds = String(Math.floor(now / 1000));
  const headers = { "webhook-id": message.id, "webhook-timestamp": seconds };
  const signature = webhook.secret === undefined ? undefined : signed(webhook.secret, message.id, seconds, body);
  return post(world, {
    url: webhook.url,
    headers: { ...headers, ...(signature !== undefined && { "webhook-signature": signature }) },
    body,
    ms,
  });
}

/** A secret that begins with `whsec_` is base64, as others give them out; any other one is taken as it is. */
function signed(secret: string, id: string, seconds: string, body: string): string {
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret);
  return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
}
