import { expect, test } from "vitest";
import { todos } from "../../../testing/index.ts";
import { shownTodos } from "./render.ts";
import { paintedResult, todoTools } from "./todo-tools.ts";

/** Marks instead of colours: what is painted how can be read. */
const theme = {
  fg: (role: string, text: string) => `<${role}>${text}</>`,
  bold: (text: string) => text,
  strikethrough: (text: string) => `~${text}~`,
} as never;

const tools = todoTools(() => {
  throw new Error("not needed to draw");
});
const drawn = (name: string, args: object) =>
  tools.find((tool) => tool.name === name)!.renderCall!(args as never, theme, {} as never)
    .render(200)
    .map((line) => line.trimEnd());

test.each([
  ["write_todos", { mode: "insert", index: 1, todos: [{ text: "a" }, { text: "b" }] }, "insert (2 todos @1)"],
  ["write_todos", { mode: "replace", todos: [{ text: "a" }] }, "replace (1 todo)"],
  ["edit_todos", { action: "start", indices: [0, 1] }, "start [0, 1]"],
])("a call of %s is drawn in a line", (name, args, words) =>
  expect(drawn(name, args)).toEqual([`<toolTitle>${name}</> <muted>${words}</>`]),
);

test("a call whose arguments have not all arrived is drawn by its name", () => {
  expect([drawn("write_todos", { mode: "rep" }), drawn("edit_todos", {}), drawn("list_todos", {})]).toEqual([
    ["<toolTitle>write_todos</><muted></>"],
    ["<toolTitle>edit_todos</><muted></>"],
    ["<toolTitle>list_todos</><muted></>"],
  ]);
});

test("a result is drawn as the list it left, what is settled struck through, a claim not", () => {
  const [proven, ...others] = todos("completed", "in_progress", "blocked", "abandoned", "not_started", "completed");
  const list = shownTodos([{ ...proven!, proof: "proven" }, ...others]);
  const result = {
    content: [{ type: "text" as const, text: "for the model" }],
    details: { action: "list" as const, todos: list },
  };
  const texts = list.map(({ text }) => text);
  expect(paintedResult(result, false, theme).split("\n")).toEqual([
    `<success>✓</> <accent>[0]</> <dim>~${texts[0]}~</>`,
    `<warning>●</> <accent>[1]</> <text>${texts[1]}</>`,
    expect.stringContaining(`<muted>⏸</> <accent>[2]</> <text>${texts[2]}</>`),
    expect.stringContaining(`<error>✗</> <accent>[3]</> <dim>~${texts[3]}~</>`),
    `<dim>–</> <accent>[4]</> <text>${texts[4]}</>`,
    `<accent>◇</> <accent>[5]</> <text>${texts[5]}</>`,
  ]);
});

test("an error is drawn as its words, a result without details as its text", () => {
  const text = [{ type: "text" as const, text: "no such item" }];
  expect(paintedResult({ content: text, details: undefined }, true, theme)).toBe("<error>no such item</>");
  expect(paintedResult({ content: text, details: undefined }, false, theme)).toBe("<toolOutput>no such item</>");
  const empty = { content: [], details: { action: "list" as const, todos: [] } };
  expect(paintedResult(empty, false, theme)).toBe("<dim>No todos</>");
});

test("every tool runs in order, and only the first one speaks in the system prompt", () => {
  expect(
    tools.map(({ name, executionMode, promptSnippet }) => [name, executionMode, promptSnippet !== undefined]),
  ).toEqual([
    ["write_todos", "sequential", true],
    ["list_todos", "sequential", false],
    ["edit_todos", "sequential", false],
  ]);
});
