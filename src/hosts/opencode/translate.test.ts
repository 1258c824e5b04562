import { describe, expect, test } from "vitest";
import {
  itemsOf,
  kindsOf,
  lastChoiceOf,
  mayEdit,
  nudgePart,
  seenOf,
  turnFailureOf,
  usageOf,
  wordsPart,
} from "./translate.ts";

describe("OpenCode's own list", () => {
  test.each([
    ["pending", "not_started"],
    ["in_progress", "in_progress"],
    ["completed", "completed"],
    ["cancelled", "abandoned"],
    ["blocked", "blocked"],
    ["later", undefined],
    ["constructor", undefined],
  ])("status %s -> %s", (status, ours) => {
    expect(itemsOf([{ content: "work", status, priority: "high" }])).toEqual([
      { text: "work", priority: "high", ...(ours && { status: ours }) },
    ]);
  });

  test("what is no list is an empty one, what is no item has no words", () => {
    expect([itemsOf(undefined), itemsOf("x"), itemsOf([null, 7])]).toEqual([[], [], [{ text: "" }, { text: "" }]]);
  });
});

test.each([
  ["MessageAbortedError", {}, "aborted"],
  ["AbortError", {}, "aborted"],
  ["ContextOverflowError", { message: "too long" }, "overflow context_full"],
  ["MessageOutputLengthError", {}, undefined],
  ["ContentFilterError", { message: "no" }, "failed refused"],
  ["APIError", { statusCode: 400, message: "bad request" }, "failed other"],
  ["APIError", { statusCode: 429, message: "slow down" }, "failed rate_limit"],
  ["APIError", { statusCode: 503, message: "later" }, "failed overload"],
  ["ProviderAuthError", { message: "no key" }, "failed other"],
])("error %s %j -> %s", (name, data, said) => {
  const trouble = turnFailureOf({ name, data }, 0);
  const kind = trouble && "failure" in trouble ? ` ${trouble.failure.kind}` : "";
  expect(trouble && trouble.type + kind).toBe(said);
});

test("a limit ends when the provider's headers say so", () => {
  const data = { statusCode: 429, message: "slow down", responseHeaders: { "Retry-After": "30", junk: 7 } };
  expect(turnFailureOf({ name: "APIError", data }, 1000)).toMatchObject({
    failure: { kind: "rate_limit", resetAt: 31_000 },
  });
});

const rule = (permission: string, pattern: string, action: "allow" | "ask" | "deny") => ({
  permission,
  pattern,
  action,
});

test.each([
  ["no rule", [], true],
  ["everything allowed", [rule("*", "*", "allow")], true],
  ["asks", [rule("edit", "*", "ask")], true],
  [
    "plan: denied but for its plan files",
    [rule("*", "*", "allow"), rule("edit", "*", "deny"), rule("edit", ".opencode/plans/*.md", "allow")],
    false,
  ],
  ["the last rule wins", [rule("edit", "*", "deny"), rule("*", "*", "allow")], true],
  ["another permission", [rule("bash", "*", "deny")], true],
] as const)("%s: may edit %s", (_what, permission, may) => {
  expect(mayEdit({ permission })).toBe(may);
});

test.each([
  ["our nudge", [nudgePart("r1", { id: "b1", boundary: "b1", kind: "todo", text: "go on" })], "nudge"],
  ["words that we carried", [wordsPart("say")], "words"],
  ["the human", [{ type: "text", text: "hello" }], "human"],
  [
    "the human with a file",
    [
      { type: "text", text: "hello" },
      { type: "text", text: "file", synthetic: true },
    ],
    "human",
  ],
  ["another plugin", [{ type: "text", text: "go", synthetic: true }], "other"],
  ["a picture and no words", [{ type: "file" }], "human"],
])("%s -> %s", (_what, parts, speaker) => {
  expect(lastChoiceOf(parts)).toBe(speaker);
});

test("what an answer used, with reasoning as output and nothing from what is no number", () => {
  expect(
    usageOf({ cost: 0.5, tokens: { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: Number.NaN } } }),
  ).toEqual({ input: 1, output: 5, cacheRead: 4, cacheWrite: 0, cost: 0.5 });
});

test.each([
  ["bash", ["@shell"]],
  ["todowrite", ["@control"]],
  ["question", ["@control"]],
  ["toString", []],
])("tool %s is %j", (tool, kinds) => {
  expect(kindsOf(tool)).toEqual(kinds);
});

describe("what is seen of a call", () => {
  const ran = (exit: number, output = "ok") => seenOf("bash", { command: "npm test" }, { output, metadata: { exit } });

  test("a command, whether it passed, and what it said", () => {
    expect([ran(0).command, ran(1).command]).toEqual([
      { line: "npm test", passed: true, output: "ok" },
      { line: "npm test", passed: false, output: "ok" },
    ]);
  });

  test("the same call with the same result is the same", () => {
    expect(ran(0).digest).toBe(ran(0).digest);
    expect(ran(0).digest).not.toBe(ran(0, "other").digest);
  });

  test("no other tool has a command", () => {
    expect(seenOf("task", { command: "npm test" }, {})).toEqual({ digest: expect.any(String) });
  });
});
