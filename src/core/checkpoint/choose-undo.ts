import type { Checkpoint } from "../run/index.ts";
import type { Todo, TodoId } from "../todo/index.ts";
import type { Interval, Undo, Work } from "./work.ts";

/** What is to be taken back: the newest step first. */
export interface ChosenUndo {
  readonly status: "chosen";
  readonly ids: readonly TodoId[];
  readonly steps: readonly Interval[];
  readonly redoes?: string;
  /** Of a redo: the steps that the undo took back, as far as they are known. */
  readonly undone?: readonly Pick<Undo, "before" | "after">[];
}
export type Choice = ChosenUndo | { readonly status: "none"; readonly why: string };

/** `what`: the index of a todo, a checkpoint, or nothing: then the todo that changed files last. `untaken`: why there is no checkpoint. */
export function chooseUndo(work: Work, todos: readonly Todo[], what: string | undefined, untaken?: string): Choice {
  if (work.checkpoints.length === 0) return none(noCheckpoints(untaken));
  const standing = standingWork(work);
  if (what === undefined) {
    const last = standing.findLast((interval) => interval.todos.length > 0 && mayHaveChanged(interval));
    return last ? chooseTodos(standing, last.todos) : none("No todo of this run changed files.");
  }
  const found = work.checkpoints.findIndex(({ checkpoint }) => checkpoint.id === what);
  if (found >= 0) return chooseSince(work, standing, work.checkpoints[found]!.checkpoint);
  const index = /^\[?(\d{1,6})\]?$/.exec(what)?.[1];
  const todo = index === undefined ? undefined : todos[Number(index)];
  if (!todo)
    return none(`There is no todo and no checkpoint "${what}". See tildone todo list and tildone checkpoints.`);
  const own = standing.filter((interval) => interval.todos.includes(todo.id) && mayHaveChanged(interval));
  if (own.length > 0) return chooseTodos(standing, [todo.id]);
  const wasUndone = work.undos.some(({ ids }) => ids.includes(todo.id));
  if (wasUndone) return none(`[${index}] is already undone. tildone redo restores it.`);
  return none(`[${index}] changed no files. To open it again: tildone todo reopen ${index}`);
}

/** The undo that was not taken back itself, the last one first. */
export function chooseRedo({ undos, checkpoints }: Work): Choice {
  const redone = new Set(undos.flatMap(({ redoes }) => redoes ?? []));
  const last = undos.findLast(({ id, redoes }) => redoes === undefined && !redone.has(id));
  if (!last) return none("Nothing was undone, so there is nothing to redo.");
  const known = new Map(checkpoints.map(({ checkpoint }) => [checkpoint.id, checkpoint]));
  const undone = last.steps.flatMap(({ from, to }) => {
    const [before, after] = [known.get(from), known.get(to)];
    return before && after ? [{ before, after }] : [];
  });
  return { status: "chosen", ids: last.ids, steps: [stepOf(last)], redoes: last.id, undone };
}

const noCheckpoints = (untaken: string | undefined): string =>
  untaken === undefined
    ? "This run has no checkpoints, so nothing can be undone. They are taken in git repositories, or everywhere with checkpoints.enabled: true."
    : `This run has no checkpoints, so nothing can be undone: ${untaken}.`;

const none = (why: string): Choice => ({ status: "none", why });

const stepOf = ({ id, before, after }: Undo): Interval => ({
  ...{ from: before, to: after, todos: [], isWork: false, unclear: false, undo: id },
});

/** Work that was not taken back, or whose undo was. */
export function standingWork({ intervals, undos }: Work): readonly Interval[] {
  const redone = new Set(undos.flatMap(({ redoes }) => redoes ?? []));
  const gone = undos.filter(({ id, redoes }) => redoes === undefined && !redone.has(id)).flatMap(({ steps }) => steps);
  const isGone = ({ from, to }: Interval) => gone.some((step) => step.from === from.id && step.to === idOf(to));
  return intervals.filter((interval) => interval.isWork && !isGone(interval));
}

export const idOf = (to: Checkpoint | "now"): string => (to === "now" ? "now" : to.id);

const mayHaveChanged = ({ to }: Interval): boolean => to === "now" || to.changed.files > 0;

/** Todos that were worked on at the same time share what changed: they go together. */
function chooseTodos(standing: readonly Interval[], wanted: readonly TodoId[]): Choice {
  const changing = standing.filter(mayHaveChanged);
  const ids = new Set(wanted);
  for (let size = 0; size !== ids.size; ) {
    size = ids.size;
    for (const { todos } of changing) if (todos.some((id) => ids.has(id))) for (const id of todos) ids.add(id);
  }
  return {
    status: "chosen",
    ids: [...ids],
    steps: changing.filter(({ todos }) => todos.some((id) => ids.has(id))).toReversed(),
  };
}

/** Everything the agent did since; your own changes stay. */
function chooseSince({ intervals }: Work, standing: readonly Interval[], checkpoint: Checkpoint): Choice {
  const at = intervals.findIndex(({ from }) => from.id === checkpoint.id);
  const later = at < 0 ? [] : intervals.slice(at);
  const steps = standing.filter((interval) => later.includes(interval) && mayHaveChanged(interval)).toReversed();
  if (steps.length === 0) return none(`Nothing was changed since ${checkpoint.id}.`);
  return { status: "chosen", ids: [...new Set(steps.flatMap(({ todos }) => todos))], steps };
}
