import type { HumanEdit, Priority } from "../todo/index.ts";
import { type Order, type ReadOrder, read, unclear } from "./order.ts";

const WITH_INDICES = ["done", "drop", "reopen", "unblock", "release"] as const;

type TodoOrder = Extract<Order, { type: "list" | "clear" | "add" | "edit" }>;

/** What only a terminal can say besides the words. */
export interface TodoOptions {
  readonly at?: number | undefined;
  readonly priority?: Priority | undefined;
  readonly askFirst?: boolean;
}

/** `add <text>`, `done 3 4`, `move 3 0`, `edit 3 <text>`: the indices are those in square brackets of the list. */
export function readTodos(args: string, { at, priority, askFirst = false }: TodoOptions = {}): ReadOrder<TodoOrder> {
  const [word = "", ...rest] = args.split(/\s+/);
  const words = args.slice(word.length).trim();
  const action = WITH_INDICES.find((known) => known === word);
  if (action) {
    const indices = rest.map(indexIn);
    return rest.length === 0 || indices.includes(undefined)
      ? unclear(misread(rest.find((each) => indexIn(each) === undefined)))
      : edit({ action, indices: indices.filter((index) => index !== undefined) });
  }
  switch (word) {
    case "":
    case "list":
      return words === "" ? read({ type: "list" }) : unclear(UNKNOWN(args));
    case "clear":
      return words === "" ? read({ type: "clear" }) : unclear(UNKNOWN(args));
    case "add":
      return words === ""
        ? unclear("Say what to add: add <text>.")
        : read({
            type: "add",
            todo: { text: words, ...(priority && { priority }), ...(askFirst && { askFirst }) },
            ...(at !== undefined && { at }),
          });
    case "move": {
      const [from, to] = rest.map(indexIn);
      return from === undefined || to === undefined || rest.length > 2
        ? unclear(`Give two numbers of the list: move <from> <to>.`)
        : edit({ action: "move", index: from, to });
    }
    case "edit": {
      const index = indexIn(rest[0]);
      if (index === undefined) return unclear(misread(rest[0]));
      const text = words.slice(rest[0]!.length).trim();
      if (text === "" && priority === undefined) return unclear("Say what the new text is: edit <index> <text>.");
      return edit({ action: "change", index, ...(text !== "" && { text }), ...(priority && { priority }) });
    }
    default:
      return unclear(UNKNOWN(args));
  }
}

const edit = (change: HumanEdit): ReadOrder<TodoOrder> => read({ type: "edit", edit: change });

const indexIn = (word: string | undefined): number | undefined =>
  word !== undefined && /^\d+$/.test(word) ? Number(word) : undefined;

const misread = (word: string | undefined): string =>
  word === undefined
    ? "An index is missing: the number in square brackets of the list."
    : `"${word}" is not an index: give the number in square brackets of the list.`;

const UNKNOWN = (args: string): string =>
  `Unknown action "${args}". Use add <text>, ${WITH_INDICES.join("|")} <index...>, move <from> <to>, edit <index> <text>, list or clear.`;
