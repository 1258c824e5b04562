import { notSet, type Parcel, type Sending } from "./parcel.ts";
import { post } from "./post.ts";

/** An incoming webhook of Slack, or of what takes the same. */
export async function bySlack({ message, notify, world, ms }: Parcel): Promise<Sending> {
  if (!notify.slack) return notSet("slack");
  const { title, text } = message;
  return post(world, { url: notify.slack.url, headers: {}, body: { text: `*${plain(title)}*\n${plain(text)}` }, ms });
}

/** Nothing of an agent is a link, a mention or a format. */
const plain = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[*_~`]/g, (sign) => `\u200b${sign}`);
