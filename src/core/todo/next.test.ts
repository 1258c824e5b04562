import { describe, expect, test } from "vitest";
import { todos } from "../../testing/index.ts";
import { MARKS, nextTodo, plainList, type Todo, themedList, whatItWaitsFor } from "./index.ts";

describe("the next todo", () => {
  const NEXT: readonly (readonly [string, readonly Todo[], string | undefined])[] = [
    ["none of no list", [], undefined],
    ["none when all are finished", todos("completed", "abandoned"), undefined],
    ["the first of equal ones", todos("completed", "not_started", "not_started"), "t2"],
    ["the one of higher priority", todos({ priority: "low" }, {}, { priority: "high" }, { priority: "high" }), "t3"],
    [
      "the one in progress before higher priority",
      todos({ priority: "high" }, { status: "in_progress", priority: "low" }),
      "t2",
    ],
    ["priority among those in progress", todos("in_progress", { status: "in_progress", priority: "high" }), "t2"],
    ["not a blocked one", todos({ status: "blocked", priority: "high" }, {}), "t2"],
    ["not one that needs something open", todos({ priority: "high", needs: ["t2"] }, {}), "t2"],
    ["not one in progress whose need was reopened", todos({ status: "in_progress", needs: ["t2"] }, {}), "t2"],
    ["one whose needs are completed", todos({ priority: "high", needs: ["t2"] }, { status: "completed" }, {}), "t1"],
    ["not one that needs an abandoned item", todos({ needs: ["t2"] }, { status: "abandoned" }), undefined],
    ["not one that needs a todo that left the list", todos({ needs: ["t9"] }), undefined],
  ];
  test.each(NEXT)("%s", (_name, list, expected) => expect(nextTodo(list)?.id).toBe(expected));
});

test("what is not free says what it waits for", () => {
  const list = todos(
    { status: "blocked", reason: "no key" },
    { needs: ["t1"] },
    { needs: ["t1", "t4", "t9"] },
    { status: "abandoned" },
  );
  expect(list.slice(0, 3).map((todo) => whatItWaitsFor(todo, list))).toEqual([
    "no key",
    "needs [0] (blocked)",
    "needs [0] (blocked), [3] (abandoned), a todo that left the list",
  ]);
});

describe("views", () => {
  const list = todos("not_started", "in_progress", "blocked", "completed", "abandoned");

  test("as plain text", () => {
    expect(plainList(list)).toBe("– [0] work on 0\n● [1] work on 1\n⏸ [2] work on 2\n◇ [3] work on 3\n✗ [4] work on 4");
    expect(plainList([])).toBe("No todos");
  });

  test("as segments that a host only colours", () => {
    expect(themedList(list).map(([icon, index, text, reason]) => [icon, index?.text, text, reason?.text])).toEqual([
      [segment("–", "dim"), " [0] ", segment("work on 0", "text"), undefined],
      [segment("●", "warning"), " [1] ", segment("work on 1", "text"), undefined],
      [segment("⏸", "muted"), " [2] ", segment("work on 2", "text"), " (blocked in a test)"],
      [segment("◇", "accent"), " [3] ", segment("work on 3", "text"), undefined],
      [segment("✗", "error"), " [4] ", segment("work on 4", "dim", true), " (abandoned in a test)"],
    ]);
  });

  test("everything that can be known has its own glyph, and claims, proofs and doubts their own colour", () => {
    const all = Object.values(MARKS);
    expect(new Set(all.map(({ glyph }) => glyph)).size).toBe(all.length);
    const told = [MARKS.claimed, MARKS.proven, MARKS.failed, MARKS.suspect, MARKS.blocked];
    expect(new Set(told.map(({ role }) => role)).size).toBe(told.length);
  });
});

function segment(text: string, role: string, struck = false) {
  return { text, role, struck };
}
