import type { Actor, Run } from "../run/index.ts";
import type { RefusalCode } from "../todo/index.ts";
import { howItStands } from "../words/index.ts";
import type { Draft } from "./draft.ts";
import type { Reply } from "./reaction.ts";

/** The run as the agent knows it; undefined: it may know another list. What a subagent was told of the list, we do not see. */
export const seenBy = ({ run }: Draft, by: Actor): Run | undefined =>
  by === "model" && run.ledger.listKnown ? run : undefined;

/** Mistakes that an agent makes that has another list in mind. */
const STALE: ReadonlySet<string> = new Set<RefusalCode>([
  "index_out_of_range",
  "already_finished",
  "blocked",
  "needs_unmet",
  "list_moved",
]);

/** The list as it stands, after a refusal that shows that the agent may know another one. */
export function withList({ run }: Draft, reply: Reply): Reply {
  if (reply.type !== "refused" || !STALE.has(reply.refusal.code)) return reply;
  const { code, message } = reply.refusal;
  return { type: "refused", refusal: { code, message: `${message}\n\n${howItStands(run)}` } };
}
