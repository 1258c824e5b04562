// Whatever stands in the files, loading answers: with a workflow, or with a problem that says where.
import { isAbsolute } from "node:path";
import { expect, test } from "vitest";
import fc from "../../test/builders/properties.ts";
import { aDirectory, load, phaseFile, workflowFiles, writeFiles } from "../../test/builders/workflow-files.ts";
import { readPhase } from "./read-phase.ts";
import { loadYamlParser } from "./yaml-text.ts";

const FLOW = `name: The flow
commandName: flow
initialMessage: "Start {workflowName}: {description}"
show: user
loopable: true
sessionNameMaxLength: 40
completionMessage: &done Done.
notDoneReminder: *done
phases:
  - plan.md
  - ../_shared/build.md
  - subworkflow: part
`;
const PLAN = phaseFile(
  "plan",
  `tools:
  blacklist: [edit, "@write"]
availableProfiles: [scout]
checks:
  - npm test
  - run: [make, all]
    timeout: 5s
todos:
  - Write it
  - text: Ask
    priority: high
`,
  "Think about {description}.",
);
const SHARED = { ...workflowFiles("part", ["one"]), "_shared/build.md": phaseFile("build") };

test("10,000 mutated files give a workflow or an error with a path", async () => {
  const outcomes = { loaded: 0, refused: 0 };
  const directory = aDirectory(SHARED);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), mutations), { minLength: 100, maxLength: 100 }), async (files) => {
      for (const [index, [isPhase, mutation]] of files.entries())
        writeFiles(directory, {
          [`f${index}/workflow.yaml`]: isPhase ? FLOW : mutation(FLOW),
          [`f${index}/plan.md`]: isPhase ? mutation(PLAN) : PLAN,
        });
      const { workflows, problems } = await load(directory);
      const loaded = new Set(workflows.map(({ definition }) => definition.key));
      const refused = new Set(problems.filter(({ severity }) => severity === "error").map(({ workflow }) => workflow));
      const keys = files.map((_, index) => `f${index}`);
      expect(keys.filter((key) => loaded.has(key) === refused.has(key))).toEqual([]);
      expect(problems.filter(({ file, message }) => !isAbsolute(file) || message === "")).toEqual([]);
      outcomes.loaded += keys.filter((key) => loaded.has(key)).length;
      outcomes.refused += keys.filter((key) => refused.has(key)).length;
    }),
    { numRuns: 100 },
  );
  expect(outcomes.loaded).toBeGreaterThan(500);
  expect(outcomes.refused).toBeGreaterThan(500);
}, 120_000);

test("random text and random YAML as header, body and definition", async () => {
  const parse = await loadYamlParser();
  const directory = aDirectory(SHARED);
  const texts = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.json(), yamlish);
  await fc.assert(
    fc.asyncProperty(texts, texts, async (first, second) => {
      const read = readPhase(`---\n${first}\n---\n${second}`, parse);
      expect(read.phase === undefined).toBe(read.mistakes.some(({ severity }) => severity === "error"));
      writeFiles(directory, { "flow/workflow.yaml": first, "flow/plan.md": second });
      expect((await load(directory)).problems.some(({ workflow }) => workflow === "flow")).toBe(true);
    }),
    { numRuns: 500 },
  );
}, 60_000);

const pieces = fc.constantFrom(
  "- ",
  ": ",
  "\n",
  "\n  ",
  "---\n",
  "...\n",
  "&a ",
  "*a",
  "!!binary ",
  "!!set {a}",
  "? ",
  "{",
  "}",
  "[",
  "]",
  "|\n ",
  ">-\n ",
  '"',
  "'",
  "#",
  "%YAML 1.1\n",
  "<<: *a",
  "name",
  "phases",
  "tools",
  "null",
  "~",
  "0x1F",
  ".inf",
  "2026-01-01",
  "\t",
  "\u0000",
  "\uD800",
  "__proto__",
  "constructor",
);
const yamlish = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(""));

/** Cut, repeat, insert or replace: what editors, merges and disks do to files. */
const mutations: fc.Arbitrary<(text: string) => string> = fc
  .array(
    fc.tuple(
      fc.constantFrom("cut", "repeat", "insert", "replace", "truncate"),
      fc.nat(1000),
      fc.nat(30),
      fc.oneof(pieces, fc.string({ maxLength: 5 })),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map(
    (steps) => (text) => steps.reduce((now, [how, from, length, piece]) => mutate(now, how, from, length, piece), text),
  );

function mutate(text: string, how: string, from: number, length: number, piece: string): string {
  const at = text.length === 0 ? 0 : from % text.length;
  const [before, middle, after] = [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)];
  switch (how) {
    case "cut":
      return before + after;
    case "repeat":
      return before + middle + middle + after;
    case "insert":
      return before + piece + middle + after;
    case "replace":
      return before + piece + after;
    default:
      return before;
  }
}
