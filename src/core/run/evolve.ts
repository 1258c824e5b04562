import { UNBORN } from "./birth.ts";
import { conversationAfter } from "./conversation.ts";
import { dueAfter } from "./due-checkpoint.ts";
import type { Envelope } from "./event.ts";
import { rowOf } from "./event-table.ts";
import { knowsList } from "./list-known.ts";
import { passTime } from "./pace.ts";
import type { Run } from "./run.ts";

/** Bumped whenever the same log would fold to another state: kept folds of other versions are thrown away. */
export const FOLD_VERSION = 25;

/** Total: any log can be folded. What cannot be read does not come here: `readRow` says so. */
export function evolve(run: Run, envelope: Envelope): Run {
  const { event } = envelope;
  const { isLife, fold: change } = rowOf(event);
  const timed = isLife ? { ...run, ledger: passTime(run.ledger, envelope.at) } : run;
  const next = change(run.ledger.left && isOfHost(envelope) ? back(timed) : timed, event, envelope);
  const listKnown = knowsList(run, envelope);
  const checkpoints = dueAfter(next.ledger.checkpoints, envelope);
  const conversation = conversationAfter(run.ledger, envelope);
  const isSame =
    listKnown === next.ledger.listKnown &&
    checkpoints === next.ledger.checkpoints &&
    conversation === next.ledger.conversation;
  return isSame ? next : { ...next, ledger: { ...next.ledger, listKnown, checkpoints, conversation } };
}

/** The run that a log describes. */
export const fold = (envelopes: readonly Envelope[], from: Run = UNBORN): Run => envelopes.reduce(evolve, from);

/** The host is heard of, or another took its turn over. What you say from elsewhere is no sign of its life. */
const isOfHost = ({ by, event }: Envelope): boolean =>
  by === "host" || by === "model" || by === "subagent" || event.type === "turn.cut";

function back(run: Run): Run {
  const { left: _, ...ledger } = run.ledger;
  return { ...run, ledger };
}
