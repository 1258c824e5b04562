import type { Trigger } from "../../../core/react/index.ts";
import { type HumanEdit, plainList } from "../../../core/todo/index.ts";
import { showTodos } from "../todos-view.ts";
import { clearRun } from "./clear-run.ts";
import { info, type SessionCommand, saidOf, warning } from "./command.ts";

const WITH_INDICES = ["done", "drop", "reopen", "unblock", "release"] as const;

export const todos: SessionCommand = {
  name: "todos",
  description:
    "See and edit the list; or: add <text>, done|drop|reopen|unblock|release <index...>, move <from> <to>, edit <index> <text>, clear",
  words: ["add ", ...WITH_INDICES.map((word) => `${word} `), "move ", "edit ", "clear"],
  run: async (args, session, ctx) => {
    const list = () => session.list.todos();
    if (args === "" && ctx.mode === "tui") {
      await showTodos(ctx, session);
      return undefined;
    }
    if (args === "") return info(plainList(list()));
    if (args === "clear") return clearRun(session);
    const trigger = readEdit(args);
    if (!trigger)
      return warning(
        `"/todos ${args}" is not understood: add <text>, ${WITH_INDICES.join("|")} <index...>, move <from> <to>, edit <index> <text> or clear.`,
      );
    const reply = await session.tell(trigger);
    return saidOf(reply, plainList(list()));
  },
};

export function readEdit(args: string): Trigger | undefined {
  const [word = "", ...rest] = args.split(/\s+/);
  const words = args.slice(word.length).trim();
  const numbers = rest.map((part) => (/^\d+$/.test(part) ? Number(part) : Number.NaN));
  const areNumbers = numbers.length > 0 && !numbers.some(Number.isNaN);
  const action = WITH_INDICES.find((known) => known === word);
  if (action && areNumbers) return human({ action, indices: numbers });
  switch (word) {
    case "add":
      return words === ""
        ? undefined
        : { type: "todos.write", by: "human", write: { mode: "append", todos: [{ text: words }] } };
    case "move":
      return areNumbers && numbers.length === 2
        ? human({ action: "move", index: numbers[0]!, to: numbers[1]! })
        : undefined;
    case "edit": {
      const text = words.slice(rest[0]?.length ?? 0).trim();
      return text === "" || Number.isNaN(numbers[0])
        ? undefined
        : human({ action: "change", index: numbers[0]!, text });
    }
    default:
      return undefined;
  }
}

const human = (edit: HumanEdit): Trigger => ({ type: "todos.human_edit", edit });
