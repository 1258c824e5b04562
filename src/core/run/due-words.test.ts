import { expect, test } from "vitest";
import { aRun } from "../../testing/index.ts";
import { dueWords, wordsWithPrompt } from "./due-words.ts";
import type { Ledger } from "./run.ts";

const steer = (id: string) => ({ id, text: id, kind: "steer" }) as const;
const later = { id: "later", text: "later", kind: "follow-up" } as const;
const ALL = [steer("a"), later, steer("b")];

test("at a boundary steering goes first, and the rest where there is none", () => {
  expect(dueWords(aRun({ words: ALL })).map(({ id }) => id)).toEqual(["a", "b"]);
  expect(dueWords(aRun({ words: [later] })).map(({ id }) => id)).toEqual(["later"]);
});

test.each<[string, "human" | "host", Partial<Ledger>, readonly string[]]>([
  ["steering, but nothing that is on its way", "human", { sending: ["a"] }, ["b"]],
  ["also with a prompt of the host", "host", {}, ["a", "b"]],
  ["on hold: nothing", "human", { held: true }, []],
  ["switched off: nothing", "human", { off: true }, []],
  ["interrupted: nothing with a prompt of the host", "host", { interrupt: {} }, []],
  ["interrupted: all with your own", "human", { interrupt: {} }, ["a", "b"]],
])("with a prompt: %s", (_what, from, given, expected) =>
  expect(wordsWithPrompt(aRun({ words: ALL, ...given }), from).map(({ id }) => id)).toEqual(expected),
);
