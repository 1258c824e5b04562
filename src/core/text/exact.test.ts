import { describe, expect, test } from "vitest";
import { exactText } from "../../../test/builders/exact-text.ts";
import fc from "../../../test/builders/properties.ts";
import { exactly } from "./exact.ts";
import { exactLine, exactRows, fold, width } from "./index.ts";

const PIECES = [
  ..."ab z0;&|$`'\"\\#!~/-…⏎⇥",
  ...["\n", "\r", "\t", "\r\n", "\0", "\u001b[2K", "\u001b]0;x\u0007", "\u0085", "\u2028", "\u009b1m", "\u007f"],
  ...["\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\u00a0", "\u3000", "\u00ad", "\ufe0f", "\u{e0041}", "\u2800"],
  ...[
    "\ud800",
    "\udc00",
    "\u0301",
    "e\u0301",
    "é",
    "字",
    "👩‍💻",
    "\ue000",
    "\u{10ffff}",
    "\\u001b",
    "\\u005c",
    "\\u00",
  ],
  ...["\\n", " ".repeat(90), "x".repeat(100), "echo harmless", "touch x", "\\", "[redacted]"],
];
const command = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: "binary", maxLength: 3 })), {
  maxLength: 30,
});

describe("a text that is approved", () => {
  test("is shown with every character, in rows that fit", () => {
    fc.assert(
      fc.property(command, fc.integer({ min: 12, max: 120 }), (pieces, columns) => {
        const text = pieces.join("");
        const rows = exactRows(text, columns);
        expect(exactText(exactly(text))).toBe(text);
        expect(exactText(rows.join(""))).toBe(text);
        for (const row of rows) {
          expect(width(row)).toBeLessThanOrEqual(columns);
          expect(row).not.toMatch(/ $|[^\P{C}]|[\u2028\u2029\u00a0\u3000\u0009]/u);
        }
      }),
      { numRuns: 4_000 },
    );
  });

  test("is another text on the screen whenever it is another text", () => {
    fc.assert(
      fc.property(command, command, (one, other) => {
        const [a, b] = [one.join(""), other.join("")];
        expect(exactRows(a, 76).join("\n") === exactRows(b, 76).join("\n")).toBe(a === b);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ["echo harmless\ntouch x", ["echo harmless⏎", "touch x"]],
    ["a\tb\r\n", ["a⇥b\\u000d⏎"]],
    ["git push \u202eniam", ["git push \\u202eniam"]],
    ["printf '\\u001b'", ["printf '\\u005cu001b'"]],
    ["echo a ", ["echo a\\u0020"]],
    ["rm\u00a0-rf", ["rm\\u00a0-rf"]],
    ["echo grün 字", ["echo grün 字"]],
  ])("%j reads %j", (text, rows) => expect(exactRows(text, 76)).toEqual(rows));

  test("is broken between words, and the space is not lost", () =>
    expect(exactRows("touch made.txt && echo the end", 20)).toEqual(["touch made.txt", " && echo the end"]));

  test("on one line it has its beginning, its end and how much is missing", () => {
    const line = exactLine(`echo harmless${" ".repeat(400)}\n; touch x`, 80);
    expect(width(line)).toBeLessThanOrEqual(80);
    expect(line).toMatch(/^echo harmless +… \d+ more characters … +⏎; touch x$/);
    expect(exactLine("echo a\nb", 80)).toBe("echo a⏎b");
  });

  test("is folded in the middle, never at its end", () => {
    const rows = Array.from({ length: 100 }, (_, at) => `${at}`);
    const shown = fold(rows, 11, (hidden) => `${hidden} hidden`);
    expect(shown).toEqual(["0", "1", "2", "3", "4", "90 hidden", "95", "96", "97", "98", "99"]);
    expect(fold(rows, 100, String)).toBe(rows);
  });
});
