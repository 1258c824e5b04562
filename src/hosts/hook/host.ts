import type { QueuedWords } from "../../core/run/index.ts";
import type { Host } from "../../engine/index.ts";
import { CAPABILITIES } from "./capabilities.ts";
import type { HostName } from "./dialect.ts";

/** A host that is spoken to by answering it: what is to be said is kept until the answer is written. */
export interface HookHost extends Host {
  /** Words of the human that go out with the answer. */
  readonly words: readonly QueuedWords[];
}

export function createHookHost(name: HostName): HookHost {
  const words: QueuedWords[] = [];
  return {
    name,
    capabilities: CAPABILITIES[name],
    words,
    nudge: () => Promise.reject(new Error("a hook starts no turn; the next event of the session goes on")),
    deliver: async (_session, queued) => void words.push(...queued),
    show: () => {}, // what the human must know stands in `tildone status`
    endTurn: () => {},
  };
}
