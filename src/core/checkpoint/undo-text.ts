import { clipLine } from "../text/index.ts";
import type { Todo, TodoId } from "../todo/index.ts";

/** Todos by their index, as people type them. */
export function named(ids: readonly TodoId[], todos: readonly Todo[]): string {
  const found = todos.flatMap(({ id, text }, index) => (ids.includes(id) ? [`[${index}] ${clipLine(text, 50)}`] : []));
  return found.length === 0 ? "the work since then" : found.join(", ");
}

const files = (count: number): string => (count === 1 ? "1 file" : `${count} files`);

/** A file that cannot go back by itself, and who changed it since. */
export interface Contested {
  readonly path: string;
  readonly why: "changed_since" | "in_the_way" | "unclear";
  /** Todos by index, and you. */
  readonly by: readonly string[];
}

/** How a command is written where it is typed: `tildone undo` or `/undo`. */
export type Prefix = "tildone " | "/";

/** `command`: what was typed, so that it can be typed again with `--force`. */
export function refusedText(contested: readonly Contested[], what: string, command: string): string {
  const lines = contested.slice(0, SHOWN).map((each) => `  ${clipLine(each.path, 100)}: ${WHY[each.why](each.by)}`);
  const more = contested.length > SHOWN ? [`  and ${contested.length - SHOWN} more`] : [];
  const isForced = contested.every(({ why }) => why !== "in_the_way");
  return [
    `Nothing was changed. ${files(contested.length)} of ${what} changed again since, or may be yours:`,
    ...lines,
    ...more,
    isForced
      ? `Change these by hand, or overwrite them: ${command} --force`
      : "Move away what is in the way, then try again.",
  ].join("\n");
}

const SHOWN = 20;
const WHY = {
  changed_since: (by) => `the same lines were changed${by.length > 0 ? ` by ${by.join(" and ")}` : ""}`,
  in_the_way: () => "something else is there now",
  unclear: () => "the end of a turn was not seen, so this may be your change",
} as const satisfies Record<Contested["why"], (by: readonly string[]) => string>;

export interface DoneUndo {
  readonly what: string;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly isRedo: boolean;
  readonly reopened: number;
  readonly kept: readonly string[];
  readonly submodules: readonly string[];
  readonly hasCommits: boolean;
  readonly isStagedBack: boolean;
}

export function doneText(done: DoneUndo, prefix: Prefix): string {
  const size = `${files(done.files)}, +${done.added} -${done.removed}`;
  const open =
    done.reopened === 1
      ? " The todo is open again,"
      : done.reopened > 1
        ? ` ${done.reopened} todos are open again,`
        : "";
  const told = open === "" ? " The agent is told." : `${open} and the agent is told.`;
  const names = (paths: readonly string[]) =>
    `${paths
      .slice(0, 5)
      .map((path) => clipLine(path, 80))
      .join(", ")}${paths.length > 5 ? ` and ${paths.length - 5} more` : ""}`;
  return [
    done.isRedo
      ? `Restored ${done.what} (${size}). The agent is told.`
      : `Undid ${done.what} (${size}).${told} ${prefix}redo restores it.`,
    ...(done.kept.length > 0
      ? [`Not deleted, because nothing proves that this run created it: ${names(done.kept)}`]
      : []),
    ...(done.hasCommits
      ? ["Commits that the agent made stay: see git log. What you have staged was not changed."]
      : []),
    ...(done.submodules.length > 0
      ? [`Not touched, because it is a repository of its own: ${names(done.submodules)}`]
      : []),
    ...(done.isStagedBack ? [] : ["What is staged was not changed, because git is busy there. See git status."]),
  ].join("\n");
}
