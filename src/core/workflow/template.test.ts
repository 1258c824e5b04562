import { expect, test } from "vitest";
import { resolve, unknownVariables } from "./template.ts";

test.each<[string, string, string]>([
  ["replaced", "a {name} b", "a N b"],
  ["several times", "{name}{name}", "NN"],
  ["unknown ones stay", "{other} {name}", "{other} N"],
  ["one pass only", "{quote}", "{name}"],
  ["an inherited property is no variable", "{constructor} {toString}", "{constructor} {toString}"],
  ["not a name", "{} {a b} {{name}}", "{} {a b} {N}"],
  ["a replacement pattern is text", "{dollar}", "$& $1"],
  ["empty", "", ""],
])("%s", (_name, template, expected) => {
  expect(resolve(template, { name: "N", quote: "{name}", dollar: "$& $1" })).toBe(expected);
});

test("each template knows its own variables, and each unknown one is named once", () => {
  expect(unknownVariables("instructions", "{phaseName} {x} {firstPhaseId} {x}")).toEqual(["x", "firstPhaseId"]);
  expect(unknownVariables("initialMessage", "{firstPhaseId} {phaseName}")).toEqual(["phaseName"]);
});
