import type { QueuedWords } from "../../core/run/index.ts";
import type { Host } from "../../engine/index.ts";
import { CAPABILITIES } from "./capabilities.ts";
import type { HostName } from "./dialect.ts";

/** A host that is spoken to by answering it: what is to be said is kept until the answer is written. */
export interface HookHost extends Host {
  /** Messages of the human that the answer is to hold, in their order. */
  readonly words: () => readonly QueuedWords[];
}

export function createHookHost(name: HostName): HookHost {
  const words = new Map<string, QueuedWords>();
  return {
    name,
    capabilities: CAPABILITIES[name],
    words: () => [...words.values()],
    nudge: () => Promise.reject(new Error("a hook starts no turn; the next event of the session goes on")),
    // Whether they arrive is known only to the process that prints the answer, and it says so itself.
    deliver: (_session, queued) => {
      for (const one of queued) words.set(one.id, one);
      return NEVER;
    },
    show: () => {}, // what the human must know stands in `tildone status`
    endTurn: () => {},
  };
}

const NEVER = new Promise<void>(() => {});
