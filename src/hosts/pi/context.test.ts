import type { ContextEvent } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { aRun, todos } from "../../testing/index.ts";
import { createContext } from "./context.ts";

type Messages = ContextEvent["messages"];
let time = 0;
const says = (role: string) => ({ role, content: role, timestamp: ++time }) as unknown as Messages[number];
const textsOf = (messages: Messages): readonly string[] =>
  messages.map((message) => String((message as { content: unknown }).content));

const [unknown, known] = [false, true].map((listKnown) =>
  aRun({ todos: todos("completed", "in_progress", "not_started"), listKnown }),
);
const later = aRun({ todos: todos("completed", "completed", "not_started"), listKnown: true });
const WHOLE = expect.stringMatching(/^\[tildone\] Todos: 1\/3 done.*\n● \[1\] .*\n– \[2\] /);
const NEXT = "[tildone] Todos: 1/3 done, 2 remaining.\n● [1] work on 1";

test("a list that the agent knows is told shortly, with your words only", () => {
  const context = createContext();
  const first = [says("user")];
  expect(textsOf(context(first, known)!)).toEqual(["user", NEXT]);
  expect(context([...first, says("assistant"), says("toolResult")], later)).toBeUndefined();
});

test("a list that it may not know is told whole, with your words only", () => {
  const context = createContext();
  const first = [says("user")];
  expect(textsOf(context(first, unknown)!)).toEqual(["user", WHOLE]);
  expect(context([...first, says("assistant"), says("toolResult")], later)).toBeUndefined();
});

test("behind a summary it stays as it was told, whatever became of the list", () => {
  const context = createContext();
  const summed = [says("compactionSummary"), says("assistant"), says("toolResult")];
  const told = context(summed, unknown)!;
  expect(textsOf(told)).toEqual(["compactionSummary", WHOLE, "assistant", "toolResult"]);
  expect(context([...summed, says("assistant"), says("toolResult")], later)!.slice(0, 4)).toEqual(told);
});

test("nothing without a run", () => expect(createContext()([says("user")], undefined)).toBeUndefined());
