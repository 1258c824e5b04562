import { FINISHED, type StopReason } from "../reason/index.ts";
import type { TodoId } from "../todo/index.ts";
import { noCheckpointsText } from "../words/index.ts";
import type { Draft } from "./draft.ts";
import { cutRound } from "./handle-round.ts";
import { done, duplicate, type Reply } from "./reaction.ts";
import type { Trigger } from "./trigger.ts";
import type { TriggerIn } from "./trigger-table.ts";

export function handleCheckpoint(draft: Draft, trigger: TriggerIn<"checkpoint">): Reply {
  const { checkpoints } = draft.run.ledger;
  switch (trigger.type) {
    case "checkpoint.taken":
      if (trigger.checkpoint.id !== `c${checkpoints.taken + 1}`) return duplicate; // another process was first
      draft.add("engine", { ...trigger });
      return done("");
    case "checkpoints.unavailable":
      if (checkpoints.failed !== trigger.why)
        draft.perform({ type: "human.tell", notice: noCheckpointsText(trigger.why) });
      draft.add("engine", { ...trigger });
      return done("");
    case "human.undo":
      return checkpoints.undos.some(({ id }) => id === trigger.undo) ? duplicate : undone(draft, trigger);
  }
}

/** The files are what they were already. The todos are open again, and the agent hears of it; a redo puts back how they stood. */
function undone(draft: Draft, { type: _, words, ...undo }: Trigger & { type: "human.undo" }): Reply {
  const { todos } = draft.run.plan;
  const were = Object.fromEntries(
    todos.filter(({ id }) => undo.ids.includes(id)).map(({ id, status }) => [id, status]),
  );
  cutRound(draft, "work was undone");
  reopenRun(draft);
  draft.add("human", { type: "files.undone", ...undo, were });
  if (undo.redoes === undefined) reopen(draft, undo.ids);
  else restore(draft, undo.redoes);
  draft.add("human", { type: "words.queued", words });
  return done("undone");
}

function reopen(draft: Draft, ids: readonly TodoId[]): void {
  const begun = draft.run.plan.todos.filter(({ id, status }) => ids.includes(id) && status !== "not_started");
  if (begun.length > 0)
    draft.add("human", { type: "todo.reopened", ids: begun.map(({ id }) => id), to: "not_started" });
}

/** As they stood before the undo; what they prove is judged by the files, as before. */
function restore(draft: Draft, undo: string): void {
  const { were = {} } = draft.run.ledger.checkpoints.undos.find(({ id }) => id === undo) ?? {};
  const idsWith = (status: string): readonly TodoId[] =>
    draft.run.plan.todos
      .filter((todo) => todo.status === "not_started" && were[todo.id] === status)
      .map(({ id }) => id);
  const [completed, started] = [idsWith("completed"), idsWith("in_progress")];
  if (completed.length > 0) draft.add("engine", { type: "todo.completed", ids: completed });
  if (started.length > 0) draft.add("engine", { type: "todo.started", ids: started });
}

/** A run that is done is not done any more. */
function reopenRun(draft: Draft): void {
  const { status, ledger } = draft.run;
  if (status === "ended" && FINISHED.includes(ledger.endReason as StopReason))
    draft.add("human", { type: "run.reopened", boundary: `b${ledger.boundaries + 1}` });
}
