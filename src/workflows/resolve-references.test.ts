import { describe, expect, test } from "vitest";
import fc from "../../test/builders/properties.ts";
import { aDirectory, keysOf, load, told, workflowFiles } from "../../test/builders/workflow-files.ts";
import type { WorkflowDefinition } from "../core/workflow/index.ts";
import type { ReadDefinition } from "./read-definition.ts";
import { resolveReferences } from "./resolve-references.ts";

/** Workflows as `a>b,c`: a key and what it refers to; `!` marks one with mistakes of its own. */
function read(...graph: readonly string[]): readonly ReadDefinition[] {
  return graph.map((text) => {
    const [name = "", targets = ""] = text.split(">");
    const key = name.replace("!", "");
    const keys = targets.split(",").filter(Boolean);
    const phases = keys.map((subworkflow) => ({ subworkflow }));
    return {
      key,
      file: `${key}.yaml`,
      problems: [],
      references: keys.map((target, index) => ({ key: target, line: index + 1, field: `phases[${index}]` })),
      bytes: 10,
      ...(!name.includes("!") && { definition: { key, phases } as unknown as WorkflowDefinition }),
    };
  });
}

const said = (...graph: readonly string[]) => {
  const { usable, problems } = resolveReferences(read(...graph));
  return {
    usable: usable.map(({ key }) => key).join(" "),
    problems: problems.map(({ workflow, field, message }) => `${workflow} ${field}: ${message}`),
  };
};

describe("cycles of any length are named", () => {
  test.each<[string, readonly string[], string, readonly string[]]>([
    ["none", [], "", []],
    ["a chain", ["a>b", "b>c", "c"], "a b c", []],
    ["a diamond", ["a>b,c", "b>d", "c>d", "d"], "a b c d", []],
    ["the same one twice", ["a>b,b", "b"], "a b", []],
    ["itself", ["a>a", "b"], "b", ["a phases[0]: expected no cycle, got a → a"]],
    [
      "two",
      ["a>b", "b>a"],
      "",
      ["a phases[0]: expected no cycle, got a → b → a", "b phases[0]: expected no cycle, got b → a → b"],
    ],
    [
      "three, beside something sound",
      ["a>x,b", "b>c", "c>a", "x", "y>x"],
      "x y",
      [
        "a phases[1]: expected no cycle, got a → b → c → a",
        "b phases[0]: expected no cycle, got b → c → a → b",
        "c phases[0]: expected no cycle, got c → a → b → c",
      ],
    ],
    [
      "two that share one",
      ["a>b,c", "b>a", "c>a"],
      "",
      [
        "a phases[0]: expected no cycle, got a → b → a",
        "b phases[0]: expected no cycle, got b → a → b",
        "c phases[0]: expected no cycle, got c → a → c",
      ],
    ],
    [
      "behind a cycle",
      ["z>a", "a>a"],
      "",
      [
        'z phases[0]: expected a usable workflow, but "a" is left out (it is part of a cycle, or refers to one)',
        "a phases[0]: expected no cycle, got a → a",
      ],
    ],
  ])("%s", (_name, graph, usable, problems) => expect(said(...graph)).toEqual({ usable, problems }));

  test("one of a thousand", () => {
    const ring = Array.from({ length: 1000 }, (_, index) => `k${index}>k${(index + 1) % 1000}`);
    expect(said(...ring).problems).toHaveLength(1000);
    expect(said(...ring).problems[0]).toMatch(/got k0 → k1 → .* → k14 → … → k986 → .* → k999 → k0 \(1000 workflows\)$/);
  });
});

describe("what refers to something missing or broken is left out, however far away", () => {
  test.each<[string, readonly string[], string, readonly string[]]>([
    ["missing", ["a>b"], "", ['a phases[0]: there is no workflow "b"']],
    [
      "W1: the chain is reported",
      ["a>b", "b>c", "x"],
      "x",
      [
        'a phases[0]: expected a usable workflow, but "b" is left out (b: there is no workflow "c")',
        'b phases[0]: there is no workflow "c"',
      ],
    ],
    [
      "broken",
      ["a>b", "b>c", "c!"],
      "",
      [
        'a phases[0]: expected a usable workflow, but "b" is left out (b: c: it has mistakes of its own)',
        'b phases[0]: expected a usable workflow, but "c" is left out (c: it has mistakes of its own)',
      ],
    ],
    [
      "W21: another capital letter",
      ["a>Review", "review"],
      "review",
      ['a phases[0]: there is no workflow "Review"; did you mean "review"?'],
    ],
    ["a key that every object has", ["a>constructor"], "", ['a phases[0]: there is no workflow "constructor"']],
  ])("%s", (_name, graph, usable, problems) => expect(said(...graph)).toEqual({ usable, problems }));

  test("law: what is usable refers only to usable ones and stands on no cycle; all else has a problem", () => {
    const graphs = fc.array(fc.uniqueArray(fc.nat(8), { maxLength: 4 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(graphs, fc.nat(8), (graph, broken) => {
        const all = graph.map((targets, key) => `${key}${key === broken ? "!" : ""}>${targets.join(",")}`);
        const { usable, problems } = said(...all);
        const kept = usable.split(" ").filter(Boolean).map(Number);
        const named = problems.map((problem) => Number(problem.split(" ")[0]));
        expect(kept.every((key) => graph[key]!.every((target) => kept.includes(target)))).toBe(true);
        expect(kept.some((key) => reaches(graph, key, key))).toBe(false);
        expect([...graph.keys()].every((key) => kept.includes(key) || key === broken || named.includes(key))).toBe(
          true,
        );
        expect([...graph.keys()].filter((key) => isSound(graph, key, broken)).every((key) => kept.includes(key))).toBe(
          true,
        );
      }),
    );
  });
});

test("what is too long or too large with everything it refers to is left out, shared parts counted once", async () => {
  const many = Array.from({ length: 11 }, (_, index) => `p${index}`);
  const tens = Array(10).fill(">x");
  const directory = aDirectory({
    ...workflowFiles("x", many.slice(0, 10)),
    ...workflowFiles("y", [...tens, ...many.slice(0, 1)]),
    ...workflowFiles("z", Array(10).fill(">y")),
  });
  const library = await load(directory);
  expect(told(library, directory)).toEqual([
    "error z/workflow.yaml: phases: expected at most 1000 phases in all, got 1010",
  ]);
  expect(keysOf(library)).toEqual(["x", "y"]);
});

test("a forest of more bytes than a log should carry is left out", () => {
  const large = read("a>b,c", "b>d", "c>d", "d").map((one) => ({ ...one, bytes: 300 * 1024 }));
  const { usable, problems } = resolveReferences(large);
  expect(usable.map(({ key }) => key)).toEqual(["b", "c", "d"]);
  expect(problems.map(({ message }) => message)).toEqual([
    "expected at most 1048576 bytes with everything it refers to, got 1228800",
  ]);
});

function reaches(graph: readonly (readonly number[])[], from: number, to: number): boolean {
  const seen = new Set<number>();
  const open = [...(graph[from] ?? [])];
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    if (here === to) return true;
    if (!seen.has(here)) open.push(...(graph[here] ?? []));
    seen.add(here);
  }
  return false;
}

function isSound(graph: readonly (readonly number[])[], key: number, broken: number): boolean {
  const members = [...graph.keys()].filter((other) => other === key || reaches(graph, key, other));
  const dangling = members.some((member) => graph[member]!.some((target) => target >= graph.length));
  return !dangling && !members.includes(broken) && !members.some((member) => reaches(graph, member, member));
}
