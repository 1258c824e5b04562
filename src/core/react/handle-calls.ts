import { type Approval, type CallEvent, type Outcome, SHORT, shortDigest } from "../call/index.ts";
import { exactLine } from "../text/index.ts";
import type { Draft } from "./draft.ts";
import { cutRound } from "./handle-round.ts";
import { done, type Reply } from "./reaction.ts";
import type { Trigger } from "./trigger.ts";
import type { TriggerIn } from "./trigger-table.ts";

export function handleCalls(draft: Draft, trigger: TriggerIn<"calls">): Reply {
  if (trigger.type === "human.answer") return answer(draft, trigger);
  for (const event of trigger.events) {
    if (event.type !== "approval.answered") draft.add("engine", event);
    else if (isAnswer(event, find(draft, event.call))) recordAnswer(draft, event); // otherwise another process answered first, and that counts
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
  const { digest } = asked;
  recordAnswer(draft, {
    type: "approval.answered",
    call: asked.call,
    outcome,
    words,
    digest,
  });
  return { ...done(outcome), details: { approval: asked } };
}

export function recordAnswer(draft: Draft, event: CallEvent & { type: "approval.answered" }): void {
  draft.add(BY_NOBODY.has(event.outcome) ? "engine" : "human", event);
  const isRefusal = event.outcome === "stopped" || (event.outcome === "denied" && event.words === "");
  if (!isRefusal) return;
  draft.add("human", { type: "human.interrupted", how: "denied" });
  cutRound(draft, "interrupted");
}

const BY_NOBODY: ReadonlySet<Outcome> = new Set(["timed_out", "withdrawn"]);

/** By its call, or by the digest of what it would do: that names what you saw, and nothing that came after it. */
const find = ({ run }: Draft, name: string): Approval | undefined =>
  run.ledger.approvals.find(({ call }) => call === name) ??
  run.ledger.approvals.find(({ digest }) => name.length >= SHORT && digest?.startsWith(name));

/** A call may ask more than once: an answer to another question is none. Edited arguments have a digest of their own. */
const isAnswer = (
  { outcome, digest }: CallEvent & { type: "approval.answered" },
  asked: Approval | undefined,
): boolean =>
  asked !== undefined &&
  (outcome === "edited" || digest === undefined || asked.digest === undefined || digest === asked.digest);

const listed = (approvals: readonly Approval[]): string =>
  approvals
    .slice(0, 10)
    .map(({ call, digest, what }) => `${digest === undefined ? call : shortDigest(digest)} (${exactLine(what, 60)})`)
    .join(", ");

const refused = (code: string, message: string): Reply => ({ type: "refused", refusal: { code, message } });
