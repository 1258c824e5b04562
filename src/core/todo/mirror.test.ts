import { expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { evolveTodos } from "./evolve.ts";
import { LIMITS } from "./limits.ts";
import { markOf } from "./mark.ts";
import { type NativeItem, proposeMirror } from "./mirror.ts";
import type { Todo, TodoStatus } from "./todo.ts";

const todo = (id: string, text: string, status: TodoStatus = "not_started", by: Todo["by"] = "model"): Todo => ({
  id,
  text,
  status,
  priority: "medium",
  needs: [],
  checks: [],
  covers: [],
  touches: [],
  askFirst: false,
  by,
});

function mirrored(before: readonly Todo[], native: readonly NativeItem[], known?: number) {
  const { events, repaired } = proposeMirror(before, native, 50, "native", known);
  const after = events.reduce(evolveTodos, before);
  return {
    lines: after.map(({ text, status }) => `${markOf({ status }).glyph} ${text}`),
    types: events.map(({ type }) => type),
    repaired,
  };
}

test.each<[string, Todo[], NativeItem[], string[]]>([
  [
    "a first list",
    [],
    [
      { text: "a", status: "in_progress" },
      { text: "b", status: "not_started" },
    ],
    ["● a", "– b"],
  ],
  ["completed", [todo("t1", "a", "in_progress")], [{ text: "a", status: "completed" }], ["◇ a"]],
  ["cancelled", [todo("t1", "a")], [{ text: "a", status: "abandoned" }], ["✗ a"]],
  ["finished, then open again", [todo("t1", "a", "completed")], [{ text: "a", status: "in_progress" }], ["● a"]],
  [
    "a new item",
    [todo("t1", "a", "completed")],
    [
      { text: "a", status: "completed" },
      { text: "b", status: "not_started" },
    ],
    ["◇ a", "– b"],
  ],
  ["blocked stays blocked", [todo("t1", "a", "blocked")], [{ text: "a", status: "not_started" }], ["⏸ a"]],
  ["blocked in the host's own list", [todo("t1", "a")], [{ text: "a", status: "blocked" }], ["⏸ a"]],
  ["finished, then blocked there", [todo("t1", "a", "completed")], [{ text: "a", status: "blocked" }], ["⏸ a"]],
  ["blocked until in progress", [todo("t1", "a", "blocked")], [{ text: "a", status: "in_progress" }], ["● a"]],
  [
    "what the human added stays",
    [todo("t1", "mine", "not_started", "human")],
    [{ text: "a", status: "not_started" }],
    ["– a", "– mine"],
  ],
  [
    "the same words twice",
    [],
    [
      { text: "a", status: "completed" },
      { text: "a", status: "not_started" },
    ],
    ["◇ a", "– a (2)"],
  ],
  ["an emptied list", [todo("t1", "a")], [], []],
])("%s", (_what, before, native, expected) => expect(mirrored(before, native).lines).toEqual(expected));

test("the same list again is no event at all", () => {
  const before = [todo("t1", "a", "in_progress"), todo("t2", "b")];
  expect(
    mirrored(before, [
      { text: "a", status: "in_progress" },
      { text: "b", status: "not_started" },
    ]).types,
  ).toEqual([]);
});

test("what does not fit is cut or skipped, and counted", () => {
  const { repaired, lines } = mirrored(
    [],
    [
      { text: "  \n ", status: "not_started" },
      { text: "x".repeat(2000), status: "not_started" },
      { text: "what is this" },
      ...Array.from({ length: 120 }, (_, at) => ({ text: `item ${at}`, status: "not_started" as const })),
    ],
  );
  expect(repaired).toEqual({ blank: 1, cut: 1, surplus: 21, unknown: 1 });
  expect(lines).toHaveLength(LIMITS.items);
});

test("whatever the host's list holds, ours keeps its rules and has the host's statuses", () => {
  const status = fc.constantFrom<NativeItem["status"]>("not_started", "in_progress", "completed", "abandoned");
  const item = fc.record({ text: fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom("a", "b", "c")), status });
  fc.assert(
    fc.property(fc.array(fc.array(item, { maxLength: 12 }), { maxLength: 6 }), (snapshots) => {
      let list: readonly Todo[] = [];
      let nextId = 1;
      for (const native of snapshots) {
        const { events } = proposeMirror(list, native, nextId);
        list = events.reduce(evolveTodos, list);
        nextId += 20;
        expect(new Set(list.map(({ text }) => text)).size).toBe(list.length);
        const fitting = native.filter(({ text }) => text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim() !== "");
        expect(list.map((each) => each.status)).toEqual(fitting.map((each) => each.status));
      }
    }),
  );
});

test("what is older than the conversation stays, finished or open, until it is cancelled", () => {
  const before = [todo("t1", "a", "completed"), todo("t2", "b"), todo("t7", "reworded since")];
  const list: NativeItem[] = [{ text: "c", status: "in_progress" }];
  expect(mirrored(before, list, 7).lines).toEqual(["● c", "◇ a", "– b"]);
  expect(mirrored(before, list).lines).toEqual(["● c"]);
  expect(mirrored(before, [...list, { text: "b", status: "abandoned" }], 7).lines).toEqual(["● c", "✗ b", "◇ a"]);
});
