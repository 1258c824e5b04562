import { expect, test } from "vitest";
import type { TodoStatus } from "../../core/todo/index.ts";
import { aRun, todos } from "../../testing/index.ts";
import { listWidget } from "./list-widget.ts";

const widget = (statuses: readonly TodoStatus[], most: number, words: readonly object[] = []) => {
  const run = aRun({ todos: todos(...statuses) });
  return listWidget({ ...run, status: "live", ledger: { ...run.ledger, words: words as never } }, most);
};

test.each([
  ["nothing is open", ["completed"], 3, undefined],
  [
    "all of it fits",
    ["completed", "not_started"],
    3,
    ["[##########----------] 1/2 done · 0 proven", expect.stringContaining("– [1]")],
  ],
  [
    "it is longer: from what is in progress on",
    ["not_started", "not_started", "in_progress", "not_started", "not_started"],
    2,
    [
      "[--------------------] 0/5 done",
      expect.stringContaining("● [2]"),
      expect.stringContaining("– [3]"),
      "(3 more: /todos)",
    ],
  ],
  [
    "what is in progress stands at the end",
    ["not_started", "not_started", "in_progress"],
    2,
    [
      "[--------------------] 0/3 done",
      expect.stringContaining("– [1]"),
      expect.stringContaining("● [2]"),
      "(1 more: /todos)",
    ],
  ],
] as const)("%s", (_what, statuses, most, expected) => expect(widget(statuses, most)).toEqual(expected));

test("queued words stand below it, on one line each, also when nothing is open", () => {
  const words = [{ id: "1", text: "first\nand more", kind: "steer" }];
  expect(widget(["completed"], 3, words)).toEqual(["queued: first and more", "(Alt+Up takes back)"]);
});

test("of many queued words the first are shown", () => {
  const words = ["a", "b", "c"].map((text) => ({ id: text, text, kind: "follow-up" }));
  expect(widget(["completed"], 1, words)).toEqual(["queued for the end: a", "(2 more: /queue; Alt+Up takes all back)"]);
});

test("no run, and one that is over, show nothing", () => {
  expect(listWidget(undefined, 3)).toBeUndefined();
  expect(listWidget({ ...aRun({ todos: todos("not_started") }), status: "ended" }, 3)).toBeUndefined();
});
