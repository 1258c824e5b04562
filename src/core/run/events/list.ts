import { clipLine, counted } from "../../text/index.ts";
import { evolveTodos, type TodoEvent } from "../../todo/index.ts";
import type { Envelope } from "../event.ts";
import { evolveTodoLedgers } from "../evolve-todo-ledgers.ts";
import type { Run } from "../run.ts";
import { amount, flag, list, maybe, oneOf, text, texts, todo } from "./form.ts";
import { items, TEXT } from "./line.ts";
import type { Rows } from "./row.ts";

/** The list. What happens to the items themselves is `todo`'s to say. */
export function listEvents(): Rows<TodoEvent> {
  return {
    "todos.written": {
      v: 1,
      means: "The list was written, appended to or inserted into.",
      line: (event) =>
        `list ${event.mode === "replace" ? "written" : event.mode === "append" ? "appended to" : "inserted into"}: ${counted(event.items.length, "todo")}${event.dropped.length > 0 ? `, ${event.dropped.length} dropped` : ""}`,
      fields: {
        mode: oneOf("replace", "append", "insert"),
        items: list(todo),
        order: texts,
        dropped: texts,
        batch: maybe(text),
        native: maybe(flag),
      },
      fold: evolveList,
    },
    "todo.started": {
      v: 1,
      means: "Todos are in progress.",
      line: (event, run) => `started ${items(event.ids, run)}`,
      fields: { ids: texts },
      fold: evolveList,
    },
    "todo.completed": {
      v: 1,
      means: "Todos are completed.",
      line: (event, run) => `completed ${items(event.ids, run)}`,
      fields: { ids: texts },
      fold: evolveList,
    },
    "todo.abandoned": {
      v: 1,
      means: "Todos were given up, with the reason.",
      line: (event, run) => `abandoned ${items(event.ids, run)}: ${clipLine(event.reason, TEXT)}`,
      fields: { ids: texts, reason: text },
      fold: evolveList,
    },
    "todo.blocked": {
      v: 1,
      means: "Todos are blocked, with the reason.",
      line: (event, run) => `blocked ${items(event.ids, run)}: ${clipLine(event.reason, TEXT)}`,
      fields: { ids: texts, reason: text },
      fold: evolveList,
    },
    "todo.reopened": {
      v: 1,
      means: "Todos are open again: a check failed, or you reopened them.",
      line: (event, run) => `reopened ${items(event.ids, run)}`,
      fields: { ids: texts, to: oneOf("not_started", "in_progress") },
      fold: evolveList,
    },
    "todo.released": {
      v: 1,
      means: "You released todos that ask first.",
      line: (event, run) => `released ${items(event.ids, run)}`,
      fields: { ids: texts },
      fold: evolveList,
    },
    "todo.changed": {
      v: 1,
      means: "You changed the text or the priority of a todo.",
      line: (event, run) => `changed ${items([event.id], run)}`,
      fields: { id: text, text: maybe(text), priority: maybe(oneOf("high", "medium", "low")) },
      fold: evolveList,
    },
    "todo.moved": {
      v: 1,
      means: "You moved a todo.",
      line: (event, run) => `moved ${items([event.id], run)}`,
      fields: { id: text, to: amount },
      fold: evolveList,
    },
    "todo.removed": {
      v: 1,
      means: "You removed todos.",
      line: (event) => `removed ${counted(event.ids.length, "todo")}`,
      fields: { ids: texts },
      fold: evolveList,
    },
  };
}

function evolveList(run: Run, event: TodoEvent, envelope: Envelope): Run {
  const todos = evolveTodos(run.plan.todos, event);
  return {
    ...run,
    plan: { ...run.plan, todos },
    ledger: {
      ...evolveTodoLedgers(run.ledger, run.plan.todos, envelope, event),
      ...(event.type === "todos.written" && envelope.by === "model" && { phasePlanned: true }),
      ...(event.type === "todos.written" && envelope.by !== "human" && { list: event.native ? "native" : "ours" }),
    },
  };
}
