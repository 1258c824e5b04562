import { expect, test } from "vitest";
import type { Call } from "../../../src/testing/index.ts";
import fc from "../../builders/properties.ts";
import { calls, openInProcess, says } from "./in-process.ts";

const GOOD: Call = ["write_todos", { mode: "replace", todos: [{ text: "a" }, { text: "b" }, { text: "c" }] }];

/** Values that a model may send where something else belongs. */
const junk = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(null, true, -1, 1.5, 1e9, "", "  ", "\u0000", [], {}, [null], [[]], "x".repeat(2000)),
);
const badItem = fc.oneof(
  fc.constantFrom(
    {},
    { text: "" },
    { text: " \n\t " },
    { text: "y".repeat(1001) },
    { text: "a", needs: [9] },
    { text: "n", needs: [0] },
  ),
  fc.record({ text: fc.constant("z"), priority: fc.constantFrom("urgent", "HIGH") }),
  fc.record({ text: fc.constant("z"), needs: fc.constantFrom("none", [0.5], [-1], ["x"]) }),
  fc.record({ text: fc.constant("z"), check: fc.constantFrom("true", "exit 0", ["true"], { run: "x" }) }),
  fc.constantFrom("just words", 7, null),
);
const badWrite = fc.oneof(
  fc.record({ mode: fc.constantFrom("prepend", "clear", 3, null), todos: fc.constant([{ text: "z" }]) }),
  fc.record({ mode: fc.constant("replace"), todos: junk.filter((value) => !Array.isArray(value) || value.length > 0) }),
  fc.record({ mode: fc.constantFrom("append", "insert"), todos: fc.constant([]) }),
  fc.record({
    mode: fc.constant("insert"),
    index: fc.constantFrom(-1, 99, 0.5, "first"),
    todos: fc.constant([{ text: "z" }]),
  }),
  fc.record({ mode: fc.constant("insert"), todos: fc.constant([{ text: "z" }]) }),
  fc.record({ mode: fc.constant("replace"), todos: fc.tuple(badItem) }),
  fc.record({ mode: fc.constant("append"), todos: fc.constantFrom([{ text: "a" }], [{ text: "q" }, { text: "q" }]) }),
  fc.record({
    mode: fc.constantFrom("replace", "append"),
    todos: fc.constant(Array.from({ length: 101 }, (_, i) => ({ text: `${i}` }))),
  }),
  fc.constantFrom({}, { todos: [{ text: "z" }] }, { mode: "append" }),
);
const badEdit = fc.oneof(
  fc.record({ action: fc.constantFrom("finish", "COMPLETE", 1, null), indices: fc.constant([0]) }),
  fc.record({
    action: fc.constantFrom("start", "complete"),
    indices: fc.constantFrom([], [3], [-1], [0, 0], [0, 99], [0.5], "all", ["x"], {}),
  }),
  fc.record({
    action: fc.constantFrom("block", "abandon"),
    indices: fc.constant([0]),
    reason: fc.constantFrom("", "  ", null, "r".repeat(1001)),
  }),
  fc.record({ action: fc.constantFrom("block", "abandon"), indices: fc.constant([0]) }),
  fc.record({ action: fc.constant("start"), indices: fc.constant(Array.from({ length: 51 }, (_, i) => i)) }),
  fc.constantFrom({}, { action: "start" }, { indices: [0] }),
);
const badCall: fc.Arbitrary<Call> = fc.oneof(
  badWrite.map((args): Call => ["write_todos", args]),
  badEdit.map((args): Call => ["edit_todos", args]),
);

test("bad input of every kind: an error that says what to do, and the list unchanged", async () => {
  const samples = fc.sample(badCall, { numRuns: 300, seed: 4711 });
  await using pi = await openInProcess();
  const batches = Array.from({ length: 10 }, (_, at) => calls(...samples.slice(at * 30, at * 30 + 30)));
  pi.faux.setResponses([calls(GOOD), ...batches, calls(["list_todos", {}]), says("I see.")]);
  // One turn: what is refused is no work, so nothing is told to continue before the last words.
  const heard = new Map<string, string>();
  await pi.session.prompt("go");
  const results = pi.session.messages.flatMap((message) =>
    message.role === "toolResult"
      ? [{ isError: message.isError, text: JSON.stringify(message.content), details: message.details }]
      : [],
  );
  const tried = results.slice(1, 1 + samples.length);
  const accepted = tried.flatMap(({ isError }, at) => (isError ? [] : [JSON.stringify(samples[at])]));
  expect(accepted).toEqual([]);
  for (const { text } of tried) {
    heard.set(text, text);
    expect(text.length).toBeGreaterThan(30);
  }
  expect(heard.size).toBeGreaterThan(30);
  expect(results[1 + samples.length]).toMatchObject({ text: expect.stringContaining("– [0] a\\n– [1] b\\n– [2] c") });
  // What pi's own validation refuses never reaches the tool; every refusal of ours carries the list as it stands.
  const ours = tried.filter(({ text }) => !text.includes("Validation failed for tool"));
  expect(ours.length).toBeGreaterThan(50);
  expect(ours.filter(({ details }) => !JSON.stringify(details).includes('"text":"c"'))).toEqual([]);
});
