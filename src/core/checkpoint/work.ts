import type { Checkpoint, CheckpointMoment, Envelope, RunEvent } from "../run/index.ts";
import type { TodoId } from "../todo/index.ts";

/** What happened to the files between two checkpoints, and whose work it is. */
export interface Interval {
  readonly from: Checkpoint;
  /** `now`: up to this moment, no checkpoint yet. */
  readonly to: Checkpoint | "now";
  /** The todos that were worked on; more than one share what changed. */
  readonly todos: readonly TodoId[];
  /** Of the agent; else of yours, or of an undo. */
  readonly isWork: boolean;
  /** A turn ended within it and the files were not looked at: you may have changed files since. */
  readonly unclear: boolean;
  /** The undo that made it. */
  readonly undo?: string;
}

/** A checkpoint as it is listed. */
export interface ListedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly at: number;
  readonly moment: CheckpointMoment | "undo" | "redo";
  readonly ids: readonly TodoId[];
}

export interface Undo {
  readonly id: string;
  readonly ids: readonly TodoId[];
  readonly before: Checkpoint;
  readonly after: Checkpoint;
  readonly steps: readonly { readonly from: string; readonly to: string }[];
  readonly redoes?: string;
}

export interface Work {
  readonly checkpoints: readonly ListedCheckpoint[];
  /** The oldest first; the last one may reach up to now. */
  readonly intervals: readonly Interval[];
  readonly undos: readonly Undo[];
}

/** The checkpoints of a run and the work between them. */
export function workIn(events: Iterable<Envelope>): Work {
  const reader = followWork();
  for (const envelope of events) reader.read(envelope);
  return reader.work();
}

/** The same, event by event. */
export function followWork() {
  const checkpoints: ListedCheckpoint[] = [];
  const intervals: Interval[] = [];
  const undos: Undo[] = [];
  /** Todos in progress since the last checkpoint, those that began after it, and those that ended. */
  let active = new Set<TodoId>();
  let begun = new Set<TodoId>();
  let ended = new Set<TodoId>();
  /** A turn runs; ran when the last checkpoint was taken; began since; ended since. */
  const turn = { runs: false, ran: false, began: false, over: false };
  return { read, work };

  function read({ at, event }: Envelope): void {
    switch (event.type) {
      case "run.began":
        turn.runs = true;
        turn.ran = true;
        return;
      case "turn.started":
        turn.runs = true;
        turn.began = true;
        return;
      case "turn.ended":
      case "turn.cut":
        turn.runs = false;
        turn.over ||= turn.ran || turn.began;
        return;
      case "checkpoint.taken":
        listed(event.checkpoint, at, event.moment, event.ids);
        next(event.checkpoint, event.moment);
        return;
      case "files.undone":
        undone(event, at);
        return;
      default:
        todos(event);
    }
  }

  function todos(event: RunEvent): void {
    switch (event.type) {
      case "todo.started":
        for (const id of event.ids) if (!active.has(id)) begun.add(id);
        return;
      case "todo.completed":
      case "todo.abandoned":
      case "todo.blocked":
        for (const id of event.ids) finish(id);
        return;
      case "todo.reopened":
        for (const id of event.ids) reopen(id, event.to === "in_progress");
        return;
      default:
    }
  }

  /** One that was never started was worked on all the same: since the last one ended. */
  function finish(id: TodoId): void {
    if (!active.has(id) && !begun.has(id)) claim(id);
    active.add(id);
    begun.delete(id);
    ended.add(id);
  }

  function claim(id: TodoId): void {
    for (let at = intervals.length - 1; at >= 0; at--) {
      const interval = intervals[at]!;
      if (interval.todos.length > 0 || interval.undo !== undefined) return;
      if (interval.isWork) intervals[at] = { ...interval, todos: [id] };
    }
  }

  function reopen(id: TodoId, inProgress: boolean): void {
    ended.delete(id);
    if (!inProgress) {
      active.delete(id);
      begun.delete(id);
    } else if (!active.has(id)) begun.add(id);
  }

  function listed(
    checkpoint: Checkpoint,
    at: number,
    moment: ListedCheckpoint["moment"],
    ids: readonly TodoId[],
  ): void {
    checkpoints.push({ checkpoint, at, moment, ids });
  }

  function next(to: Checkpoint, moment: CheckpointMoment | "now"): void {
    const interval = upTo(to, moment);
    if (interval) intervals.push(interval);
    active = new Set([...active, ...begun].filter((id) => !ended.has(id)));
    begun = new Set();
    ended = new Set();
    Object.assign(turn, { ran: moment === "turn_ended" ? false : turn.runs, began: false, over: false });
  }

  function upTo(to: Checkpoint | "now", moment: CheckpointMoment | "now"): Interval | undefined {
    const from = checkpoints.findLast(({ checkpoint }) => checkpoint !== to)?.checkpoint;
    if (!from) return undefined;
    // A turn that began just now did nothing yet.
    const isWork = turn.ran || (turn.began && moment !== "turn_began");
    // What began after the last checkpoint and is not finished got its own checkpoint when it began: this one.
    const todos = isWork ? [...active] : [];
    return { from, to, todos, isWork, unclear: isWork && turn.over };
  }

  function undone(event: RunEvent & { type: "files.undone" }, at: number): void {
    const { undo, ids, before, after, steps, redoes } = event;
    listed(before, at, redoes === undefined ? "undo" : "redo", ids);
    next(before, "now");
    listed(after, at, redoes === undefined ? "undo" : "redo", ids);
    intervals.push({ from: before, to: after, todos: [], isWork: false, unclear: false, undo });
    undos.push({ id: undo, ids, before, after, steps, ...(redoes !== undefined && { redoes }) });
  }

  function work(): Work {
    const open = upTo("now", "now");
    return { checkpoints, intervals: open?.isWork ? [...intervals, open] : intervals, undos };
  }
}
