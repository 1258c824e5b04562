import type { BudgetUse } from "../core/run/index.ts";
import { span } from "../core/text/index.ts";
import { themedList } from "../core/todo/index.ts";
import type { RunView } from "../core/view/index.ts";
import type { ReadRun } from "../engine/index.ts";
import type { Io } from "./io.ts";
import { askLines } from "./show-asks.ts";
import { styleOf } from "./style.ts";
import { clip, width, wrap } from "./wrap.ts";

type Screen = Pick<Io, "columns" | "hasColour">;

/** One run on a screen: what it is, its list, why it stands where it stands, what it used. */
export function showRun({ view, seen }: Pick<ReadRun, "view" | "seen">, io: Screen): string {
  const { columns } = io;
  const { now } = seen;
  const asks = askLines(view.asks, io, now);
  return [
    ...asks,
    ...(asks.length > 0 ? [""] : []),
    `${styleOf(io).strong(view.run)}  ${clip(`${view.host}  ${view.cwd}`, columns - view.run.length - 2)}`,
    ...(view.goal === undefined ? [] : [clip(`Goal: ${view.goal}`, columns)]),
    ...(view.workflow === undefined ? [] : [clip(`Workflow: ${view.workflow}`, columns)]),
    "",
    ...todoLines(view, io),
    "",
    ...wrap(view.state.line, columns).split("\n"),
    ...requirementLines(view, columns),
    ...budgetLines(view, columns),
    clip(`Began ${span(now - view.began)} ago. ${usageText(view)}`, columns),
  ].join("\n");
}

function todoLines(view: RunView, io: Screen): string[] {
  const { count } = view;
  if (count.total === 0) return ["No todos."];
  return [`Todos ${bar(count.done, count.total, 20)} ${count.text}`, ...listLines(view, io)];
}

/** One coloured line for each item, no wider than the screen. */
export function listLines({ todos }: Pick<RunView, "todos">, io: Screen): string[] {
  const style = styleOf(io);
  return themedList(todos).map((segments) => {
    let room = io.columns;
    return segments
      .map(({ text, role, struck }) => {
        const shown = clip(text, Math.max(0, room));
        const padded = text.endsWith(" ") && !shown.endsWith(" ") ? `${shown} ` : shown;
        room -= width(padded);
        return room < 0 ? "" : style.role(role, struck ? style.struck(padded) : padded);
      })
      .join("");
  });
}

function requirementLines({ uncovered }: RunView, columns: number): string[] {
  if (uncovered.length === 0) return [];
  return [
    `No todo covers ${uncovered.length === 1 ? "one requirement" : `${uncovered.length} requirements`}:`,
    ...uncovered.slice(0, 10).map(({ id, text }) => clip(`  ${id} ${text}`, columns)),
  ];
}

function budgetLines({ budgets }: RunView, columns: number): string[] {
  return budgets.map((use) =>
    clip(
      `${use.name.padEnd(13)} ${bar(use.used, use.limit, 20)} ${amount(use, use.used)} of ${amount(use, use.limit)}`,
      columns,
    ),
  );
}

const amount = ({ name }: BudgetUse, value: number): string =>
  name === "cost" ? `$${value.toFixed(2)}` : name === "minutes" ? value.toFixed(1) : String(value);

/** `[#####---------------]`; plain characters, so that it reads the same everywhere. */
export function bar(used: number, limit: number, cells: number): string {
  const full = limit <= 0 ? 0 : Math.min(cells, Math.floor((used / limit) * cells));
  return `[${"#".repeat(full)}${"-".repeat(cells - full)}]`;
}

function usageText({ spent }: RunView): string {
  const parts = [
    `told to continue ${spent.continuations === 1 ? "once" : `${spent.continuations} times`}`,
    ...(spent.tokens > 0
      ? [`${spent.tokens} tokens${spent.estimated > 0 ? ` (${spent.estimated} estimated)` : ""}`]
      : []),
    ...(spent.cost > 0 ? [`$${spent.cost.toFixed(2)}`] : []),
    `active ${span(spent.activeMs)}`,
  ];
  const text = parts.join(", ");
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}
