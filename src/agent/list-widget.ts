import type { Run } from "../core/run/index.ts";
import { clipLine } from "../core/text/index.ts";
import { countTodos, openTodos, plainLine } from "../core/todo/index.ts";

const SHOWN = 6;
const CELLS = 20;

/** The list above the editor: how far it is, and what is open. Nothing when nothing is open. */
export function listWidget(run: Run | undefined): string[] | undefined {
  if (run?.status !== "live") return undefined;
  const { todos } = run.plan;
  const open = openTodos(todos);
  if (open.length === 0) return undefined;
  const { done, total } = countTodos(todos);
  const full = Math.floor((done / total) * CELLS);
  const more = open.length - SHOWN;
  return [
    `[${"#".repeat(full)}${"-".repeat(CELLS - full)}] ${done}/${total}`,
    ...open.slice(0, SHOWN).map((todo) => clipLine(plainLine(todo, todos.indexOf(todo)), 76)),
    ...(more > 0 ? [`(${more} more: /todos)`] : []),
    ...run.ledger.words.map(({ text, kind }) => clipLine(`queued (${kind}): ${text}`, 76)),
  ];
}
