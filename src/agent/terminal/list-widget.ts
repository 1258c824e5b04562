import type { Run } from "../../core/run/index.ts";
import { oneLine } from "../../core/text/index.ts";
import { countTodos, openTodos, plainLine } from "../../core/todo/index.ts";

const SHOWN = 6;
const CELLS = 20;

/** The list above the editor: how far it is, what is open, what waits to be said. Nothing when there is none of it. */
export function listWidget(run: Run | undefined): string[] | undefined {
  if (run?.status !== "live") return undefined;
  const lines = [...openWork(run), ...run.ledger.words.map(({ text, kind }) => oneLine(`queued (${kind}): ${text}`))];
  return lines.length === 0 ? undefined : lines;
}

function openWork({ plan: { todos } }: Run): readonly string[] {
  const open = openTodos(todos);
  if (open.length === 0) return [];
  const { done, total } = countTodos(todos);
  const full = Math.floor((done / total) * CELLS);
  const more = open.length - SHOWN;
  return [
    `[${"#".repeat(full)}${"-".repeat(CELLS - full)}] ${done}/${total}`,
    ...open.slice(0, SHOWN).map((todo) => oneLine(plainLine(todo, todos.indexOf(todo)))),
    ...(more > 0 ? [`(${more} more: /todos)`] : []),
  ];
}
