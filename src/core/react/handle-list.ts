import { mayRun, next, type OwnedCheck, proposedChecks, requiredChecks } from "../continuation/index.ts";
import type { BoxStatus } from "../plan/index.ts";
import { NOTES } from "../run/index.ts";
import { clipLine } from "../text/index.ts";
import {
  type EditCommand,
  type Proposal,
  proposeEdit,
  proposeHumanEdit,
  proposeMirror,
  proposeWrite,
  refuse,
  type TodoEvent,
} from "../todo/index.ts";
import { editedText, humanEditedText, proposedText, repairedText, writtenText } from "../words/index.ts";
import type { Draft } from "./draft.ts";
import { done, nothing, type Reply } from "./reaction.ts";
import { seenBy, withList } from "./seen-by.ts";
import type { Trigger, Writer } from "./trigger.ts";
import type { TriggerIn } from "./trigger-table.ts";

export function handleList(draft: Draft, trigger: TriggerIn<"list">): Reply {
  switch (trigger.type) {
    case "todos.write":
      return write(draft, trigger);
    case "todos.edit":
      return edit(draft, trigger);
    case "todos.mirror":
      return mirror(draft, trigger);
    case "todos.human_edit":
      return take(draft, "human", proposeHumanEdit(draft.run.plan.todos, trigger.edit), () =>
        humanEditedText(draft.run),
      );
  }
}

/** A host's own list needs no permission: it is shown to us, not asked of us. */
function mirror(draft: Draft, { items, by, guard }: Trigger & { type: "todos.mirror" }): Reply {
  if (by === "subagent") return refuseReply("not_allowed", "A subagent's own list is not the list of the run.");
  const { plan, ledger } = draft.run;
  const { nextTodoId, list, conversation } = ledger;
  const { events, repaired } = proposeMirror(plan.todos, items, nextTodoId, list, conversation.firstTodo);
  for (const event of events) draft.add(by, event);
  guardWhatHasNone(draft, guard);
  const misfits = repairedText(repaired);
  if (misfits !== "" && events.length > 0) draft.perform({ type: "human.tell", notice: misfits });
  return events.length === 0 ? nothing : done(humanEditedText(draft.run));
}

function write(
  draft: Draft,
  { write: request, by, standing = [], batch, guard }: Trigger & { type: "todos.write" },
): Reply {
  if (by === "subagent")
    return refuseReply(
      "not_allowed",
      "A subagent may list and edit todos, not write the list. Report to the main agent what should change.",
    );
  if (request.mode === "insert" && (movedIn(draft, batch)?.before.length ?? 0) > 0)
    return withList(draft, movedReply());
  const { ledger, plan } = draft.run;
  const proposal = proposeWrite(plan.todos, {
    ...request,
    by,
    firstId: ledger.nextTodoId,
    allowsCheck: draft.context.allowsCheck,
  });
  const known = new Set(proposedChecks(draft.run).map(({ command }) => command));
  // An agent that writes the whole list knows it, whatever was there before.
  const seen = request.mode === "replace" && by === "model" ? draft.run : seenBy(draft, by);
  const taken = take(draft, by, withBatch(proposal, batch), () => writtenText(draft.run, request, seen));
  const reply = by === "model" ? withList(draft, taken) : taken;
  const proposed = proposedChecks(draft.run).filter(({ command }) => !known.has(command));
  if (proposed.length > 0) draft.perform({ type: "human.tell", notice: proposedText(proposed) });
  if (reply.type === "done" && by === "plan") takeStanding(draft, standing);
  guardWhatHasNone(draft, guard);
  return reply;
}

/** The plan's items are the last ones of the list; what the plan says about them counts as said by you. */
function takeStanding(draft: Draft, standing: readonly BoxStatus[]): void {
  const { todos } = draft.run.plan;
  const idsOf = (status: BoxStatus) =>
    todos.slice(todos.length - standing.length).flatMap(({ id }, at) => (standing[at] === status ? [id] : []));
  const [done, begun, cancelled] = [idsOf("done"), idsOf("in_progress"), idsOf("cancelled")];
  if (done.length > 0) draft.add("human", { type: "todo.completed", ids: done });
  if (begun.length > 0) draft.add("human", { type: "todo.started", ids: begun });
  if (cancelled.length > 0)
    draft.add("human", { type: "todo.abandoned", ids: cancelled, reason: "cancelled in the plan" });
}

function edit(draft: Draft, { edit: command, by, batch, guard }: Trigger & { type: "todos.edit" }): Reply {
  if (mayMeanAnother(draft, command, batch)) return withList(draft, movedReply());
  const proposal = proposeEdit(draft.run.plan.todos, command);
  if (proposal.ok) noteDown(draft, by, command);
  const proves =
    proposal.ok && proposal.events.length > 0 && command.action === "complete" && draft.context.runsChecks !== false;
  const checks = proves ? checksOf(draft, proposal.events) : [];
  const begun = proposal.ok ? proposal.events.flatMap((event) => (event.type === "todo.started" ? event.ids : [])) : [];
  if (checks.length > 0 && draft.run.ledger.verifying)
    return refuseReply("check_failed", "Checks are running already. Wait for their result, then complete the todo.");
  if (begun.length > 0 && guard !== undefined) draft.add("engine", { type: "guard.taken", guard, owners: begun });
  if (checks.length === 0) {
    const seen = seenBy(draft, by);
    const reply = take(draft, by, proposal, () => editedText(draft.run, command, seen));
    return withList(draft, reply);
  }
  const completed = proposal.ok ? proposal.events.flatMap(completedIn) : [];
  return beginRound(draft, by, { ids: completed, starts: begun }, checks);
}

/** Learned is learned, whatever a check will say of the todo. */
function noteDown(draft: Draft, by: Writer, { indices, note = "" }: EditCommand): void {
  const text = clipLine(note, NOTES.characters);
  if (text === "" || draft.run.ledger.notes.at(-1)?.text === text) return;
  draft.add(by, { type: "note.written", ids: indices.flatMap((at) => draft.run.plan.todos[at]?.id ?? []), text });
}

const completedIn = (event: TodoEvent): readonly string[] => (event.type === "todo.completed" ? event.ids : []);

/** The checks of the named todos; and if nothing would be open afterwards, all that the run needs to be proven. */
function checksOf({ run }: Draft, events: readonly TodoEvent[]): readonly OwnedCheck[] {
  const ids = new Set(events.flatMap(completedIn));
  const todos = run.plan.todos.map((todo) => (ids.has(todo.id) ? { ...todo, status: "completed" as const } : todo));
  const after = { ...run, plan: { ...run.plan, todos } };
  if (next(after).status === "none") return requiredChecks(after);
  return run.plan.todos
    .filter(({ id }) => ids.has(id))
    .flatMap(({ id, checks }) => checks.filter(mayRun).map((check) => ({ owner: id, check })));
}

/** What was just written is guarded from now on; so is everything that was written while there was nothing to guard. */
export function guardWhatHasNone(draft: Draft, guard: string | undefined): void {
  if (guard === undefined) return;
  const { guards } = draft.run.ledger;
  const owners = ["run", ...draft.run.plan.todos.map(({ id }) => id)].filter((owner) => !(owner in guards));
  if (owners.length > 0) draft.add("engine", { type: "guard.taken", guard, owners });
}

function beginRound(
  draft: Draft,
  by: Writer,
  { ids, starts }: { readonly ids: readonly string[]; readonly starts: readonly string[] },
  checks: readonly OwnedCheck[],
): Reply {
  const round = `r${draft.run.ledger.rounds + 1}`;
  draft.add(by, {
    type: "round.began",
    round,
    purpose: "complete",
    ids,
    ...(starts.length > 0 && { starts }),
    until: draft.context.now + draft.context.limits.deadlineMs.checks,
  });
  draft.perform({ type: "round.run", round, checks });
  return { type: "checking", round };
}

function take(draft: Draft, by: Writer, proposal: Proposal<TodoEvent>, text: () => string): Reply {
  if (!proposal.ok) return { type: "refused", refusal: proposal.refusal };
  for (const event of proposal.events) draft.add(by, event);
  return done(text());
}

function withBatch(proposal: Proposal<TodoEvent>, batch: string | undefined): Proposal<TodoEvent> {
  if (!proposal.ok || batch === undefined) return proposal;
  return {
    ok: true,
    events: proposal.events.map((event) => (event.type === "todos.written" ? { ...event, batch } : event)),
  };
}

const movedIn = ({ run }: Draft, batch: string | undefined) =>
  batch !== undefined && run.ledger.movedIn?.batch === batch ? run.ledger.movedIn : undefined;

/**
 * An index that meant another item before this batch moved the list. An agent that writes the whole list and starts a todo of it
 * means the new list; an item that stands where it stood, or a place where nothing stood, cannot be mistaken.
 */
function mayMeanAnother(
  draft: Draft,
  { action, indices, start = [] }: EditCommand,
  batch: string | undefined,
): boolean {
  const moved = movedIn(draft, batch);
  if (!moved || (action === "start" && moved.mode === "replace")) return false;
  const { todos } = draft.run.plan;
  return [...indices, ...start].some(
    (index) => moved.before[index] !== undefined && moved.before[index] !== todos[index]?.id,
  );
}

const movedReply = (): Reply =>
  refuseReply(
    "list_moved",
    "The list was rewritten earlier in this batch of calls, so these indices may mean other todos. This is the new list; call again.",
  );

const refuseReply = (...refusal: Parameters<typeof refuse>): Reply => ({
  type: "refused",
  refusal: refuse(...refusal).refusal,
});
