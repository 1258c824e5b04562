import type { Ledger } from "../run/index.ts";
import type { Draft } from "./draft.ts";
import { wordsFailed } from "./handle-human.ts";
import { done, nothing, type Reply } from "./reaction.ts";
import type { Trigger } from "./trigger.ts";

type Recheck = Trigger & { type: "host.rechecked" };

const BUSY = "the session was busy";

/** The host was asked before something leaves. What it told is handled by now; whether a nudge still leaves is decided after this. */
export function handleRecheck(draft: Draft, trigger: Recheck): Reply {
  const { before } = trigger;
  return "words" in before ? beforeWords(draft, before.words, trigger) : beforeNudge(draft, before.boundary, trigger);
}

function beforeNudge(draft: Draft, boundary: string, trigger: Recheck): Reply {
  const { ledger } = draft.run;
  if (!isDue(ledger, boundary, draft.context.now)) return nothing;
  const nudge = nudgeId(ledger);
  if (trigger.status === "busy") {
    const { first, most } = draft.context.limits.backoffMs;
    const until = draft.context.now + Math.min(first * 2 ** (ledger.boundary?.busy?.tries ?? 0), most);
    draft.add("engine", { type: "nudge.withdrawn", nudge, why: BUSY, busy: { boundary, until } });
  } else if (trigger.status === "unknown")
    draft.add("engine", { type: "nudge.failed", nudge, message: trigger.message.slice(0, 1000), boundary });
  return done("");
}

function beforeWords(draft: Draft, ids: readonly string[], trigger: Recheck): Reply {
  switch (trigger.status) {
    case "busy":
      return wordsFailed(draft, ids, BUSY);
    case "unknown":
      return wordsFailed(draft, ids, trigger.message);
    case "ready":
      if (trigger.facts.some(({ type }) => type === "human.interrupt"))
        return wordsFailed(draft, ids, "you interrupted");
      return leave(draft, ids);
  }
}

function leave(draft: Draft, asked: readonly string[]): Reply {
  const ids = draft.run.ledger.sending.filter((id) => asked.includes(id));
  if (ids.length > 0) draft.perform({ type: "words.deliver", ids, rechecked: true });
  return ids.length > 0 ? done("") : nothing;
}

/** Its countdown is over, and nothing but a look at the host stands between it and the agent. */
export const isDue = ({ boundary, decision, turn }: Ledger, id: string, now: number): boolean =>
  boundary?.id === id &&
  boundary.status === "countdown" &&
  decision?.type === "continue" &&
  turn === undefined &&
  now >= (boundary.until ?? 0);

/** A send that failed is tried again under another id; what was delivered stays one per boundary. */
export const nudgeId = ({ boundary, failures }: Ledger): string =>
  failures.tries > 0 ? `${boundary?.id}.${failures.tries}` : (boundary?.id ?? "");
