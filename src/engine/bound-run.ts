import { UNBORN } from "../core/run/index.ts";
import type { Host, Store } from "./ports.ts";
import { KEEP_EVERY, KEEP_OFTEN, type Known, openRun } from "./recorder.ts";

/** The run that is bound to one session of a host. A run attached elsewhere has left this session. */
export interface BoundRun {
  readonly load: () => Known;
  readonly is: (run: string) => boolean;
  readonly isLive: () => boolean;
}

export function createBoundRun(
  store: Store,
  { name: host, capabilities }: Pick<Host, "name" | "capabilities">,
  session: string,
  keepEvery = capabilities.resident ? KEEP_EVERY : KEEP_OFTEN,
): BoundRun {
  return {
    load: () => {
      const card = find();
      return card ? openRun(store.log, card.run, keepEvery) : { run: UNBORN, seq: 0 };
    },
    is: (run) => find()?.run === run,
    isLive: () => find()?.live === true,
  };

  function find() {
    const card = store.runs.find(host, session);
    return card?.host === host && card.session === session ? card : undefined;
  }
}
