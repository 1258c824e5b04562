import { expect, test } from "vitest";
import fc from "../../test/builders/properties.ts";
import { createTextTail } from "./text-tail.ts";

function tailOf(most: number, chunks: readonly string[]) {
  const tail = createTextTail(most);
  for (const chunk of chunks) tail.add(chunk);
  return tail.read();
}

test.each([
  ["nothing", 4, [], { text: "", dropped: 0 }],
  ["less than fits", 4, ["ab"], { text: "ab", dropped: 0 }],
  ["more than fits", 4, ["ab", "cd", "ef"], { text: "cdef", dropped: 2 }],
  ["one chunk that is too long", 2, ["abcdef"], { text: "ef", dropped: 4 }],
  ["a character of two halves is not cut apart", 2, ["a😀b"], { text: "b", dropped: 3 }],
])("keeps the end of %s", (_what, most, chunks, expected) => expect(tailOf(most, chunks)).toEqual(expected));

test("whatever is printed: what is kept and what was dropped is all of it, and reading changes nothing", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.string({ maxLength: 15 })), (most, chunks) => {
      const whole = chunks.join("");
      const tail = createTextTail(most);
      for (const chunk of chunks) {
        tail.add(chunk);
        if (chunk.length % 2 === 0) tail.read();
      }
      const { text, dropped } = tail.read();
      expect(whole.endsWith(text)).toBe(true);
      expect(text.length + dropped).toBe(whole.length);
      expect(text.length).toBeLessThanOrEqual(most);
      expect(tail.read()).toEqual({ text, dropped });
    }),
  );
});
