import { commandLine, DEFAULTS, mayRun } from "../continuation/index.ts";
import type { Receipt, Run } from "../run/index.ts";
import { clipLine, counted, oneLine } from "../text/index.ts";
import {
  type EditCommand,
  isFinished,
  nextTodo,
  openTodos,
  plainList,
  type Repaired,
  type Todo,
  type TodoId,
  type WriteRequest,
} from "../todo/index.ts";
import { listOf, type ViewTodo } from "../view/index.ts";
import { boundedList, countLine, quotedTail, whatIsNext } from "./quote.ts";
import { uncoveredText } from "./requirements.ts";
import { suspectLine } from "./suspect.ts";

/**
 * What the todo tools answer, the same on every host: what changed, how far the list is, and what is next if that is news. A result stays
 * in the conversation and is paid for with every request after it. `seen` is the run as the agent knows it; without it, it may know
 * another list, and is told how this one stands.
 */
export function writtenText(run: Run, { mode, index = 0, todos }: WriteRequest, seen?: Run): string {
  const { todos: list, count } = listOf(run);
  const from = { replace: 0, append: list.length - todos.length, insert: index }[mode];
  const said = SAID[mode](todos.length, from, list.length);
  const open = run.plan.todos.filter((todo) => !isFinished(todo));
  const stands =
    seen && todos.length > 0
      ? `${said} ${countLine(count)}.${listed(unlikeWritten(list.slice(from), todos), list)}`
      : `${said}\n\n${plainList(list)}`;
  return [stands, uncoveredText(run), unrunText(run, open)].filter((part) => part !== "").join("\n\n");
}

const SAID = {
  replace: (count) => `Wrote ${several(count)}.`,
  append: (count, from) => `Appended ${several(count)}: ${span(from, count)}.`,
  insert: (count, from, total) =>
    `Inserted ${several(count)}: ${span(from, count)}.${from + count < total ? ` What stood at [${from}] and after it moved up by ${count}.` : ""}`,
} as const satisfies Record<WriteRequest["mode"], (count: number, from: number, total: number) => string>;

const several = (count: number): string => counted(count, "todo");
const span = (from: number, count: number): string =>
  count === 1 ? `[${from}]` : `[${from}] to [${from + count - 1}]`;

/** A todo that stays keeps its status, and one of yours its text: neither is what the agent wrote just now. */
const unlikeWritten = (list: readonly ViewTodo[], written: WriteRequest["todos"]): readonly ViewTodo[] =>
  list
    .slice(0, written.length)
    .filter(({ status, text }, at) => status !== "not_started" || text !== oneLine(written[at]!.text));

const listed = (todos: readonly ViewTodo[], all: readonly ViewTodo[]): string =>
  todos.length === 0 ? "" : `\n${boundedList(todos, all, DEFAULTS.listInNudge)}`;

const MOST_UNRUN = 5;
const LONGEST_CHECK = 200;

/** The agent proposed them and you did not allow them: it would think that they prove something. */
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
    "Run them yourself before you complete the todos. The user can allow them: `tildone accept --checks`.",
  ].join(" ");
}

/** A start that came before the list it is about. */
export const earlyStartText = (indices: readonly number[]): string =>
  `There is no list yet. Write it with write_todos; [${indices.join(", ")}] starts with it.`;

const DONE = { start: "Started", complete: "Completed", abandon: "Abandoned", block: "Blocked" } as const;

export function editedText(run: Run, { action, indices, start = [] }: EditCommand, seen?: Run): string {
  const said = `${DONE[action]} ${named(indices)}${start.length > 0 ? `, started ${named(start)}` : ""}`;
  const begun = action === "start" ? indices : start;
  // Of what it starts the agent was told when it wrote the list.
  const unproven = [...(action === "complete" ? indices : []), ...(seen ? [] : begun)];
  const about = unproven.flatMap((at) => run.plan.todos[at] ?? []);
  return [since(said, run, seen, indices), unrunText(run, about)].filter((part) => part !== "").join("\n\n");
}

const named = (indices: readonly number[]): string => `[${indices.join(", ")}]`;

/** What was said of a change, and then as much of the list as the agent does not know. */
function since(said: string, run: Run, seen: Run | undefined, changed: readonly number[]): string {
  if (!seen) return `${said}\n\n${howItStands(run)}`;
  const { todos, count } = listOf(run);
  const next = nextTodo(todos);
  const isNews = next === undefined ? count.remaining > 0 : next.id !== nextTodo(seen.plan.todos)?.id;
  const doubted = todos.filter(({ index, proof }) => changed.includes(index) && proof === "suspect");
  const lines = `${said}. ${countLine(count)}.${listed(doubted, todos)}`;
  if (!isNews) return lines;
  const isBegun = next === undefined || next.status === "in_progress";
  return `${lines}${isBegun ? "" : doubted.length > 0 ? "\nNext:" : " Next:"}\n${whatIsNext(todos, DEFAULTS.listInNudge)}`;
}

/** For an agent that may know another list: all of it, or what is open of a long one, within bounds. */
export function howItStands(run: Run): string {
  const { todos, count } = listOf(run);
  const bounds = DEFAULTS.listInNudge;
  if (todos.length <= bounds.items) return boundedList(todos, todos, bounds);
  return `${countLine(count)}.\n${boundedList(openTodos(todos), todos, bounds)}`;
}

export const humanEditedText = (run: Run): string => plainList(listOf(run).todos);

/** The same where checks had to pass first; `begun` are the todos that the same call started. */
export function completedText(run: Run, { ids, begun = [], receipts, seen }: CompletedBy): string {
  const at = (id: TodoId): number => run.plan.todos.findIndex((todo) => todo.id === id);
  const others = receipts.filter(({ owner, status }) => status !== "passed" && !ids.includes(owner));
  const passed = receipts.length - others.length;
  const started = begun.length > 0 ? `, started ${named(begun.map(at))}` : "";
  const proven = `Completed ${named(ids.map(at))}: ${passed === 1 ? "1 check" : `${passed} checks`} passed${started}`;
  const failed = others.map(
    ({ command, tail }) => `A check did not pass: ${clipLine(command, 200)}\n${quotedTail(tail, 1500)}`,
  );
  const suspects = receipts
    .filter(({ suspect }) => suspect)
    .map(({ owner, doubt = "what its check relies on was changed" }) => {
      const index = run.plan.todos.findIndex(({ id }) => id === owner);
      return suspectLine(index < 0 ? "The run's check" : `[${index}]`, doubt);
    });
  return [since(proven, run, seen, ids.map(at)), ...failed.slice(0, 5), ...suspects.slice(0, 5)].join("\n\n");
}

export interface CompletedBy {
  readonly ids: readonly TodoId[];
  readonly begun?: readonly TodoId[];
  readonly receipts: readonly Receipt[];
  readonly seen?: Run | undefined;
}

export function checkFailedText(run: Run, failed: readonly Receipt[]): string {
  const parts = failed.map((receipt) => {
    const index = run.plan.todos.findIndex(({ id }) => id === receipt.owner);
    const ended = receipt.exit === undefined ? `"${receipt.status}"` : `"${receipt.status}" (exit ${receipt.exit})`;
    return `Todo [${index}] is not completed: its check "${clipLine(receipt.command, 200)}" ended ${ended}.\n${quotedTail(receipt.tail, 2000)}`;
  });
  return `${parts.slice(0, 5).join("\n\n")}\n\nFix the problem and complete the todo again.`;
}

/** What could not be taken over from the host's own list as it was; nothing if everything fitted. */
export function repairedText({ blank, cut, surplus, unknown }: Repaired): string {
  const parts = [
    ...(blank > 0 ? [`${blank} without text left out`] : []),
    ...(unknown > 0 ? [`${unknown} with an unknown status left out`] : []),
    ...(surplus > 0 ? [`${surplus} over the limit left out`] : []),
    ...(cut > 0 ? [`${cut} cut short`] : []),
  ];
  return parts.length === 0 ? "" : `Todos of the host's own list: ${parts.join(", ")}.`;
}
