import { expect, test } from "vitest";
import type { TodoStatus } from "../../core/todo/index.ts";
import { endOf, fromTodo, toTodo, whyReadOnly } from "./translate.ts";

test.each([
  ["pending", "not_started"],
  ["in_progress", "in_progress"],
  ["completed", "completed"],
  ["cancelled", "abandoned"],
  ["blocked", undefined],
  ["toString", undefined],
  ["", undefined],
])("status %s of the program -> %s", (status, ours) => {
  expect(fromTodo({ content: "work", status }).status).toBe(ours);
});

test.each([
  ["not_started", "pending"],
  ["in_progress", "in_progress"],
  ["blocked", "pending"],
  ["completed", "completed"],
  ["abandoned", "cancelled"],
] as const satisfies readonly (readonly [TodoStatus, string])[])("our status %s -> %s", (status, theirs) => {
  expect(toTodo({ id: "t1", text: "work", status, priority: "high" })).toEqual({
    id: "t1",
    content: "work",
    status: theirs,
    priority: "high",
  });
});

test.each([
  ["high", "high"],
  ["medium", "medium"],
  ["low", "low"],
  ["P0", undefined],
  [undefined, undefined],
])("priority %s -> %s", (priority, ours) => {
  expect(fromTodo({ content: "work", status: "pending", priority }).priority).toBe(ours);
});

test.each([
  ["text", "text"],
  ["", ""],
  [undefined, ""],
  [7, ""],
])("content %j -> %j", (content, text) => {
  expect(fromTodo({ content, status: "pending" }).text).toBe(text);
});

test.each([
  [{ agent: "coder", hasWritePermission: true }, undefined],
  [{ agent: "plan", hasWritePermission: true }, 'The agent "plan" only plans.'],
  [{ agent: "PLAN", hasWritePermission: true }, 'The agent "PLAN" only plans.'],
  [{ agent: "Planner", hasWritePermission: true }, 'The agent "Planner" only plans.'],
  [{ agent: "coder", hasWritePermission: false }, 'The agent "coder" may not write.'],
  [{ hasWritePermission: true }, undefined],
  [{}, "The agent may not write."],
])("%j: %s", (agent, why) => {
  expect(whyReadOnly(agent)).toBe(why);
});

test.each([
  ["no message", [], { outcome: "completed" }],
  ["an answer", [{ role: "assistant", text: "done" }], { outcome: "completed", text: "done" }],
  ["an abort", [{ role: "assistant", error: { name: "MessageAbortedError" } }], { outcome: "aborted" }],
  ["another spelling", [{ role: "assistant", error: { name: "AbortError" } }], { outcome: "aborted" }],
  [
    "an abort before the last answer",
    [{ role: "assistant", error: { name: "AbortError" } }, { role: "user" }, { role: "assistant" }],
    { outcome: "completed" },
  ],
  [
    "a failure",
    [{ role: "assistant", error: { name: "APIError", data: { message: "503 overloaded" } } }],
    { outcome: "failed", failure: { kind: "overload", message: "503 overloaded" } },
  ],
])("%s is how the turn ended", (_what, messages, end) => {
  expect(endOf(messages, 0)).toEqual(end);
});
