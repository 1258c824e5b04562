import type { Channel } from "../core/run/index.ts";
import { byNtfy } from "./ntfy.ts";
import { failed, notSet, type Parcel, type Sending } from "./parcel.ts";
import { bySlack } from "./slack.ts";
import { byWebhook } from "./webhook.ts";

export const sendBy = (channel: Channel, parcel: Parcel): Promise<Sending> => CHANNELS[channel](parcel);

const CHANNELS: Readonly<Record<Channel, (parcel: Parcel) => Promise<Sending>>> = {
  command: byCommand,
  ntfy: byNtfy,
  webhook: byWebhook,
  slack: bySlack,
  desktop: byDesktop,
};

/**
 * What the run is about reaches the command in variables, never in its words: no text of an agent is ever read by a shell. A line
 * break of a command is shown as `⏎`: a notifier that takes one line gets all of it.
 */
async function byCommand({ message, notify, world, ms }: Parcel): Promise<Sending> {
  const { command } = notify;
  if (command === undefined) return notSet("command");
  const words = typeof command === "string" ? ["/bin/sh", "-c", command] : command;
  const { kind, news, reason, run, text } = message;
  const ended = await world.start(
    words,
    {
      ...{ TILDONE_KIND: kind, TILDONE_NEWS: news, TILDONE_REASON: reason },
      ...{ TILDONE_RUN: run, TILDONE_TEXT: text.replaceAll("\n", "") },
    },
    ms,
  );
  if (ended.status === "running") return { status: "delivered", said: `it still runs after ${ms / 1000} s` };
  if (ended.status === "failed") return failed(`the command could not be started: ${ended.why}`, false);
  return ended.code === 0
    ? { status: "delivered", said: "exit 0" }
    : failed(`the command ended with exit ${ended.code}`, false);
}

/** A desktop reads the text as markup. */
const asText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

async function byDesktop({ message: { title, text }, world, ms }: Parcel): Promise<Sending> {
  const program = world.find("notify-send");
  const ended = program && (await world.start([program, "--app-name=tildone", "--", title, asText(text)], {}, ms));
  if (ended && ended.status === "exited" && ended.code === 0) return { status: "delivered", said: "notify-send" };
  if (world.alert(text)) return { status: "delivered", said: "the terminal of the run" };
  const why = program === undefined ? "notify-send is not installed" : "notify-send failed";
  return failed(`${why}, and the run has no terminal`, false);
}
