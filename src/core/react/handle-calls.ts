import { type Approval, type CallEvent, MOST_APPROVED, type Outcome, SHORT, shortDigest } from "../call/index.ts";
import { redact } from "../secret/index.ts";
import { exactLine } from "../text/index.ts";
import type { Draft } from "./draft.ts";
import { cutRound } from "./handle-round.ts";
import { done, type Reply } from "./reaction.ts";
import type { Trigger } from "./trigger.ts";
import type { TriggerIn } from "./trigger-table.ts";

export function handleCalls(draft: Draft, trigger: TriggerIn<"calls">): Reply {
  if (trigger.type === "human.answer") return answer(draft, trigger);
  for (const event of trigger.events) {
    if (event.type === "approval.requested" && isAsking(draft, event.approval)) continue; // a host that says it twice asks once
    if (event.type !== "approval.answered") draft.add("engine", event);
    else if (isAnswer(event, find(draft, event.call))) recordAnswer(draft, event); // otherwise another process answered first, and that counts
  }
  return done("");
}

/** An answer from any process; the one that runs the call finds it in the log. */
function answer(draft: Draft, trigger: Trigger & { type: "human.answer" }): Reply {
  const { call, outcome } = trigger;
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
  if (outcome === "always_tool" && asked.alwaysTool === false)
    return refused("no_tool_rule", `"Always this tool" is not possible here. Approve it once.`);
  const wrong = trigger.outcome === "edited" ? cannotEdit(draft, asked, trigger.command) : undefined;
  if (wrong !== undefined) return wrong;
  recordAnswer(draft, {
    ...{ type: "approval.answered", call: asked.call, outcome },
    // What runs instead is bound by its own text; the process that runs it knows the other arguments.
    ...(trigger.outcome === "edited"
      ? { words: "", what: trigger.command }
      : { words: trigger.words, digest: asked.digest }),
  });
  return { ...done(outcome), details: { approval: asked } };
}

/** The log keeps what runs instead, word by word: so it has to be short enough to be read, and holds no secret. */
function cannotEdit({ context }: Draft, { editable }: Approval, command: string): Reply | undefined {
  if (!editable)
    return refused("not_editable", "Only a command can be edited here. Deny it, and say what to do instead.");
  if (command.trim() === "") return refused("empty_command", "The command is empty. To stop the call, deny it.");
  if (command.length > MOST_APPROVED / 4)
    return refused("too_long", `The command is too long: at most ${MOST_APPROVED / 4} characters.`);
  if ((context.redact ?? redact)(command) !== command)
    return refused("holds_secret", "The command holds a secret, and the log would keep it. Name a variable instead.");
  return undefined;
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

const isAsking = ({ run }: Draft, { call, digest, what }: Approval): boolean =>
  run.ledger.approvals.some((asked) => asked.call === call && asked.digest === digest && asked.what === what);

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
