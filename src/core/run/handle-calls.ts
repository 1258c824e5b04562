import type { Approval, CallEvent, Outcome } from "../call/index.ts";
import type { Draft } from "./draft.ts";
import { cutRound } from "./handle-round.ts";
import { done, type Reply } from "./reaction.ts";
import type { Trigger } from "./trigger.ts";

type CallsTrigger = Trigger & { type: "human.answer" | "calls.journal" };

export function handleCalls(draft: Draft, trigger: CallsTrigger): Reply {
  if (trigger.type === "human.answer") return answer(draft, trigger);
  for (const event of trigger.events) {
    if (event.type !== "approval.answered") draft.add("engine", event);
    else if (find(draft, event.call)) record(draft, event); // otherwise another process answered first, and that counts
  }
  return done("");
}

/** An answer from any process; the one that runs the call finds it in the log. */
function answer(draft: Draft, { call, outcome, words }: Trigger & { type: "human.answer" }): Reply {
  const { approvals } = draft.run.ledger;
  if (approvals.length === 0) return refused("no_approval", "Nothing waits for approval in this run.");
  if (call === undefined && approvals.length > 1)
    return refused("which_approval", `Several calls wait; name one: ${listed(approvals)}`);
  const asked = call === undefined ? approvals[0]! : find(draft, call);
  if (asked === undefined)
    return refused("approval_gone", `Call ${call} waits for no approval. What waits: ${listed(approvals)}`);
  if (outcome === "always_rule" && asked.always === undefined)
    return refused(
      "no_exact_rule",
      'What it would do cannot be said exactly, so there is no "always". Approve it once.',
    );
  record(draft, { type: "approval.answered", call: asked.call, outcome, words });
  return { ...done(outcome), details: { approval: asked } };
}

function record(draft: Draft, event: CallEvent & { type: "approval.answered" }): void {
  draft.add(BY_NOBODY.has(event.outcome) ? "engine" : "human", event);
  const isRefusal = event.outcome === "stopped" || (event.outcome === "denied" && event.words === "");
  if (!isRefusal) return;
  draft.add("human", { type: "human.interrupted", how: "denied" });
  cutRound(draft, "the human interrupted");
}

const BY_NOBODY: ReadonlySet<Outcome> = new Set(["timed_out", "withdrawn"]);

const find = ({ run }: Draft, call: string): Approval | undefined =>
  run.ledger.approvals.find((approval) => approval.call === call);

const listed = (approvals: readonly Approval[]): string =>
  approvals
    .slice(0, 10)
    .map(({ call, what }) => `${call} (${what})`)
    .join(", ");

const refused = (code: string, message: string): Reply => ({ type: "refused", refusal: { code, message } });
