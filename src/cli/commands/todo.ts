import { markedTodos } from "../../core/proof/index.ts";
import type { Trigger } from "../../core/react/index.ts";
import { PRIORITIES, type Priority, plainList } from "../../core/todo/index.ts";
import { openRun } from "../../engine/index.ts";
import { type Command, type Given, has, number, RUN_OPTION, text, UsageError } from "../command.ts";
import { withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { pickRun } from "../pick-run.ts";
import { tellRun } from "../tell-run.ts";

export const todo: Command = {
  name: "todo",
  takes: "<action> [index or text]",
  summary: "Shows or changes the list of a run; what the human says about it stands.",
  details: `  tildone todo list
  tildone todo add "text" [--at 2] [--priority high] [--ask-first]
  tildone todo edit 3 "new text" [--priority low]
  tildone todo done 3        tildone todo reopen 3
  tildone todo drop 3        tildone todo unblock 3
  tildone todo move 3 0      tildone todo release 3`,
  options: {
    ...RUN_OPTION,
    at: { type: "string", value: "index", says: "add: where; without it at the end." },
    priority: { type: "string", value: "p", says: "add, edit: high, medium or low." },
    "ask-first": { type: "boolean", says: "add: the agent waits for your release before it." },
  },
  words: 3,
  run: (given, io) => {
    const action = given.words[0] ?? "list";
    if (action === "list") return list(given, io);
    const trigger = triggerFor(action, given);
    return tellRun(io, text(given, "run"), trigger, (run) => plainList(markedTodos(run)));
  },
};

function list(given: Given, io: Io): Promise<number> {
  return withStore(io, (store) => {
    const card = pickRun(store, text(given, "run"), io);
    io.out(plainList(markedTodos(openRun(store.log, card.run).run)));
    return 0;
  });
}

function triggerFor(action: string, given: Given): Trigger {
  switch (action) {
    case "add":
      return add(given);
    case "edit": {
      const words = given.words[2];
      const priority = priorityOf(given);
      if (words === undefined && !priority)
        throw new UsageError('edit needs new words or --priority: tildone todo edit 3 "text".');
      return human({
        action: "change",
        index: indexOf(given, 1),
        ...(words !== undefined && { text: words }),
        ...(priority && { priority }),
      });
    }
    case "move":
      return human({ action: "move", index: indexOf(given, 1), to: indexOf(given, 2) });
    case "done":
    case "drop":
    case "unblock":
    case "release":
    case "reopen":
      return human({ action, indices: given.words.slice(1).map((_, at) => indexOf(given, at + 1)) });
    default:
      throw new UsageError(
        `There is no todo action "${action}": list, add, edit, done, reopen, drop, move, unblock or release.`,
      );
  }
}

function add(given: Given): Trigger {
  const words = given.words[1];
  if (words === undefined) throw new UsageError('add needs the words: tildone todo add "text".');
  const at = number(given, "at");
  const priority = priorityOf(given);
  return {
    type: "todos.write",
    by: "human",
    write: {
      mode: at === undefined ? "append" : "insert",
      ...(at !== undefined && { index: at }),
      todos: [{ text: words, ...(priority && { priority }), ...(has(given, "ask-first") && { askFirst: true }) }],
    },
  };
}

type Human = Extract<Trigger, { type: "todos.human_edit" }>["edit"];
const human = (edit: Human): Trigger => ({ type: "todos.human_edit", edit });

function indexOf(given: Given, at: number): number {
  const word = given.words[at];
  if (word === undefined || !/^\d+$/.test(word))
    throw new UsageError(
      word === undefined
        ? "An index is missing: the number in square brackets of the list."
        : `"${word}" is not an index: give the number in square brackets of the list.`,
    );
  return Number(word);
}

function priorityOf(given: Given): Priority | undefined {
  const value = text(given, "priority");
  if (value === undefined) return undefined;
  const known = PRIORITIES.find((priority) => priority === value);
  if (!known) throw new UsageError(`--priority is high, medium or low, not "${value}".`);
  return known;
}
