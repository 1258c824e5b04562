import { expect, test } from "vitest";
import { IGNORED, type IgnoredWhy } from "./reaction.ts";
import { readToolCall } from "./read-tool-call.ts";

const write = { mode: "append", todos: [{ text: "a" }] };
const edit = { action: "start", indices: [0] };
const step = (given: object) => ({ type: "trigger", trigger: { type: "workflow.step", by: "model", ...given } });

test.each<[string, unknown, unknown]>([
  ["list_todos", {}, { type: "list" }],
  ["write_todos", write, { type: "trigger", trigger: { type: "todos.write", write, by: "model", batch: "b1" } }],
  ["write_todos", {}, { type: "refused" }],
  ["edit_todos", edit, { type: "trigger", trigger: { type: "todos.edit", edit, by: "model", batch: "b1" } }],
  ["edit_todos", 7, { type: "refused" }],
  ["workflow_step", { action: "next" }, step({ action: "next" })],
  ["workflow_step", { action: "next", summary: null }, step({ action: "next" })],
  ["workflow_step", { action: "loop", summary: "x".repeat(3000) }, step({ action: "loop", summary: "x".repeat(2000) })],
  ["workflow_step", { action: "next", summary: 7 }, { type: "refused", refusal: { code: "bad_shape" } }],
  ["workflow_step", { action: "dance" }, { type: "refused", refusal: { code: "unknown_action" } }],
  ["workflow_step", null, { type: "refused", refusal: { code: "unknown_action" } }],
  ["rm", {}, { type: "unknown" }],
])("%s %j", (name, args, expected) =>
  expect(readToolCall(name, args, "model", "b1")).toMatchObject(expected as object),
);

test("a call that came alone is in no batch, and a step without words says none", () => {
  expect(readToolCall("write_todos", write, "model")).toEqual({
    type: "trigger",
    trigger: { type: "todos.write", write, by: "model" },
  });
  expect(readToolCall("workflow_step", { action: "next" }, "model")).toEqual(step({ action: "next" }));
});

test.each<IgnoredWhy>(["no_run", "not_owner", "run_ended", "not_driver", "duplicate", "nothing_to_do"])(
  "what is ignored because of %s is said in a sentence",
  (why) => expect(IGNORED[why]).toMatch(/^[A-Z].+\.$/),
);
