import type { Changed } from "../run/index.ts";
import type { TodoId } from "../todo/index.ts";
import { standingWork } from "./choose-undo.ts";
import type { Work } from "./work.ts";

/** What a todo changed in the files, as far as checkpoints tell. */
export interface TodoChanges extends Changed {
  /** Other todos were worked on at the same time: they share what changed. */
  readonly isShared: boolean;
}

/** By todo; one that changed nothing that still stands is not in it. A file that was changed twice counts twice. */
export function changesIn(work: Work): ReadonlyMap<TodoId, TodoChanges> {
  const changes = new Map<TodoId, TodoChanges>();
  for (const { to, todos } of standingWork(work)) {
    if (to === "now" || to.changed.files === 0) continue;
    for (const id of todos) {
      const { files, added, removed, isShared } = changes.get(id) ?? NONE;
      changes.set(id, {
        files: files + to.changed.files,
        added: added + to.changed.added,
        removed: removed + to.changed.removed,
        isShared: isShared || todos.length > 1,
      });
    }
  }
  return changes;
}

const NONE: TodoChanges = { files: 0, added: 0, removed: 0, isShared: false };
