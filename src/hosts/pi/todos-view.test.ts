import { visibleWidth } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import type { Trigger } from "../../core/react/index.ts";
import { listOf } from "../../core/view/index.ts";
import { history } from "../../testing/index.ts";
import { TodosView } from "./todos-view.ts";

const plain = {
  fg: (_role: string, text: string) => text,
  bold: (text: string) => text,
  strikethrough: (text: string) => text,
};

function open(...texts: readonly string[]) {
  const lived = history().writes(...texts);
  const told: Trigger[] = [];
  let closed = 0;
  const view = new TodosView({
    view: () => listOf(lived.run),
    tell: async (trigger) => {
      told.push(trigger);
      return lived.tell(trigger).reply;
    },
    theme: plain as never,
    redraw: () => {},
    close: () => {
      closed++;
    },
  });
  return {
    view,
    told,
    closed: () => closed,
    rows: () => view.render(80),
    press: (...keys: readonly string[]) => keys.map((key) => view.handleInput(key)),
  };
}

const [UP, DOWN, SHIFT_UP, SHIFT_DOWN, ENTER, ESCAPE] = ["\x1b[A", "\x1b[B", "\x1b[1;2A", "\x1b[1;2B", "\r", "\x1b"];

test("shows the list with its keys", () => {
  expect(open("a", "b").rows()).toEqual([
    "Todos 0/2 done",
    "› – [0] a",
    "  – [1] b",
    "↑↓ select · shift+↑↓ move · space done · o reopen · u unblock · r release",
    "a add · e edit · x remove · esc close",
  ]);
  expect(open().rows()[1]).toBe("  No todos");
});

test("keys edit what is under the cursor, and the cursor goes with it", async () => {
  const { view, rows, press } = open("a", "b", "c");
  press(DOWN!, " ");
  expect(rows().slice(1, 4)).toEqual(["  – [0] a", "› ✓ [1] b", "  – [2] c"]);
  press(SHIFT_UP!);
  expect(rows().slice(1, 4)).toEqual(["› ✓ [0] b", "  – [1] a", "  – [2] c"]);
  press("o", SHIFT_DOWN!, SHIFT_DOWN!, SHIFT_DOWN!);
  expect(rows().slice(1, 4)).toEqual(["  – [0] a", "  – [1] c", "› – [2] b"]);
  press("x", UP!, UP!, UP!);
  expect(rows().slice(0, 3)).toEqual(["Todos 0/2 done", "› – [0] a", "  – [1] c"]);
  expect(view.focused).toBe(false);
});

test("words are written in a line of their own; a letter there is no command", () => {
  const { rows, press, told, closed } = open("a");
  press("a", "x", "q", ENTER!);
  expect(rows().slice(1, 3)).toEqual(["› – [0] a", "  – [1] xq"]);
  press("e", "!", ENTER!);
  expect(rows()[1]).toBe("› – [0] a!");
  press("a", "z", ESCAPE!);
  expect([told.length, closed()]).toEqual([2, 0]);
  press(ESCAPE!);
  expect(closed()).toBe(1);
});

test("a refusal is shown until the next key", async () => {
  const { rows, press } = open("a");
  press("o");
  await Promise.resolve();
  expect(rows()).toContain("Todo [0] is not finished.");
  press(DOWN!);
  expect(rows()).not.toContain("Todo [0] is not finished.");
});

test("every line fits, and a long list is shown around the cursor", () => {
  const { view, press, rows } = open(...Array.from({ length: 100 }, (_, at) => `item ${at} 漢字 ${"x".repeat(90)}`));
  for (const width of [10, 40, 80])
    for (const row of view.render(width)) expect(visibleWidth(row)).toBeLessThanOrEqual(width);
  for (let at = 0; at < 60; at++) press(DOWN!);
  expect(rows().length).toBe(18);
  expect(rows().find((row) => row.startsWith("›"))).toContain("[60] item 60");
});
