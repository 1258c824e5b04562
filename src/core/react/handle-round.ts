import { commandLine } from "../continuation/index.ts";
import type { Receipt, Round } from "../run/index.ts";
import { isFinished, proposeEdit, proposeWrite } from "../todo/index.ts";
import { checkFailedText, completedText } from "../words/index.ts";
import type { Draft } from "./draft.ts";
import { sayUnconfined } from "./handle-first.ts";
import { leavePhase } from "./handle-workflow.ts";
import { done, duplicate, type Reply } from "./reaction.ts";
import { seenBy } from "./seen-by.ts";
import type { Trigger } from "./trigger.ts";

/** The results of a round: they complete what was asked for, or reopen what they disprove. */
export function handleRound(draft: Draft, { round, receipts, cut }: Trigger & { type: "round.ended" }): Reply {
  const { verifying } = draft.run.ledger;
  if (verifying?.round !== round) return duplicate;
  sayUnconfined(
    draft,
    receipts.map(({ proof }) => proof),
  );
  draft.add("engine", { type: "round.ended", round, receipts, cut });
  if (cut !== undefined) return refused(`The checks were cut short (${cut}), so nothing was completed.`);
  const failed = receipts.filter(({ status }) => status !== "passed");
  if (verifying.purpose !== "phase") for (const receipt of failed) disprove(draft, verifying, receipt);
  if (verifying.purpose === "phase") return leavePhase(draft, verifying, receipts);
  if (verifying.purpose === "finish") return done("");
  const own = failed.filter(({ owner }) => verifying.ids.includes(owner));
  if (own.length > 0) {
    setAsideAfterTooMany(draft, verifying);
    return refused(checkFailedText(draft.run, own));
  }
  const open = draft.run.plan.todos.filter((todo) => !isFinished(todo)).map(({ id }) => id);
  const ids = verifying.ids.filter((id) => open.includes(id)); // the user may have changed the list meanwhile
  const seen = seenBy(draft, verifying.by);
  if (ids.length > 0) draft.add(verifying.by, { type: "todo.completed", ids });
  const begun = startAfter(draft, verifying);
  return done(completedText(draft.run, { ids, begun, receipts, seen }));
}

/** What the call starts that completed the rest; what does not fit any more stays as it is, and the result shows it. */
function startAfter(draft: Draft, { starts = [], by }: Round): readonly string[] {
  const { todos } = draft.run.plan;
  const indices = todos.flatMap(({ id }, index) => (starts.includes(id) ? [index] : []));
  const proposal = indices.length > 0 ? proposeEdit(todos, { action: "start", indices }) : undefined;
  if (!proposal?.ok) return [];
  for (const event of proposal.events) draft.add(by, event);
  return indices.map((index) => todos[index]!.id);
}

/** Ends a running round before its time; the shell sees that it is over and kills the commands. */
export function cutRound(draft: Draft, cut: string): void {
  const { verifying } = draft.run.ledger;
  if (verifying) draft.add("engine", { type: "round.ended", round: verifying.round, receipts: [], cut, again: true });
}

/** A round past its deadline had its chance. */
export function expireRound(draft: Draft): void {
  const { verifying } = draft.run.ledger;
  if (!verifying || draft.context.now < verifying.until) return;
  const cut = "it took longer than allowed";
  draft.add("engine", { type: "round.ended", round: verifying.round, receipts: [], cut });
}

/** A todo that was completed is open again; a check of the run opens a todo that carries it. */
function disprove(draft: Draft, { ids }: Round, { owner, command }: Receipt): void {
  const { todos } = draft.run.plan;
  if (ids.includes(owner)) return;
  if (todos.some(({ id, status }) => id === owner && status === "completed"))
    draft.add("engine", { type: "todo.reopened", ids: [owner], to: "in_progress" });
  if (owner !== "run") return;
  const text = `Make this check pass: ${command}`.slice(0, 1000);
  const known = todos.find((todo) => todo.text === text);
  if (known && known.status !== "completed" && known.status !== "abandoned") return;
  if (known) {
    draft.add("engine", { type: "todo.reopened", ids: [known.id], to: "in_progress" });
    return;
  }
  const check = draft.run.ledger.checks.find((candidate) => commandLine(candidate) === command);
  const proposal = proposeWrite(todos, {
    mode: "append",
    todos: [{ text }],
    by: "plan",
    firstId: draft.run.ledger.nextTodoId,
  });
  if (!proposal.ok || !check) return; // a full list: the run check itself stays required
  for (const event of proposal.events)
    draft.add(
      "engine",
      event.type === "todos.written"
        ? { ...event, items: event.items.map((item) => ({ ...item, checks: [check] })) }
        : event,
    );
}

function setAsideAfterTooMany(draft: Draft, { ids }: Round): void {
  const spent = ids.filter(
    (id) => (draft.run.ledger.todoLedgers[id]?.failedAttempts ?? 0) >= draft.context.limits.attemptsPerTodo,
  );
  if (spent.length > 0) draft.add("engine", { type: "todo.blocked", ids: spent, reason: "its check failed too often" });
}

const refused = (message: string): Reply => ({ type: "refused", refusal: { code: "check_failed", message } });
