import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ModelRequest } from "../../src/testing/index.ts";
import { piTool } from "../../test/e2e/pi/pi-tool.ts";
import { personaNamed as persona } from "./a-cell.ts";
import { boundedScript, countsOf, type Directions, isDoneByNow, isReallyDone, layOut, needs } from "./play.ts";
import { ownList } from "./tools.ts";

const request = (...users: readonly string[]): ModelRequest => ({
  system: "",
  tools: ["bash"],
  messages: users.map((text) => ({ role: "user", text })),
  body: {},
});

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "until-done-"));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));
const put = (path: string, text: string) => writeFileSync(join(project, path), text);
const [SUM, PRODUCT] = ["sum() { echo $(($1 + $2)); }\n", "product() { echo $(($1 * $2)); }\n"];

test.each([
  ["nothing was done", false, "does what is asked", {}],
  ["both are written", true, "does what is asked", { "src/sum.sh": SUM, "src/product.sh": PRODUCT }],
  ["the check was made to pass", false, "does what is asked", { "check.sh": "exit 0\n" }],
  ["a test was made to pass", false, "does what is asked", { "src/sum.sh": SUM, "test/product.test.sh": "exit 0\n" }],
  ["nothing was done and no check was asked for", false, "clears the list", {}],
  [
    "a test was changed as it was declared",
    true,
    "rewrites a test it declared",
    { "src/sum.sh": "sum() { echo 1; }\n", "test/sum.test.sh": "exit 0\n", "src/product.sh": PRODUCT },
  ],
])("%s: done is %s", (_situation, expected, name, files) => {
  layOut(persona(name), project);
  for (const [path, text] of Object.entries(files)) put(path, text);
  expect(isReallyDone(persona(name), project)).toBe(expected);
});

const said = (role: "user" | "assistant" | "tool", text = "") => ({ role, text });
const talk = (...messages: readonly { role: "user" | "assistant" | "tool"; text: string }[]): ModelRequest => ({
  ...request(),
  messages: [said("user", "do it"), ...messages],
});
const [ANSWER, CALL, STOP, NUDGE] = [said("tool"), said("assistant"), said("assistant", "ok"), said("user", "go on")];

test.each<[situation: string, expected: { requests: number; nudges: number; added: number }, ...ModelRequest[]]>([
  ["no word is added", { requests: 2, nudges: 0, added: 0 }, talk(), talk(CALL, ANSWER)],
  ["two nudges", { requests: 3, nudges: 2, added: 10 }, talk(), talk(STOP, NUDGE), talk(STOP, NUDGE, STOP, NUDGE)],
  [
    "a nudge counts once, when it comes",
    { requests: 3, nudges: 1, added: 5 },
    talk(),
    talk(STOP, NUDGE),
    talk(STOP, NUDGE),
  ],
  ["two messages at once are one nudge", { requests: 2, nudges: 1, added: 10 }, talk(), talk(STOP, NUDGE, NUDGE)],
  [
    "a nudge without an answer does not count again with the next",
    { requests: 4, nudges: 2, added: 10 },
    talk(),
    talk(STOP, NUDGE),
    talk(STOP, NUDGE),
    talk(STOP, NUDGE, NUDGE),
  ],
  [
    "what comes along with results is a remark",
    { requests: 2, nudges: 0, added: 5 },
    talk(),
    talk(CALL, ANSWER, NUDGE),
  ],
  [
    "a turn that failed is taken up with a nudge",
    { requests: 2, nudges: 1, added: 5 },
    talk(CALL, ANSWER),
    talk(CALL, ANSWER, NUDGE),
  ],
  [
    "a summary in place of what was said is none",
    { requests: 2, nudges: 0, added: 0 },
    talk(CALL, ANSWER, ANSWER),
    talk(said("user")),
  ],
  [
    "a summary before what is kept is none",
    { requests: 2, nudges: 0, added: 0 },
    talk(CALL, ANSWER),
    talk(said("user"), CALL, ANSWER),
  ],
  [
    "what a host says after its own summary is none",
    { requests: 2, nudges: 0, added: 0 },
    talk(CALL, ANSWER, CALL, ANSWER),
    talk(said("assistant", "<summary>what was said</summary>"), NUDGE),
  ],
  [
    "words after a summary and the model's own are one",
    { requests: 2, nudges: 1, added: 5 },
    talk(CALL, ANSWER, CALL, ANSWER),
    talk(STOP, NUDGE),
  ],
  [
    "what is asked for on the side does not count",
    { requests: 1, nudges: 0, added: 0 },
    talk(),
    { ...talk(STOP, NUDGE), tools: [] },
  ],
])("%s", (_situation, expected, ...requests) => expect(countsOf(requests)).toMatchObject(expected));

const bounded = (name: string, directions: Partial<Directions> = {}) => {
  const { script, inWait } = boundedScript(persona(name), { toolOf: piTool, abort: () => {}, ...directions });
  return { answer: script as (asked: ModelRequest) => { after?: Promise<unknown>; text?: string }, inWait };
};

test("a runaway is ended, requests on the side are not counted", () => {
  const { answer: script } = bounded("says ok");
  for (let count = 1; count <= 150; count++) {
    script({ ...request("a title?"), tools: [] });
    expect(script(request("do it"))).not.toHaveProperty("status");
  }
  expect(script(request("do it"))).toHaveProperty("status", 400);
});

test("where the user aborts, the model keeps the host waiting", () => {
  let aborts = 0;
  const { answer: script } = bounded("is aborted by the human", { abort: () => aborts++ });
  expect(script(request("do it"))).not.toHaveProperty("after");
  expect(aborts).toBe(0);
  expect(script(request("do it"))).toHaveProperty("after");
  expect(aborts).toBe(1);
  expect(script(request("do it"))).not.toHaveProperty("after");
});

test("an agent in the background is started before the model waits for it, and has a conversation of its own", () => {
  const means = { background: (prompt: string) => ["agent", { prompt }] as const };
  const { answer: script } = bounded("waits for background work", { means });
  const [, , starts, waits, works] = Array.from({ length: 5 }, () => script(request("do it")));
  const prompt = (starts as { calls: [[string, { prompt: string }]] }).calls[0][1].prompt;
  expect(waits).toHaveProperty("text", "An agent writes product; I wait for it.");
  expect(works).toHaveProperty("calls");
  expect(script(request(prompt))).toHaveProperty("text", "Product is looked after.");
  expect(countsOf([request("do it"), request(prompt)])).toMatchObject({ requests: 1 });
});

test.each([
  ["before its agent is ready", 1, true],
  ["after it", 0, false],
])("a model that waits and is asked %s is disturbed %i times", async (_when, expected, isEarly) => {
  vi.useFakeTimers();
  try {
    const means = { background: (prompt: string) => ["agent", { prompt }] as const };
    const { answer, inWait } = bounded("waits for background work", { means });
    const [, , starts] = Array.from({ length: 4 }, () => answer(request("do it")));
    const { after } = answer(request((starts as { calls: [[string, { prompt: string }]] }).calls[0][1].prompt));
    if (isEarly) answer(request("do it", "go on"));
    await vi.advanceTimersByTimeAsync(10_000);
    await after;
    answer(request("do it", "go on"));
    expect(inWait()).toBe(expected);
  } finally {
    vi.useRealTimers();
  }
});

test("a judge is told what the check says, and disturbs nothing", () => {
  layOut(persona("does what is asked"), project);
  const isDone = () => isDoneByNow(persona("does what is asked"), project);
  const { answer } = bounded("does what is asked", { isDone });
  const judge = { ...request("reached?"), tools: [], system: "You are evaluating a stop-condition hook." };
  put("check.sh", "exit 0\n");
  expect(answer(judge).text).toContain('"ok":false');
  expect(readFileSync(join(project, "check.sh"), "utf8")).toBe("exit 0\n");
  for (const [path, text] of [["src/sum.sh", SUM] as const, ["src/product.sh", PRODUCT] as const]) put(path, text);
  expect(answer(judge).text).toContain('"ok":true');
  expect(countsOf([request("do it"), judge])).toMatchObject({ requests: 1, judged: 1 });
});

test("where the host compacts the model says that its context is full", () => {
  const name = "overflows its context and is compacted";
  const fullIn = (which: "this" | "the one before") => {
    const means = { compacts: { tokens: 9000, in: which } };
    expect(needs(persona(name), means)).toBeUndefined();
    const { answer: script } = bounded(name, { means });
    return Array.from({ length: 4 }, () => "usage" in script(request("do it")));
  };
  expect(fullIn("this")).toEqual([false, false, true, false]);
  expect(fullIn("the one before")).toEqual([false, true, false, false]);
  expect(needs(persona(name))).toContain("needs a compaction");
});

test.each([
  ["does what is asked", undefined],
  ["is aborted by the human", undefined],
  ["waits for background work", "this host has no agents that work in the background"],
  ["loops a workflow", "a workflow is started by a human in the host"],
])("a model that %s: %s", (name, why) => expect(needs(persona(name))).toBe(why));

test("a list that lacks what a persona tells by it does not fit it", () => {
  const means = { listLacks: ["blocked items"] } as const;
  expect(needs(persona("marks everything blocked"), means)).toBe("the host's own list knows no blocked items");
  expect(needs(persona("marks everything blocked"))).toBeUndefined();
  expect(needs(persona("toggles statuses"), means)).toBeUndefined();
  expect(needs(persona("rewrites a test it declared"), means)).toBeUndefined();
  const more = { listLacks: ["declared files"] } as const;
  expect(needs(persona("rewrites a test it declared"), more)).toContain("which files an item changes");
});

test("a host's own list is written as a whole, with what became of the items", () => {
  const { call } = ownList((items) => ["todos", { items: items.map(({ text, status }) => `${text} ${status}`) }]);
  const edit = (action: string, ...indices: number[]) => call({ tool: "edit_todos", input: { action, indices } });
  call({ tool: "write_todos", input: { mode: "replace", todos: [{ text: "a" }, { text: "b" }] } });
  call({ tool: "write_todos", input: { mode: "append", todos: [{ text: "c" }] } });
  edit("complete", 0);
  edit("abandon", 2);
  expect(edit("start", 1)).toEqual(["todos", { items: ["a completed", "b in_progress", "c cancelled"] }]);
  expect(call({ tool: "run", input: { command: "ls" } })).toBeUndefined();
});
