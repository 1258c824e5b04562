import { describe, expect, test } from "vitest";
import { COMMAND_NAMES, type CommandName, type Order, readOrder, readTodos, triggerOf } from "./index.ts";

const orderIn = (name: CommandName, args: string): Order | undefined => {
  const read = readOrder(name, args);
  return read.status === "read" ? read.order : undefined;
};
const toldBy = (name: CommandName, args: string) => {
  const order = orderIn(name, args);
  if (!order || order.type === "list" || order.type === "status" || order.type === "workflow") return undefined;
  return triggerOf(order, () => "id");
};

test.each([
  ["", {}],
  ["20", { continuations: 20 }],
  ["tokens=1000 cost=0.5", { tokens: 1000, cost: 0.5 }],
  ["minutes=30 5", { minutes: 30, continuations: 5 }],
  ["twenty", undefined],
  ["-5", undefined],
  ["0", undefined],
  ["tokens=", undefined],
  ["wishes=3", undefined],
])("extend %s", (args, budget) => expect(toldBy("extend", args)).toEqual(budget && { type: "human.extend", budget }));

const human = (edit: object) => ({ type: "todos.human_edit", edit });

test.each([
  ["done 0 2", human({ action: "done", indices: [0, 2] })],
  ["move 2 0", human({ action: "move", index: 2, to: 0 })],
  ["edit 1 new words  here", human({ action: "change", index: 1, text: "new words  here" })],
  ["add two words", { type: "todos.write", by: "human", write: { mode: "append", todos: [{ text: "two words" }] } }],
  ["clear", { type: "human.clear" }],
  ["done", undefined],
  ["done x", undefined],
  ["move 1", undefined],
  ["move 1 2 3", undefined],
  ["edit 1", undefined],
  ["edit x y", undefined],
  ["add", undefined],
  ["sort", undefined],
  ["list is wrong", undefined],
  ["clear it all", undefined],
])("todos %s", (args, trigger) => expect(toldBy("todos", args)).toEqual(trigger));

test("a terminal says where, how urgent and whether to ask first", () => {
  expect(readTodos("add it", { at: 2, priority: "high", askFirst: true })).toEqual({
    status: "read",
    order: { type: "add", todo: { text: "it", priority: "high", askFirst: true }, at: 2 },
  });
  expect(readTodos("edit 3", { priority: "low" })).toMatchObject({
    order: { edit: { action: "change", index: 3, priority: "low" } },
  });
});

test.each<[CommandName, string, object | undefined]>([
  ["hold", "", { type: "human.hold", now: false }],
  ["hold", "now", { type: "human.hold", now: true }],
  ["hold", "the door", { type: "human.hold", now: false }],
  ["unhold", "", { type: "human.resume" }],
  ["unhold", "use b", { type: "human.resume", words: { id: "id", text: "use b", kind: "steer" } }],
  ["tildone", "on", { type: "continuation.switch", on: true }],
  ["tildone", "off", { type: "continuation.switch", on: false }],
  ["tildone", "accept", { type: "human.accept" }],
  ["tildone", "clear", { type: "human.clear" }],
  ["tildone", "fly", undefined],
  ["cancel-workflow", "", { type: "workflow.step", action: "cancel", by: "human" }],
])("%s %s", (name, args, trigger) => expect(toldBy(name, args)).toEqual(trigger));

test.each([
  ["", { name: "", description: "", replaces: false }],
  ["ship", { name: "ship", description: "", replaces: false }],
  ["ship the parser\nnow", { name: "ship", description: "the parser\nnow", replaces: false }],
  ["--replace ship it", { name: "ship", description: "it", replaces: true }],
])("workflow %j", (args, order) => expect(orderIn("workflow", args)).toEqual({ type: "workflow", ...order }));

describe("any words at all", () => {
  const parts = [
    "",
    "0",
    "1 2",
    "now",
    "x",
    "add",
    "edit 1 a",
    "tokens=5",
    "--replace a b",
    "\n",
    "/",
    "é",
    "-1",
    "1e9",
  ];
  test.each(COMMAND_NAMES)("%s gives an order or a sentence that says what to do", (name) => {
    for (const a of parts)
      for (const b of parts) {
        const read = readOrder(name, `${a} ${b}`);
        if (read.status === "unclear") expect(read.message).toMatch(/[.]$/);
      }
  });
});
