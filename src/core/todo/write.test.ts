import { describe, expect, test } from "vitest";
import { todos } from "../../testing/index.ts";
import { evolveTodos, proposeWrite, type Todo, type TodoEvent, type TodoInput, type WriteCommand } from "./index.ts";

type Given = Partial<Omit<WriteCommand, "todos">>;

function write(list: readonly Todo[], given: Given, ...inputs: readonly (string | TodoInput)[]) {
  const proposal = proposeWrite(list, {
    mode: "replace",
    by: "model",
    firstId: list.length + 1,
    ...given,
    todos: inputs.map((input) => (typeof input === "string" ? { text: input } : input)),
  });
  if (!proposal.ok) throw new Error(proposal.refusal.message);
  const event = proposal.events[0] as TodoEvent & { type: "todos.written" };
  return { list: evolveTodos(list, event), event };
}
const ids = ({ list }: { readonly list: readonly Todo[] }) => list.map(({ id, text }) => `${id} ${text}`);

describe("modes", () => {
  const list = todos({ text: "a" }, { text: "b" });
  test.each([
    ["replace", {}, ["t3 x", "t4 y"]],
    ["append", { mode: "append" }, ["t1 a", "t2 b", "t3 x", "t4 y"]],
    ["insert at the front", { mode: "insert", index: 0 }, ["t3 x", "t4 y", "t1 a", "t2 b"]],
    ["insert between", { mode: "insert", index: 1 }, ["t1 a", "t3 x", "t4 y", "t2 b"]],
    ["insert at the end", { mode: "insert", index: 2 }, ["t1 a", "t2 b", "t3 x", "t4 y"]],
  ] as const)("%s", (_name, given, expected) => expect(ids(write(list, given, "x", "y"))).toEqual(expected));

  test("a replace with nothing clears the list", () => expect(write(list, {}).list).toEqual([]));

  test("an item is what was asked for, and not started", () => {
    const input = {
      text: " Fix\n the  bug\u0007 ",
      priority: "high",
      covers: ["R1"],
      touches: ["*.lock"],
      askFirst: true,
    } as const;
    expect(write([], { firstId: 7 }, input).list).toEqual([
      {
        id: "t7",
        text: "Fix the bug",
        status: "not_started",
        priority: "high",
        needs: [],
        checks: [],
        covers: ["R1"],
        touches: ["*.lock"],
        askFirst: true,
        by: "model",
      },
    ]);
  });

  test("the limits are inclusive", () => {
    const full = write([], {}, ...Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(1000, "x"))).list;
    expect([full.length, full[99]?.text.length, full[99]?.priority]).toEqual([100, 1000, "medium"]);
  });

  test("needs are indices of the list as it will stand", () => {
    const written = write(list, { mode: "insert", index: 0 }, "x", { text: "y", needs: [0, 2] });
    expect(written.list[1]).toMatchObject({ text: "y", needs: ["t3", "t1"] });
  });
});

describe("what a replace continues", () => {
  const MATCHES: readonly (readonly [string, readonly Partial<Todo>[], readonly string[], readonly string[]])[] = [
    ["the same text, wherever it stands", [{ text: "a" }, { text: "b" }], ["b", "a"], ["t2 b", "t1 a"]],
    [
      "a new wording of most of its words",
      [{ text: "Fix the login bug" }],
      ["Fix the login bug in auth.ts"],
      ["t1 Fix the login bug in auth.ts"],
    ],
    ["not one with too few words in common", [{ text: "Fix the login bug" }], ["Fix the tests"], ["t2 Fix the tests"]],
    [
      "the same text before a near one",
      [{ text: "Write the docs now" }, { text: "Write the docs" }],
      ["Write the docs"],
      ["t2 Write the docs"],
    ],
    [
      "the closest wording first",
      [{ text: "one two three four" }, { text: "one two three five" }],
      ["one two three five six", "one two three four six"],
      ["t2 one two three five six", "t1 one two three four six"],
    ],
    [
      "of equally close ones the nearest position",
      [{ text: "test the red part" }, { text: "test the blue part" }],
      ["zzz", "test the green part"],
      ["t3 zzz", "t2 test the green part"],
    ],
    [
      "not a finished item in other words",
      [{ text: "Fix the login bug", status: "completed" }],
      ["Fix the login bug again"],
      ["t2 Fix the login bug again"],
    ],
    ["a finished item by its exact text", [{ text: "a", status: "completed" }], ["a", "b"], ["t1 a", "t2 b"]],
    [
      "each old item once",
      [{ text: "fix the bug" }],
      ["fix the bug now", "fix the bug later"],
      ["t1 fix the bug now", "t2 fix the bug later"],
    ],
  ];
  test.each(MATCHES)("%s", (_name, old, texts, expected) =>
    expect(ids(write(todos(...old), {}, ...texts))).toEqual(expected),
  );

  test("status, reason and fields stay with a continued item; what is given anew changes", () => {
    const [old] = todos({ text: "a", status: "blocked", reason: "no key", covers: ["R1"], priority: "low" });
    expect(write([old!], {}, { text: "a", priority: "high" }).list).toEqual([{ ...old, priority: "high" }]);
  });

  test("a check is added to, never taken away", () => {
    const check = { run: "npm test", by: "plan" } as const;
    const list = todos({ text: "a", checks: [check] });
    expect(write(list, {}, "a").list[0]?.checks).toEqual([check]);
    expect(write(list, {}, { text: "a", check: "npm run lint" }).list[0]?.checks).toEqual([
      check,
      { run: "npm run lint", by: "model" },
    ]);
    expect(write(list, {}, { text: "a", check: "npm test" }).list[0]?.checks).toEqual([check]);
  });

  test("a check of the model is allowed only if a rule says so", () => {
    const given = { allowsCheck: (run: unknown) => run === "npm test" };
    expect(write([], given, { text: "a", check: "npm test" }).list[0]?.checks).toEqual([
      { run: "npm test", by: "model", allowed: true },
    ]);
    expect(write([], given, { text: "a", check: ["npm", "test"] }).list[0]?.checks).toEqual([
      { run: ["npm", "test"], by: "model" },
    ]);
  });

  test.each(["human", "plan"] as const)("what the %s set, the model does not change", (by) => {
    const [old] = todos({
      text: "Fix the login bug",
      by,
      priority: "high",
      covers: ["R1"],
      askFirst: true,
      touches: ["a"],
    });
    const loosened = {
      text: "Fix the login page",
      priority: "low",
      covers: [],
      askFirst: false,
      touches: ["**"],
      needs: [],
    } as const;
    expect(write([old!], {}, loosened).list).toEqual([old]);
    expect(write([old!], { by: "human" }, { ...loosened, askFirst: undefined }).list[0]).toMatchObject({
      priority: "low",
    });
  });

  test("what the user changed is the user's", () => {
    const list = evolveTodos(todos({ text: "a" }), { type: "todo.changed", id: "t1", priority: "high" });
    expect(write(list, {}, { text: "a", priority: "low" }).list[0]).toMatchObject({ priority: "high", by: "human" });
  });

  test("the model may ask for a release, not give it", () => {
    const list = todos({ text: "a", askFirst: true });
    expect(write(list, {}, { text: "a", askFirst: false }).list[0]?.askFirst).toBe(true);
    expect(write(todos({ text: "a" }), {}, { text: "a", askFirst: true }).list[0]?.askFirst).toBe(true);
  });

  test("paths are declared before the work begins", () => {
    const touches = (status: Todo["status"]) =>
      write(todos({ text: "a", status, touches: ["x"] }), {}, { text: "a", touches: ["y"] }).list[0]?.touches;
    expect([touches("not_started"), touches("in_progress")]).toEqual([["y"], ["x"]]);
  });

  test("unfinished items that are left out are named, finished ones just go", () => {
    const list = todos({ text: "a" }, { text: "b", status: "completed" }, { text: "c", status: "blocked" });
    expect(write(list, {}, "zzz").event.dropped).toEqual(["t1", "t3"]);
  });
});

describe("needs on a replace", () => {
  test("stay while what they need stays", () => {
    const list = todos({ text: "a" }, { text: "b", needs: ["t1"] });
    expect(write(list, {}, "b", "a").list[0]).toMatchObject({ id: "t2", needs: ["t1"] });
  });

  test("a need of the plan on an item that was done is met for good, also when it leaves the list", () => {
    const list = todos({ text: "a", status: "completed" }, { text: "b", needs: ["t1"], by: "plan" });
    expect(write(list, {}, "b").list).toMatchObject([{ id: "t2", needs: [] }]);
  });

  test("a need of the plan on an item that the model drops is still a need", () => {
    const list = todos({ text: "a" }, { text: "b", needs: ["t1"], by: "plan" });
    expect(write(list, {}, "b").list).toMatchObject([{ id: "t2", needs: ["t1"] }]);
  });

  test("an old need on an item that was abandoned since does not refuse the new list", () => {
    const list = todos({ text: "a", status: "abandoned" }, { text: "b", needs: ["t1"], by: "plan" });
    expect(ids(write(list, {}, "a", "b", "c"))).toEqual(["t1 a", "t2 b", "t3 c"]);
  });
});
