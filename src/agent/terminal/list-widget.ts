import type { QueuedWords, Run } from "../../core/run/index.ts";
import { oneLine, visible } from "../../core/text/index.ts";
import { openTodos, plainLine } from "../../core/todo/index.ts";
import { listOf } from "../../core/view/index.ts";

const CELLS = 20;

/**
 * The list above the editor: how far it is, what is open - from what is in progress on, at most `most` items - and what
 * waits to be said. Undefined when there is none of it.
 */
export function listWidget(run: Run | undefined, most: number): readonly string[] | undefined {
  if (run?.status !== "live") return undefined;
  const lines = [...openWork(run, most), ...queuedWords(run, most)];
  return lines.length === 0 ? undefined : lines;
}

function queuedWords({ ledger: { words } }: Run, most: number): readonly string[] {
  const shown = words.slice(0, most).map(({ text, kind }) => visible(oneLine(`${QUEUED[kind]}: ${text}`)));
  if (shown.length === 0) return [];
  const hint = words.length > most ? `${words.length - most} more: /queue; Alt+Up takes all back` : "Alt+Up takes back";
  return [...shown, `(${hint})`];
}

const QUEUED = { steer: "queued", "follow-up": "queued for the end" } as const satisfies Record<
  QueuedWords["kind"],
  string
>;

function openWork(run: Run, most: number): readonly string[] {
  const { todos, count } = listOf(run);
  const open = openTodos(todos);
  if (open.length === 0) return [];
  const full = Math.floor((count.done / count.total) * CELLS);
  const current = open.findIndex(({ status }) => status === "in_progress");
  const start = Math.max(0, Math.min(current, open.length - most));
  const hidden = open.length - most;
  return [
    `[${"#".repeat(full)}${"-".repeat(CELLS - full)}] ${count.text}`,
    ...open.slice(start, start + most).map((todo) => visible(oneLine(plainLine(todo, todo.index)))),
    ...(hidden > 0 ? [`(${hidden} more: /todos)`] : []),
  ];
}
