import type { LastChoice } from "./last-choice.ts";
import { type Client, dataOf, type TextPart } from "./payload.ts";

/** A nudge that lies in the loop of a session: OpenCode takes it up with its next request, unless it is taken back before. */
export function createNudgeInLoop(client: Client, session: string) {
  let put: { readonly message: string; readonly part: string } | undefined;

  return {
    isThere: (): boolean => put !== undefined,
    async add(choice: LastChoice, part: TextPart): Promise<void> {
      const body = { ...choice, noReply: true, parts: [part] };
      const { info, parts } = await dataOf(client.session.prompt({ path: { id: session }, body }));
      put = { message: info.id, part: parts[0]?.id ?? "" };
    },
    /** Only the part goes: a message cannot be deleted while the session runs, and an empty one is not sent to the model. */
    async takeBack(): Promise<void> {
      if (!put) return;
      const { message, part } = put;
      put = undefined;
      const url = "/session/{id}/message/{message}/part/{part}";
      await client._client.delete({ url, path: { id: session, message, part } });
    },
    /** It is taken up, or the turn is over: the id of its message, if one lay there. */
    stands(): string | undefined {
      const message = put?.message;
      put = undefined;
      return message;
    },
  };
}
