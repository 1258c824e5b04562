import { Compile } from "typebox/schema";
import { describe, expect, test } from "vitest";
import { configSchema, describeConfig, flagOptions } from "./index.ts";
import { readTree } from "./read-tree.ts";

const schema = Compile(configSchema() as never);
const isFine = (tree: unknown) => readTree(tree, { layer: "user", source: "file" }).problems.length === 0;

describe("the schema and the reader agree", () => {
  test.each([
    [true, {}],
    [true, { $schema: "x", continuation: { enabled: false, countdown: "3s", maxTodoContinuations: 4 } }],
    [true, { continuation: null, hosts: { pi: { countdown: 0, countdownSeconds: 0 } } }],
    [true, { agents: { coder: { enabled: "never", model: "a/b", todoCheckIntervalMs: 5 }, "*": { enabled: true } } }],
    [true, { budget: { tokens: 5, perTodo: { cost: 0.5 } } }],
    [true, { checks: { run: ["npm test", { run: ["make"], timeout: "5m" }], protect: ["a/**"] }, notify: ["bell"] }],
    [true, { approval: { mode: "plan", rules: [{ name: "a", decision: "deny", args: { a: 1 }, modes: ["ask"] }] } }],
    [false, { continuation: { enabled: "yes" } }],
    [false, { continuation: { countdown: 3 } }],
    [false, { continuation: { todoDrivenExecution: 3 } }],
    [false, { continuation: { model: "a/b" } }],
    [false, { hosts: { pi: { model: "a/b" } } }],
    [false, { hosts: { emacs: {} } }],
    [false, { agents: { coder: { budget: 3 } } }],
    [false, { budget: { tokens: 0 } }],
    [false, { budget: { perTodo: { cost: 0 } } }],
    [false, { checks: { run: "npm test" } }],
    [false, { checks: { run: [{ cwd: "a" }] } }],
    [false, { approval: { mode: "maybe" } }],
    [false, { approval: { rules: [{ name: "a" }] } }],
    [false, { notify: 3 }],
    [false, []],
  ])("%s: %j", (expected, tree) => {
    expect([schema.Check(tree), isFine(tree)]).toEqual([expected, expected]);
  });
});

test("every default reads as itself, and every setting has a sentence", () => {
  for (const { key, says, default: shown, scoped } of describeConfig()) {
    expect([key, says]).toEqual([key, expect.stringMatching(/^[A-Z].*\.$/)]);
    expect([key, scoped]).toEqual([key, key.startsWith("continuation.") && key !== "continuation.enabled"]);
    if (/^\d+$|^true$|^false$/.test(shown)) expect([key, isFine(treeOf(key, JSON.parse(shown)))]).toEqual([key, true]);
    else if (/^\d+[a-z]+$/.test(shown)) expect([key, isFine(treeOf(key, shown))]).toEqual([key, true]);
  }
});

const treeOf = (key: string, value: unknown): unknown =>
  key
    .replace("agents.*", "agents.coder")
    .replace("hosts.*", "hosts.pi")
    .split(".")
    .reduceRight<unknown>((inner, word) => ({ [word]: inner }), value);

test("flags and variables, pinned", () => {
  const described = describeConfig();
  expect(described.flatMap(({ flags }) => flags).sort()).toEqual(
    Object.keys(flagOptions)
      .map((name) => `--${name}`)
      .sort(),
  );
  expect(described.flatMap(({ flags }) => flags)).toMatchInlineSnapshot(`
    [
      "--auto-complete-todos",
      "--countdown",
      "--max-continuations",
      "--max-todo-continuations",
      "--til-done-max",
      "--context",
      "--context-every",
      "--model",
      "--max-tokens",
      "--max-cost",
      "--max-minutes",
      "--check",
      "--touches",
      "--approval",
      "--confine",
    ]
  `);
  expect(described.flatMap(({ variables }) => variables)).toMatchInlineSnapshot(`
    [
      "TILDONE_AUTO_COMPLETE_TODOS",
      "TILDONE_COUNTDOWN",
      "TILDONE_MAX_CONTINUATIONS",
      "TILDONE_MAX_TODO_CONTINUATIONS",
      "TILDONE_CONTEXT",
      "TILDONE_CONTEXT_EVERY",
      "TILDONE_MAX_TOKENS",
      "TILDONE_MAX_COST",
      "TILDONE_MAX_MINUTES",
      "TILDONE_CHECK",
      "TILDONE_TOUCHES",
      "TILDONE_ROOM",
      "TILDONE_CHECKPOINTS",
      "TILDONE_APPROVAL",
      "TILDONE_CONFINE",
      "TILDONE_DATABASE_URL",
      "TILDONE_FLEET_SCHEMA",
    ]
  `);
});
