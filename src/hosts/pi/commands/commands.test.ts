import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import type { BoundSession } from "../bound-session.ts";
import { registerCommand } from "./command.ts";
import { readBudget } from "./extend.ts";
import { hold } from "./hold.ts";
import { readEdit } from "./todos.ts";

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
])("/extend %s", (args, budget) => expect(readBudget(args)).toEqual(budget));

const human = (edit: object) => ({ type: "todos.human_edit", edit });

test.each([
  ["done 0 2", human({ action: "done", indices: [0, 2] })],
  ["move 2 0", human({ action: "move", index: 2, to: 0 })],
  ["edit 1 new words here", human({ action: "change", index: 1, text: "new words here" })],
  ["add two words", { type: "todos.write", by: "human", write: { mode: "append", todos: [{ text: "two words" }] } }],
  ["done", undefined],
  ["done x", undefined],
  ["move 1", undefined],
  ["edit 1", undefined],
  ["edit x y", undefined],
  ["add", undefined],
  ["sort", undefined],
])("/todos %s", (args, trigger) => expect(readEdit(args)).toEqual(trigger));

test.each([
  ["", ["now"]],
  ["n", ["now"]],
  ["now", null],
  ["later", null],
])("/hold %j offers %j: what stands there in full is sent by Enter", async (prefix, expected) => {
  type Registered = Parameters<ExtensionAPI["registerCommand"]>[1];
  const registered = Promise.withResolvers<Registered>();
  const pi = { registerCommand: (_name: string, command: Registered) => registered.resolve(command) };
  registerCommand(pi as unknown as ExtensionAPI, () => ({}) as BoundSession, hold);
  const { getArgumentCompletions } = await registered.promise;
  const items = await getArgumentCompletions?.(prefix);
  expect(items?.map(({ value }) => value) ?? null).toEqual(expected);
});
