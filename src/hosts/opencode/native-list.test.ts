import { expect, test } from "vitest";
import type { Trigger } from "../../core/react/index.ts";
import type { Todo } from "../../core/todo/index.ts";
import { aRun, todos } from "../../testing/index.ts";
import { mirrorNativeList } from "./native-list.ts";

/** What is told of a native list where ours looks like this. */
async function told(native: unknown, ...ours: readonly Partial<Todo>[]): Promise<readonly Trigger[]> {
  const triggers: Trigger[] = [];
  await mirrorNativeList(native, {
    run: () => (ours.length > 0 ? aRun({ todos: todos(...ours) }) : undefined),
    tell: async (trigger) => {
      triggers.push(trigger);
      return { type: "done", text: "" };
    },
  });
  return triggers;
}

test("the list is mirrored as the model's", async () => {
  expect(await told([{ content: "a", status: "completed", priority: "high" }], { text: "a" })).toEqual([
    { type: "todos.mirror", items: [{ text: "a", status: "completed", priority: "high" }], by: "model" },
  ]);
});

test("what it calls blocked is blocked, with a reason, and only once", async () => {
  const native = [
    { content: "a", status: "pending" },
    { content: "b\n c", status: "blocked" },
    { content: "d", status: "blocked" },
  ];
  const [, ...edits] = await told(native, { text: "a" }, { text: "b c" }, { text: "d", status: "blocked" });
  expect(edits).toEqual([
    {
      type: "todos.edit",
      edit: { action: "block", indices: [1], reason: "blocked in the host's own list" },
      by: "model",
    },
  ]);
});

test("where there is no run nothing is blocked", async () => {
  expect(await told([{ content: "a", status: "blocked" }])).toHaveLength(1);
});
