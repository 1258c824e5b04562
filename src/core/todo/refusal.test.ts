import { expect, test } from "vitest";
import { history, todos } from "../../testing/index.ts";
import {
  type EditCommand,
  type HumanEdit,
  proposeEdit,
  proposeHumanEdit,
  proposeWrite,
  REFUSALS,
  type Refusal,
  type RefusalCode,
  readEdit,
  readWrite,
  type Todo,
  type TodoInput,
} from "./index.ts";

const two = todos("not_started", "not_started");
const many = (count: number): readonly { readonly text: string }[] =>
  Array.from({ length: count }, (_, index) => ({ text: `n${index}` }));

/** Every refusal there is, by example: what was asked for, and what the one who asked is told to do instead. */
const EXAMPLES: readonly (readonly [RefusalCode, string, () => Refusal | undefined, string])[] = [
  ["no_items", "append nothing", () => append(two), "Mode 'append' needs at least one todo in 'todos'."],
  [
    "too_many_items",
    "a list of 101",
    () => replace([], ...many(101)),
    "101 todos would exceed the maximum of 100 (the list has 0). Merge todos or write fewer.",
  ],
  [
    "too_many_items",
    "two more than fit",
    () => append(todos(...many(99)), ...many(2).map(({ text }) => ({ text: `new ${text}` }))),
    "101 todos would exceed the maximum of 100 (the list has 99). Merge todos or write fewer.",
  ],
  [
    "too_many_indices",
    "an edit of 51",
    () => edit(todos(...many(60)), { action: "start", indices: Array.from({ length: 51 }, (_, index) => index) }),
    "51 indices; the maximum is 50. Split the edit.",
  ],
  [
    "text_empty",
    "blank text",
    () => replace([], { text: "a" }, { text: " \n\t\u0000 " }),
    "The todo at position 1 of 'todos' has no text. Say what is to be done.",
  ],
  [
    "text_too_long",
    "1001 characters",
    () => replace([], { text: "x".repeat(1001) }),
    "The todo at position 0 of 'todos' has 1001 characters; the maximum is 1000. Shorten it or split it.",
  ],
  [
    "field_too_long",
    "a check of 2001 characters",
    () => replace([], { text: "a", check: "x".repeat(2001) }),
    "'check' of the todo at position 0 of 'todos' is too long: at most 50 entries of 2000 characters.",
  ],
  [
    "field_too_long",
    "51 paths",
    () => replace([], { text: "a", touches: many(51).map(({ text }) => text) }),
    "'touches' of the todo at position 0 of 'todos' is too long: at most 50 entries of 2000 characters.",
  ],
  [
    "index_required",
    "insert nowhere",
    () => insert(two, undefined, { text: "a" }),
    "Mode 'insert' needs 'index': give the position the first new todo will have.",
  ],
  [
    "index_out_of_range",
    "insert behind the end",
    () => insert(two, 3, { text: "a" }),
    "Index 3 is out of range (0 to 2).",
  ],
  [
    "index_out_of_range",
    "insert at a fraction",
    () => insert(two, 0.5, { text: "a" }),
    "Index 0.5 is out of range (0 to 2).",
  ],
  [
    "index_out_of_range",
    "edit behind the end",
    () => edit(two, { action: "start", indices: [0, 2, -1] }),
    "Indices [2, -1] are out of range (0 to 1).",
  ],
  [
    "index_out_of_range",
    "move behind the end",
    () => human(two, { action: "move", index: 0, to: 2 }),
    "Position 2 is out of range (0 to 1).",
  ],
  [
    "index_repeated",
    "the same item twice",
    () => edit(two, { action: "start", indices: [1, 1] }),
    "Index 1 is named twice. Name each todo once.",
  ],
  [
    "indices_required",
    "edit nothing",
    () => edit(two, { action: "start", indices: [] }),
    "'indices' is empty: name the todos, for example [0].",
  ],
  [
    "list_empty",
    "edit without a list",
    () => edit([], { action: "start", indices: [0] }),
    "There are no todos. Write the list first with write_todos.",
  ],
  [
    "list_moved",
    "an index after a replace in the same batch",
    () =>
      told(
        history()
          .writes("a", "b")
          .tell({ type: "todos.write", write: { mode: "replace", todos: [{ text: "b" }] }, by: "model", batch: "1" })
          .tell({ type: "todos.edit", edit: { action: "complete", indices: [0] }, by: "model", batch: "1" }),
      ),
    "The list was rewritten earlier in this batch of calls, so these indices may mean other todos. This is the new list; call again.\n\n– [0] b",
  ],
  [
    "text_repeated",
    "the same text twice",
    () => replace([], { text: "Fix it" }, { text: "b" }, { text: " Fix\n it " }),
    "Todos [0] and [2] would have the same text. Keep one, or reword one.",
  ],
  [
    "text_repeated",
    "the text of another item",
    () => append(two, { text: "work on 1" }),
    "Todos [1] and [2] would have the same text. Keep one, or reword one.",
  ],
  [
    "text_repeated",
    "changed to the text of another item",
    () => human(two, { action: "change", index: 0, text: "work on 1" }),
    "Todo [1] already has this text.",
  ],
  [
    "need_unknown",
    "a need on nothing",
    () => replace([], { text: "a", needs: [1] }),
    "The todo at position 0 of 'todos' needs index 1, but the list will have indices 0 to 0.",
  ],
  [
    "need_on_itself",
    "a need on itself",
    () => append(two, { text: "a", needs: [2] }),
    "Todo [2] needs itself. Leave that need out.",
  ],
  [
    "need_on_abandoned",
    "a need on an abandoned item",
    () => append(todos("abandoned"), { text: "a", needs: [0] }),
    "Todo [1] needs todo [0], which is abandoned and will never be completed. Drop that need or add the work again.",
  ],
  [
    "need_cycle",
    "needs in a circle",
    () => replace([], { text: "a", needs: [1] }, { text: "b", needs: [2] }, { text: "c", needs: [0] }),
    "These todos need each other in a circle: [0] -> [1] -> [2] -> [0]. Remove one of the needs.",
  ],
  [
    "needs_unmet",
    "start what needs another",
    () => edit(todos("in_progress", { needs: ["t1"] }), { action: "start", indices: [1] }),
    "Todo [1] needs [0] completed first.",
  ],
  [
    "needs_unmet",
    "complete what needs a todo that left the list",
    () => edit(todos({ needs: ["gone"] }), { action: "complete", indices: [0] }),
    "Todo [0] needs something that is no longer on the list. Block it with that reason, or rewrite the list without the need.",
  ],
  [
    "already_finished",
    "restart a finished item",
    () => edit(todos("completed"), { action: "start", indices: [0] }),
    "Todo [0] is completed and stays so. If there is more to do, append a new todo for it.",
  ],
  [
    "already_finished",
    "done by the human twice",
    () => human(todos("abandoned"), { action: "done", indices: [0] }),
    "Todo [0] is already finished.",
  ],
  [
    "not_finished",
    "reopen an open item",
    () => human(two, { action: "reopen", indices: [1] }),
    "Todo [1] is not finished.",
  ],
  [
    "blocked",
    "complete a blocked item",
    () => edit(todos("blocked"), { action: "complete", indices: [0] }),
    "Todo [0] is blocked. Start it first if it is ready.",
  ],
  [
    "not_blocked",
    "unblock a free item",
    () => human(two, { action: "unblock", indices: [0] }),
    "Todo [0] is not blocked.",
  ],
  [
    "not_released",
    "start what waits for the human",
    () => edit(todos({ askFirst: true }), { action: "start", indices: [0] }),
    "Todo [0] waits for the user's release. Work on another todo, or stop here.",
  ],
  [
    "not_waiting",
    "release what is free",
    () => human(two, { action: "release", indices: [0] }),
    "Todo [0] does not wait for a release.",
  ],
  [
    "no_change",
    "change nothing",
    () => human(two, { action: "change", index: 0 }),
    "Give a new text or a new priority.",
  ],
  [
    "reason_required",
    "block without a word",
    () => edit(two, { action: "block", indices: [0], reason: " \n " }),
    "Action 'block' needs 'reason': say in a sentence why, for the user.",
  ],
  [
    "reason_too_long",
    "abandon with a novel",
    () => edit(two, { action: "abandon", indices: [0], reason: "x".repeat(1001) }),
    "The reason has 1001 characters; the maximum is 1000.",
  ],
  [
    "check_trivial",
    "a check that cannot fail",
    () => replace([], { text: "a", check: "true" }),
    "The check of the todo at position 0 of 'todos' cannot fail, so it proves nothing. Give a command that fails while the work is not done, or leave the check out.",
  ],
  [
    "check_failed",
    "complete while checks run",
    () =>
      told(
        history({ allowsCheck: () => true })
          .writes({ text: "a", check: "npm test" }, { text: "b", check: "npm run lint" })
          .completes(0)
          .completes(1),
      ),
    "Checks are running already. Wait for their result, then complete the todo.",
  ],
  [
    "not_allowed",
    "a subagent writes the list",
    () =>
      told(
        history()
          .writes("a")
          .tell({ type: "todos.write", write: { mode: "append", todos: [{ text: "b" }] }, by: "subagent" }),
      ),
    "A subagent may list and edit todos, not write the list. Report to the main agent what should change.",
  ],
  [
    "unknown_mode",
    "a mode there is not",
    () => read(readWrite({ mode: "merge", todos: [] })),
    "'mode' must be 'replace', 'append' or 'insert', not \"merge\".",
  ],
  [
    "unknown_action",
    "an action there is not",
    () => read(readEdit({ action: "finish", indices: [0] })),
    "'action' must be 'start', 'complete', 'abandon' or 'block', not \"finish\".",
  ],
  [
    "bad_shape",
    "todos as one string",
    () => read(readWrite({ mode: "replace", todos: "a" })),
    "'todos' must be a list of objects with 'text', not \"a\".",
  ],
];

test.each(EXAMPLES)("%s: %s", (code, _asked, refusal, message) => expect(refusal()).toEqual({ code, message }));

test("every refusal has an example", () => {
  const shown = new Set(EXAMPLES.map(([code]) => code));
  expect(Object.keys(REFUSALS).filter((code) => !shown.has(code as RefusalCode))).toEqual([]);
});

test("a refused change leaves the list as it was", () => {
  const it = history().writes("a", "b");
  const before = it.run;
  it.tell({ type: "todos.edit", edit: { action: "complete", indices: [0, 7] }, by: "model" });
  expect(it.run).toBe(before);
});

const ask = { by: "model", firstId: 200 } as const;

function replace(list: readonly Todo[], ...inputs: readonly TodoInput[]) {
  return read(proposeWrite(list, { mode: "replace", todos: inputs, ...ask }));
}
function append(list: readonly Todo[], ...inputs: readonly TodoInput[]) {
  return read(proposeWrite(list, { mode: "append", todos: inputs, ...ask }));
}
function insert(list: readonly Todo[], index: number | undefined, ...inputs: readonly TodoInput[]) {
  return read(proposeWrite(list, { mode: "insert", todos: inputs, ...(index !== undefined && { index }), ...ask }));
}
function edit(list: readonly Todo[], command: EditCommand) {
  return read(proposeEdit(list, command));
}
function human(list: readonly Todo[], command: HumanEdit) {
  return read(proposeHumanEdit(list, command));
}
function told({ reply }: { readonly reply: unknown }) {
  return (reply as { readonly refusal?: Refusal }).refusal;
}
function read(answer: { readonly ok: boolean; readonly refusal?: Refusal }) {
  return answer.refusal;
}
