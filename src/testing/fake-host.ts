import type { Nudge } from "../core/react/index.ts";
import type { QueuedWords } from "../core/run/index.ts";
import type { Capabilities, Host, Notice, TurnEnd } from "../engine/index.ts";

/**
 * A host that takes everything and remembers it; `refuses` lets the next nudge or delivery fail with these words, and `stands` makes it
 * one that is asked before anything leaves.
 */
export interface FakeHost extends Host {
  readonly nudges: Nudge[];
  readonly delivered: QueuedWords[];
  readonly notices: Notice[];
  readonly ends: TurnEnd[];
  refuses: string | undefined;
}

type Stands = NonNullable<Host["recheck"]>;

/** A host that keeps what it was told. */
export function createFakeHost(capabilities: Capabilities, name = "fake", stands?: Stands): FakeHost {
  const take = async (accept: () => void): Promise<void> => {
    const { refuses } = host;
    host.refuses = undefined;
    if (refuses !== undefined) throw new Error(refuses);
    accept();
  };
  const host: FakeHost = {
    name,
    capabilities,
    nudges: [],
    delivered: [],
    notices: [],
    ends: [],
    refuses: undefined,
    recheck: stands,
    nudge: (_session, nudge) => take(() => host.nudges.push(nudge)),
    deliver: (_session, words) => take(() => host.delivered.push(...words)),
    show: (_session, notice) => void host.notices.push(notice),
    endTurn: (_session, end) => void host.ends.push(end),
  };
  return host;
}
