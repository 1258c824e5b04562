import { type Client, dataOf, type Fields, fieldsOf, type TextPart, textAt } from "./payload.ts";
import { MARK } from "./translate.ts";

/** The prompt that a command of ours leaves in OpenCode's hands, though the model must not be asked. */
export const unaskedPart = (text: string): TextPart => ({
  type: "text",
  text,
  metadata: { [MARK]: { unasked: true } },
});
export const isUnasked = (parts: readonly unknown[]): boolean =>
  parts.some((part) => fieldsOf(fieldsOf(fieldsOf(part).metadata)[MARK]).unasked === true);

/** Whether OpenCode works on the session: a log may say so of a turn whose process is gone. */
export const isAtWork = (client: Client, session: string): Promise<boolean> =>
  worksOn(client, session).catch(() => true);

const worksOn = async (client: Client, session: string): Promise<boolean> =>
  session in (await dataOf(client.session.status(undefined)));

const UNFINISHED = ["tool-calls", "unknown"];

/**
 * The newest prompt of the session, if it has its answer or is at work: OpenCode's loop ends at once where nothing newer is there to be
 * answered. After an abort or an error, and in an empty session, it would ask the model.
 */
export const answeredPrompt = (client: Client, session: string): Promise<Fields | undefined> =>
  read(client, session).catch(() => undefined); // what is not known is not relied on

async function read(client: Client, session: string): Promise<Fields | undefined> {
  const isBusy = await worksOn(client, session); // first: what ends meanwhile is answered then
  const [last] = await dataOf(client.session.messages({ path: { id: session }, query: { limit: 1 } }));
  const info = fieldsOf(last?.info);
  const messageID = textAt(info, "parentID");
  const finish = textAt(info, "finish");
  const isAnswered = finish !== undefined && !UNFINISHED.includes(finish) && !last?.parts.some(isCall);
  if (messageID === undefined || !(isAnswered || isBusy)) return undefined;
  return (await dataOf(client.session.message({ path: { id: session, messageID } }))).info;
}

const isCall = (part: unknown): boolean => fieldsOf(part).type === "tool";

/** OpenCode stores what stands here: that prompt once more, as it is, instead of another one. */
export function become(prompt: Fields, message: Record<string, unknown>, parts: unknown[]): void {
  for (const name of Object.keys(message)) delete message[name];
  Object.assign(message, prompt);
  parts.splice(0);
}
