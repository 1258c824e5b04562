import { expect, test } from "vitest";
import { circlesIn, importsOf } from "./import-graph.ts";

test.each([
  ["a value", 'import { a } from "./a.ts";', [{ target: "./a.ts", kind: "value" }]],
  ["a default and a namespace", 'import a from "a";\nimport * as b from "b";', ["a", "b"].map(value)],
  ["several lines", 'import {\n  a,\n  type B,\n} from "./a.ts";', [value("./a.ts")]],
  ["the file alone", 'import "./a.ts";', [value("./a.ts")]],
  ["passed on", 'export { a } from "./a.ts";\nexport * from "./b.ts";', [value("./a.ts"), value("./b.ts")]],
  ["types only", 'import type { A } from "./a.ts";\nexport type { B } from "./b.ts";', ["./a.ts", "./b.ts"].map(type)],
  ["types one by one: the file is loaded", 'import { type A } from "./a.ts";', [value("./a.ts")]],
  ["later", 'const a = await import("./a.ts");', [{ target: "./a.ts", kind: "later" }]],
  ["the type of what is loaded later", 'let a: typeof import("node:fs");', [type("node:fs")]],
  ["comments", '// import { a } from "./a.ts";\n/* import("./b.ts") */', []],
  ["words of its own", 'export const from = "./a.ts";\nexport function f() {\n  return "x";\n}', []],
])("%s", (_what, text, expected) => expect(importsOf(text)).toEqual(expected));

test.each<[string, Record<string, readonly string[]>, readonly string[]]>([
  ["a line has none", { a: ["b"], b: ["c"], c: [] }, []],
  ["two ways to one place are none", { a: ["b", "c"], b: ["d"], c: ["d"], d: [] }, []],
  ["two", { a: ["b"], b: ["a"] }, ["a b a"]],
  ["the shortest way round", { a: ["b"], b: ["c", "a"], c: ["a"] }, ["a b a"]],
  ["a way into it is none", { a: ["b"], b: ["c"], c: ["b"] }, ["b c b"]],
  ["two apart", { a: ["b"], b: ["a"], c: ["d"], d: ["c"] }, ["a b a", "c d c"]],
  ["itself", { a: ["a"] }, ["a a"]],
])("circles: %s", (_what, graph, expected) => {
  const sets = new Map(Object.entries(graph).map(([node, next]) => [node, new Set(next)]));
  expect(circlesIn(sets).map((circle) => circle.join(" "))).toEqual(expected);
});

function value(target: string) {
  return { target, kind: "value" };
}

function type(target: string) {
  return { target, kind: "type" };
}
