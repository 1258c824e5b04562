import type { Host, Notice } from "../engine/index.ts";
import type { Dialect } from "./dialect.ts";
import { noticeText } from "./notice-text.ts";

/** A host that is spoken to by answering it: what you are to read is kept until the answer is written. */
export interface HookHost extends Host {
  /** What you are to read, in its order; without the verdict if you are the one who speaks. */
  readonly shown: (isToSpeaker: boolean) => string;
}

export function createHookHost({ host: name, capabilities }: Pick<Dialect, "host" | "capabilities">): HookHost {
  const shown = new Map<string, Notice["type"]>();
  return {
    name,
    capabilities,
    shown: (isToSpeaker) =>
      [...shown].flatMap(([text, type]) => (isToSpeaker && type === "stopped" ? [] : [text])).join("\n"),
    nudge: () => Promise.reject(new Error("a hook cannot start a turn; the next event of the session continues")),
    deliver: () =>
      Promise.reject(new Error("a hook delivers messages only in its answer; yours waits for the next one")),
    show: (_session, notice) => {
      const text = noticeText(notice);
      if (text !== undefined) shown.set(text, notice.type);
    },
    endTurn: () => {},
  };
}
