import { expect, test } from "vitest";
import { aRun, todos } from "../../testing/index.ts";
import { openWorkText } from "./open-work.ts";

test.each([
  ["an item is free", aRun({ todos: todos("completed", "not_started") }), "Next action: edit_todos start [1]"],
  ["an item is in progress", aRun({ todos: todos("in_progress") }), "Next action: edit_todos complete [0]"],
  [
    "nothing is free",
    aRun({ todos: todos("blocked") }),
    "0/1 done, 1 remaining, none of them free. Tell the user what each waits for.",
  ],
  [
    "the human holds it",
    aRun({ todos: todos("not_started"), held: true }),
    "On hold by the user. Stop working, say what is open, and wait.",
  ],
  ["no list", aRun({ todos: [] }), ""],
])("%s", (_what, run, expected) => expect(openWorkText(run)).toBe(expected));
