import type { NotifySettings } from "../config/index.ts";
import type { Message } from "../core/notify/index.ts";
import type { Channel } from "../core/run/index.ts";
import { sendBy } from "./channels.ts";
import type { World } from "./world.ts";

/** What came back for a test message. */
export interface Tested {
  readonly channel: Channel;
  readonly ok: boolean;
  readonly says: string;
}

const MESSAGE: Message = {
  ...{ id: "test/n0", kind: "done", news: "done", reason: "test", run: "test", answers: [] },
  title: "tildone: test",
  text: "This is a test. tildone can reach you here.",
};

/** In milliseconds: the one who asks for a test waits for it. */
const PATIENCE_MS = 10_000;

/** Sends a test message by every channel that is set, once each. */
export const testChannels = (notify: NotifySettings, world: World, now: number): Promise<readonly Tested[]> =>
  Promise.all(
    notify.channels.map(async (channel) => {
      const sent = await sendBy(channel, { message: MESSAGE, notify, world, buttons: [], now, ms: PATIENCE_MS });
      return sent.status === "delivered"
        ? { channel, ok: true, says: sent.said }
        : { channel, ok: false, says: sent.why };
    }),
  );
