import { commandLine, DEFAULTS, mayRun } from "../continuation/index.ts";
import type { Receipt, Run } from "../run/index.ts";
import { clipLine } from "../text/index.ts";
import {
  type EditCommand,
  isFinished,
  openTodos,
  plainList,
  type Repaired,
  type Todo,
  type TodoId,
  type WriteRequest,
} from "../todo/index.ts";
import { listOf } from "../view/index.ts";
import { boundedList, countLine, NEXT_FEW, quotedTail } from "./quote.ts";
import { uncoveredText } from "./requirements.ts";
import { suspectLine } from "./suspect.ts";

/** What the todo tools answer, the same on every host: what happened, then the list as it stands. */
export function writtenText(run: Run, { mode, index, todos }: WriteRequest): string {
  const said = {
    replace: `Wrote ${todos.length} todo item(s)`,
    append: `Appended ${todos.length} item(s)`,
    insert: `Inserted ${todos.length} item(s) at index ${index}`,
  }[mode];
  const open = run.plan.todos.filter((todo) => !isFinished(todo));
  const parts = [said, plainList(listOf(run).todos), uncoveredText(run), unrunText(run, open)];
  return parts.filter((part) => part !== "").join("\n\n");
}

const MOST_UNRUN = 5;
const LONGEST_CHECK = 200;

/** The agent proposed them and nobody made them theirs: it would think that they prove something. */
function unrunText({ plan }: Run, todos: readonly Todo[]): string {
  const unrun = todos.flatMap((todo) =>
    todo.checks
      .filter((check) => !mayRun(check))
      .map((check) => `[${plan.todos.indexOf(todo)}] ${clipLine(commandLine(check), LONGEST_CHECK)}`),
  );
  if (unrun.length === 0) return "";
  const more = unrun.length > MOST_UNRUN ? ` and ${unrun.length - MOST_UNRUN} more` : "";
  return [
    `tildone does not run checks that you propose: ${unrun.slice(0, MOST_UNRUN).join("; ")}${more}.`,
    "Run them yourself before you complete the items. The user can allow them: `tildone accept --checks`.",
  ].join(" ");
}

/** A start that came before the list it is about. */
export const earlyStartText = (indices: readonly number[]): string =>
  `There is no list yet. Write it with write_todos; [${indices.join(", ")}] starts with it.`;

const DONE = { start: "Started", complete: "Completed", abandon: "Abandoned", block: "Blocked" } as const;

export function editedText(run: Run, { action, indices }: EditCommand): string {
  const about = action === "start" || action === "complete" ? indices.flatMap((at) => run.plan.todos[at] ?? []) : [];
  const parts = [`${DONE[action]} [${indices.join(", ")}]`, howItStands(run), unrunText(run, about)];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Said after every edit, so that a long list must not fill the context with itself: then only what is open, within bounds. */
function howItStands(run: Run): string {
  const { todos, count } = listOf(run);
  const bounds = DEFAULTS.listInNudge;
  if (todos.length <= bounds.items) return boundedList(todos, todos, bounds);
  const few = { ...bounds, items: NEXT_FEW };
  return `${countLine(count)}.\n${boundedList(openTodos(todos), todos, few)}`;
}

export const humanEditedText = (run: Run): string => plainList(listOf(run).todos);

export function completedText(run: Run, ids: readonly TodoId[], receipts: readonly Receipt[]): string {
  const indices = ids.map((id) => run.plan.todos.findIndex((todo) => todo.id === id));
  const others = receipts.filter(({ owner, status }) => status !== "passed" && !ids.includes(owner));
  const proven = `Completed [${indices.join(", ")}]: ${receipts.length - others.length} check(s) passed`;
  const failed = others.map(
    ({ command, tail }) => `A check did not pass: ${clipLine(command, 200)}\n${quotedTail(tail, 1500)}`,
  );
  const suspects = receipts
    .filter(({ suspect }) => suspect)
    .map(({ owner, doubt = "what its check relies on was changed" }) => {
      const index = run.plan.todos.findIndex(({ id }) => id === owner);
      return suspectLine(index < 0 ? "The run's check" : `[${index}]`, doubt);
    });
  return [proven, ...failed.slice(0, 5), ...suspects.slice(0, 5), howItStands(run)].join("\n\n");
}

export function checkFailedText(run: Run, failed: readonly Receipt[]): string {
  const parts = failed.map((receipt) => {
    const index = run.plan.todos.findIndex(({ id }) => id === receipt.owner);
    const ended = receipt.exit === undefined ? `"${receipt.status}"` : `"${receipt.status}" (exit ${receipt.exit})`;
    return `Item [${index}] is not completed: its check "${clipLine(receipt.command, 200)}" ended ${ended}.\n${quotedTail(receipt.tail, 2000)}`;
  });
  return `${parts.slice(0, 5).join("\n\n")}\n\nMend the work, then complete the item again.`;
}

/** What could not be taken over from the host's own list as it was; nothing if everything fitted. */
export function repairedText({ blank, cut, surplus, unknown }: Repaired): string {
  const parts = [
    ...(blank > 0 ? [`${blank} without words left out`] : []),
    ...(unknown > 0 ? [`${unknown} with an unknown status left out`] : []),
    ...(surplus > 0 ? [`${surplus} over the limit left out`] : []),
    ...(cut > 0 ? [`${cut} cut short`] : []),
  ];
  return parts.length === 0 ? "" : `Items of the host's own list: ${parts.join(", ")}.`;
}
