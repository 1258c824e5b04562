import { expect, test } from "vitest";
import { readRequirements } from "./read-requirements.ts";

const said = (text: string) => readRequirements(text).map((requirement) => `${requirement.id}: ${requirement.text}`);

test.each<[string, string, readonly string[]]>([
  ["boxes", "# Plan\n- [ ] parse\n* [ ] print\n", ["R1: parse", "R2: print"]],
  ["a ticked box is done", "- [x] parse\n- [ ] print\n- [X] ship", ["R1: print"]],
  ["all ticked: nothing is asked, also not by numbers", "- [x] parse\n\n1. one\n2. two", []],
  ["boxes in a numbered list", "1. [ ] parse\n2. [ ] print", ["R1: parse", "R2: print"]],
  ["boxes within boxes", "- [ ] parse\n  - [ ] numbers\n  - [x] names", ["R1: parse", "R2: numbers"]],
  ["numbers, where there is no box", "Please:\n1. parse\n2) print", ["R1: parse", "R2: print"]],
  ["numbers of sections", "1.1 parse\n1.2 print", ["R1.1: parse", "R1.2: print"]],
  ["one number is no list", "Do this in\n2024 or later", []],
  [
    "ids of their own",
    "- [ ] AUTH-1: log in\n- [ ] [pay] take money\n- [ ] **R7** ship",
    ["AUTH-1: log in", "pay: take money", "R7: ship"],
  ],
  ["the same id twice", "1. R1: a\n2. R1: b", ["R1: a", "R1-2: b"]],
  ["an item over two lines", "1. parse the\n   whole file\n2. print", ["R1: parse the whole file", "R2: print"]],
  ["bullets below an item are not part of it", "1. parse\n   - quickly\n2. print", ["R1: parse", "R2: print"]],
  ["code is no plan", "```\n- [ ] no\n1. no\n2. no\n```\n- [ ] yes", ["R1: yes"]],
  ["prose asks for nothing we could count", "Make it fast and nice.", []],
  ["an empty text", "", []],
  ["carriage returns", "- [ ] a\r\n- [ ] b\r\n", ["R1: a", "R2: b"]],
])("%s", (_what, text, expected) => expect(said(text)).toEqual(expected));

test("a plan is bounded in number and length", () => {
  const many = Array.from({ length: 300 }, (_, index) => `- [ ] item ${index} ${"x".repeat(2000)}`).join("\n");
  const read = readRequirements(many);
  expect([read.length, read[0]!.text.length]).toEqual([200, 1000]);
});
