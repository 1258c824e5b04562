import { expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { readEdit, readWrite } from "./read-arguments.ts";

test.each([
  ["no arguments", undefined, "The arguments must be an object with 'mode' and 'todos', not left out."],
  ["no mode", { todos: [] }, "'mode' must be 'replace', 'append' or 'insert', not left out."],
  ["another mode", { mode: "prepend", todos: [] }, `'mode' must be 'replace', 'append' or 'insert', not "prepend".`],
  ["a word as index", { mode: "insert", index: "1", todos: [] }, `'index' must be a whole number, not "1".`],
  ["no list", { mode: "append", todos: "a" }, `'todos' must be a list of objects with 'text', not "a".`],
  ["words for items", { mode: "append", todos: ["a"] }, `'todos[0]' must be an object with 'text', not "a".`],
  [
    "no text in the second item",
    { mode: "append", todos: [{ text: "a" }, {}] },
    "'todos[1].text' must be the text of the todo, not left out.",
  ],
  [
    "a strange priority",
    { mode: "append", todos: [{ text: "a", priority: "urgent" }] },
    `'todos[0].priority' must be 'high', 'medium' or 'low', not "urgent".`,
  ],
  [
    "needs that are no numbers",
    { mode: "append", todos: [{ text: "a", needs: ["0"] }] },
    "'todos[0].needs' must be a list of indices, not a list.",
  ],
])("a write with %s says what is wrong and where", (_what, args, message) =>
  expect(readWrite(args)).toMatchObject({ ok: false, refusal: { message } }),
);

test.each([
  ["another action", { action: "finish", indices: [0] }, "unknown_action"],
  ["one index", { action: "start", indices: 0 }, "bad_shape"],
  ["a reason that is no sentence", { action: "block", indices: [0], reason: 4 }, "bad_shape"],
])("an edit with %s is refused", (_what, args, code) =>
  expect(readEdit(args)).toMatchObject({ ok: false, refusal: { code } }),
);

test("what is left out or null stays away, what is unknown is not taken over", () => {
  expect(
    readWrite({
      mode: "append",
      index: null,
      extra: 1,
      todos: [{ text: "a", priority: null, check: ["x"], id: "t9" }],
    }),
  ).toEqual({ ok: true, value: { mode: "append", todos: [{ text: "a", check: ["x"] }] } });
  expect(readEdit({ action: "start", indices: [1], reason: null })).toEqual({
    ok: true,
    value: { action: "start", indices: [1] },
  });
});

test.each([
  ["with a start", { action: "complete", indices: [0], start: [1] }, { action: "complete", indices: [0], start: [1] }],
  ["without one", { action: "complete", indices: [0], start: null }, { action: "complete", indices: [0] }],
  ["of what it completes", { action: "complete", indices: [0], start: [0] }, { action: "complete", indices: [0] }],
  ["beside a start", { action: "start", indices: [0], start: [0, 1] }, { action: "start", indices: [0, 1] }],
])("an edit %s", (_what, args, value) => expect(readEdit(args)).toEqual({ ok: true, value }));

test("a start that is no list of indices", () =>
  expect(readEdit({ action: "complete", indices: [0], start: 1 })).toMatchObject({
    refusal: { message: "'start' must be a list of whole numbers, for example [1], not 1." },
  }));

test("reading is total: whatever a model sends, there is a value or a sentence", () => {
  fc.assert(
    fc.property(fc.anything(), (args) => {
      for (const read of [readWrite(args), readEdit(args)])
        if (!read.ok) expect(read.refusal.message).toMatch(/must be .*, not .*\.$/s);
    }),
  );
});
