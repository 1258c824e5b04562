import { readTodos } from "../../core/command/index.ts";
import { PRIORITIES, type Priority, plainList } from "../../core/todo/index.ts";
import { type Command, type Given, has, JSON_OPTION, number, RUN_OPTION, text, UsageError } from "../command.ts";
import { withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { jsonText } from "../json.ts";
import { pickRun, readRun } from "../pick-run.ts";
import { tellOrder } from "../tell-run.ts";

export const todo: Command = {
  name: "todo",
  takes: "<action> [index or text]",
  summary: "Shows or changes the todo list of a run. The agent cannot take your changes back.",
  examples: [
    ["tildone todo", "the list"],
    ['tildone todo add "update the docs" --priority high', "--at 2 chooses the place"],
    ['tildone todo edit 3 "new text"', ""],
    ["tildone todo done 3", "also: reopen, drop, unblock, release"],
    ["tildone todo move 3 0", "move [3] to the top"],
    ["tildone todo clear", ""],
  ],
  completes: [["list", "add", "edit", "done", "reopen", "drop", "unblock", "move", "release", "clear"], "todo", "todo"],
  options: {
    ...RUN_OPTION,
    ...JSON_OPTION,
    at: { type: "string", completes: "todo", value: "index", says: "add: where; without it at the end." },
    priority: {
      type: "string",
      completes: ["high", "medium", "low"],
      value: "p",
      says: "add, edit: high, medium or low.",
    },
    "ask-first": { type: "boolean", says: "add: the agent waits for your release before it." },
  },
  words: 3,
  run: (given, io) => {
    const read = readTodos(given.words.join(" "), {
      at: number(given, "at"),
      priority: priorityOf(given),
      askFirst: has(given, "ask-first"),
    });
    if (read.status === "unclear") throw new UsageError(read.message);
    return read.order.type === "list" ? list(given, io) : tellOrder(io, text(given, "run"), read.order);
  },
};

function list(given: Given, io: Io): Promise<number> {
  return withStore(io, async (store) => {
    const { view } = await readRun(store, await pickRun(store, text(given, "run"), io));
    io.out(has(given, "json") ? jsonText({ run: view.run, todos: view.todos }) : plainList(view.todos));
    return 0;
  });
}

function priorityOf(given: Given): Priority | undefined {
  const value = text(given, "priority");
  if (value === undefined) return undefined;
  const known = PRIORITIES.find((priority) => priority === value);
  if (!known) throw new UsageError(`--priority is high, medium or low, not "${value}".`);
  return known;
}
