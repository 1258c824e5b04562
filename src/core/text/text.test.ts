import { expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { clipLine, clipText, quoteBlock, width } from "./index.ts";

test("a cut is bounded, said, and never splits a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 30 }), fc.integer({ min: 1, max: 20 }), (text, longest) => {
      const cut = clipText(text, longest);
      expect(cut.length).toBeLessThanOrEqual(longest);
      if (text.isWellFormed()) expect(cut.isWellFormed()).toBe(true);
      if (cut !== text) expect(cut.endsWith("…")).toBe(true);
    }),
  );
  expect(clipText("ab😀cd", 4)).toBe("ab…");
});

test("a line is one line and says nothing to a terminal", () => {
  expect(clipLine(" a\r\n\tb\u001b[31m c\u2028d ", 100)).toBe("a b [31m c d");
});

test("every line of a quote is quoted", () => {
  expect(quoteBlock("a\n\nb\r\nc\u2028d\re", 100)).toBe("> a\n>\n> b\n> c\n> d\n> e");
});

test.each([
  ["a", 1],
  ["字", 2],
  ["⏳✅❌", 6],
  ["✓", 1],
  ["é", 1],
  ["e\u0301", 1],
  ["👍", 2],
])("%s takes %i columns of a terminal", (text, columns) => expect(width(text)).toBe(columns));
