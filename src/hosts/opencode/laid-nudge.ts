import { type Client, dataOf, type TextPart } from "./payload.ts";
import type { Voice } from "./voice.ts";

/** A nudge that lies in the loop of a session: OpenCode takes it up with its next request, unless it is taken back before. */
export function createLaidNudge(client: Client, session: string) {
  let laid: { readonly message: string; readonly part: string } | undefined;

  return {
    lies: (): boolean => laid !== undefined,
    async lay(voice: Voice, part: TextPart): Promise<void> {
      const body = { ...voice, noReply: true, parts: [part] };
      const { info, parts } = await dataOf(client.session.prompt({ path: { id: session }, body }));
      laid = { message: info.id, part: parts[0]?.id ?? "" };
    },
    /** Only the part goes: a message cannot be deleted while the session runs, and an empty one is not sent to the model. */
    async takeBack(): Promise<void> {
      if (!laid) return;
      const { message, part } = laid;
      laid = undefined;
      const url = "/session/{id}/message/{message}/part/{part}";
      await client._client.delete({ url, path: { id: session, message, part } });
    },
    /** It is taken up, or the turn is over: the id of its message, if one lay there. */
    stands(): string | undefined {
      const message = laid?.message;
      laid = undefined;
      return message;
    },
  };
}
