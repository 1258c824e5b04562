import { expect, test } from "vitest";
import { todos } from "../../testing/index.ts";
import { matchTexts } from "./match.ts";

const old = (...texts: readonly string[]) => todos(...texts.map((text) => ({ text })));

test.each<[string, readonly string[], readonly string[], readonly (string | undefined)[]]>([
  ["the same words, moved", ["a b", "c d"], ["c d", "a b"], ["t2", "t1"]],
  [
    "words added at the end",
    ["Implement sum", "Implement product"],
    ["Implement sum of two numbers", "Implement product"],
    ["t1", "t2"],
  ],
  ["words left out", ["Fix the flaky test in CI"], ["Fix test"], ["t1"]],
  ["half of the words are others", ["Write the parser tests"], ["Write the lexer tests"], ["t1"]],
  ["one word in common is too little", ["Tests"], ["Run tests and look"], [undefined]],
  ["other work with the same verb", ["Implement sum"], ["Implement product"], [undefined]],
  ["the closer of two wins", ["Fix the build", "Fix the build on Windows"], ["Fix the build on Windows now"], ["t2"]],
  ["the nearer of two alike wins", ["Fix it now a", "Fix it now b"], ["Fix it now x", "Fix it now y"], ["t1", "t2"]],
])("%s", (_what, before, now, expected) => {
  expect(matchTexts(now, old(...before)).map((todo) => todo?.id)).toEqual(expected);
});

test("what is finished is continued only by its very words", () => {
  const finished = todos({ text: "Implement sum", status: "completed" });
  expect(matchTexts(["Implement sum of two numbers"], finished)).toEqual([undefined]);
  expect(matchTexts(["Implement sum"], finished)).toEqual(finished);
});
