import type { QueuedWords } from "../core/run/index.ts";
import type { Host, Notice } from "../engine/index.ts";
import type { Dialect } from "./dialect.ts";
import { noticeText } from "./notice-text.ts";

/** A host that is spoken to by answering it: what is to be said is kept until the answer is written. */
export interface HookHost extends Host {
  /** Messages of the human that the answer is to hold, in their order. */
  readonly words: () => readonly QueuedWords[];
  /** What you are to read, in its order; without the verdict if you are the one who speaks. */
  readonly shown: (isToSpeaker: boolean) => string;
}

export function createHookHost({ host: name, capabilities }: Pick<Dialect, "host" | "capabilities">): HookHost {
  const words = new Map<string, QueuedWords>();
  const shown = new Map<string, Notice["type"]>();
  return {
    name,
    capabilities,
    words: () => [...words.values()],
    shown: (isToSpeaker) =>
      [...shown].flatMap(([text, type]) => (isToSpeaker && type === "stopped" ? [] : [text])).join("\n"),
    nudge: () => Promise.reject(new Error("a hook starts no turn; the next event of the session goes on")),
    // Whether they arrive is known only to the process that prints the answer, and it says so itself.
    deliver: (_session, queued) => {
      for (const one of queued) words.set(one.id, one);
      return NEVER;
    },
    show: (_session, notice) => {
      const text = noticeText(notice);
      if (text !== undefined) shown.set(text, notice.type);
    },
    endTurn: () => {},
  };
}

const NEVER = new Promise<void>(() => {});
