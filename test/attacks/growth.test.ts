import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judge, loadPolicy } from "../../src/core/call/index.ts";
import { readPlan, readRequirements } from "../../src/core/plan/index.ts";
import { redact } from "../../src/core/secret/index.ts";
import { partsOf } from "../../src/core/shell/index.ts";
import { exactRows, visible } from "../../src/core/text/index.ts";
import { openStore } from "../../src/store/index.ts";

/** So much that what is not linear would take minutes, and a bound that a busy machine keeps, too. */
const MOST_MS = 5_000;
const text = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length));
function took(act: () => unknown): number {
  const began = performance.now();
  act();
  return performance.now() - began;
}

const UNITS = [
  "{",
  "}",
  "{a,",
  "(",
  ")",
  "[",
  "[[ ",
  "$",
  "${",
  "$(",
  "$((",
  "`",
  "'",
  '"',
  "\\",
  "a ",
  "a=",
  "<<a ",
  "<",
  ">a ",
  "| ",
  "&& a ",
  "; ",
  "\n",
  "#",
  "-exec ",
  "find -exec a ; ",
  "git ",
  "git -x ",
  "sudo ",
  "sh -c '",
  "if ",
  "for i in ",
  "!",
  "*",
  "?",
  "~",
  "=a:",
  "{..}",
];
const policy = (() => {
  const loaded = loadPolicy({
    mode: "yolo",
    root: "/repo",
    rules: [
      { name: "no push", decision: "deny", command: "git push --force" },
      { name: "no secrets", decision: "deny", path: "**/secrets/**" },
    ],
  });
  if (!loaded.ok) throw new Error("wrong");
  return loaded.policy;
})();

describe("what is large costs no more than it is large", () => {
  test.each(UNITS)("a shell line of %j", (unit) => {
    const command = text(unit, 131_072).slice(0, 131_072);
    expect(took(() => partsOf(command))).toBeLessThan(MOST_MS);
    expect(took(() => judge(policy, { tool: "bash", kind: "execute", args: { command }, command }))).toBeLessThan(
      MOST_MS,
    );
  });

  test.each(["- [ ] a\n", "  - [ ] a\n", "- [x] a\n\t- [ ] b\n", "# ", "1. a\n", "   ", "- [", "```\n", "R1: x\n"])(
    "a plan of %j",
    (unit) => {
      expect(took(() => readPlan(text(unit, 1_000_000)))).toBeLessThan(MOST_MS);
      expect(took(() => readRequirements(text(unit, 1_000_000)))).toBeLessThan(MOST_MS);
    },
  );

  test.each([
    "password=",
    "token ",
    "a@",
    "://a:b",
    "-----BEGIN PRIVATE KEY-----",
    "eyJ",
    "cookie: a=",
    "\u202e",
    "x_",
    "api_key: '",
    "s.a",
    "--pass ",
  ])("text of %j on its way to the log or a screen", (unit) => {
    expect(took(() => redact(text(unit, 500_000)))).toBeLessThan(MOST_MS);
    expect(took(() => visible(text(unit, 500_000)))).toBeLessThan(MOST_MS);
  });

  test.each(["x", "x ", "\u202e", "\\u", "字"])("an approval of %j, row by row", (unit) =>
    expect(took(() => exactRows(text(unit, 500_000), 76))).toBeLessThan(MOST_MS),
  );
});

test("a plan with too many boxes is refused with their number", () =>
  expect(readPlan("- [ ] a\n".repeat(50_000))).toEqual({
    ok: false,
    message: expect.stringContaining("50000 open checkboxes"),
  }));

test("a message of 50 MB is answered with an error, and the server lives on", async () => {
  const home = mkdtempSync(join(tmpdir(), "mcp-"));
  const child = spawn(process.execPath, [resolve("bin/tildone.js"), "mcp"], {
    cwd: home,
    env: { PATH: process.env.PATH ?? "", HOME: home, TILDONE_HOME: home },
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    out += text;
  });
  const answers = () =>
    out
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  say({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  });
  say({ method: "notifications/initialized" });
  say({
    id: 2,
    method: "tools/call",
    params: { name: "write_todos", arguments: { mode: "replace", todos: [{ text: "x".repeat(50_000_000) }] } },
  });
  say({ id: 3, method: "tools/list" });
  await expect
    .poll(
      () =>
        answers()
          .map(({ id }) => id)
          .sort(),
      { timeout: 40_000 },
    )
    .toEqual([1, 2, 3]);
  expect(answers().find(({ id }) => id === 2)).toMatchObject({
    error: { code: -32600, message: expect.stringContaining("too large") },
  });
  child.kill();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

/** Turns of an agent that gets on and is told to continue, without end. */
function* aLongLog(count: number): Generator<object> {
  const todo = { status: "not_started", priority: "medium", needs: [], checks: [], covers: [], touches: [] };
  const items = Array.from({ length: 20 }, (_, at) => {
    return { ...todo, id: `t${at + 1}`, text: `todo ${at}`, askFirst: false, by: "model" };
  });
  const usage = { input: 100, output: 50, cacheRead: 0, cacheWrite: 0, cost: 0.001 };
  const origin = { host: "pi", session: "s", cwd: "/" };
  yield { type: "run.began", run: "big", origin, budget: {}, checks: [], requirements: [], seesCalls: true };
  yield { type: "run.claimed", driver: "d", epoch: 1 };
  yield { type: "todos.written", mode: "replace", items, order: items.map(({ id }) => id), dropped: [] };
  for (let at = 3; at < count; at += 5) {
    const turn = `turn${at}`;
    yield { type: "turn.started", turn, cause: "nudge" };
    yield { type: "answer.seen", turn, usage, calls: 1 };
    yield { type: "activity.seen", turn, call: `call${at}` };
    yield {
      ...{ type: "turn.ended", turn, boundary: `b${at}`, outcome: "completed", question: false, usage, activeMs: 9 },
    };
    const step = { type: "todo", id: "t1", index: 0 };
    const decision = { type: "continue", kind: "todo", step, after: 0, rule: "todos are open" };
    yield { type: "decision.made", boundary: `b${at}`, decision };
  }
}

describe("a log that is much larger than the memory", () => {
  const EVENTS = Number(process.env.TILDONE_EVENTS ?? 100_000);
  /** Half of what the events alone would take. */
  const HEAP_MB = 40;
  let home: string;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "tildone-long-"));
    const store = await openStore({ path: join(home, "tildone.db"), durable: "at close" });
    const card = { run: "big", host: "pi", session: "s", cwd: "/", live: true, began: 1, updated: 1, summary: {} };
    let [last, page]: [number, object[]] = [0, []];
    const flush = (): void => {
      const append = page.map((event, at) => ({
        at: 1e12 + last + at,
        by: "engine" as const,
        v: 1,
        event: event as never,
      }));
      store.log.transact("big", last, () => ({ append, value: undefined, card, bind: card }));
      [last, page] = [last + page.length, []];
    };
    for (const event of aLongLog(EVENTS)) {
      page.push(event);
      if (page.length === 5_000) flush();
    }
    flush();
    store.close();
  }, 240_000);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test.each([
    [["why", "big"], /todos are open/],
    [["log", "big"], new RegExp(`^ *${EVENTS}  `, "m")],
    [["report", "big"], /earlier decisions are left out/],
    [["report", "big", "--format", "html"], /earlier events are left out/],
    [["replay", "big"], /equals the rebuilt one/],
    [["runs", "export", "big"], new RegExp(`"seq":${EVENTS},`)],
  ] as const)(
    "%j reads it page by page",
    async (argv, expected) => {
      const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, resolve("bin/tildone.js"), ...argv], {
        env: { PATH: process.env.PATH, HOME: home, TILDONE_HOME: home },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let [tail, err] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        tail = (tail + text).slice(-300_000);
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        err += text;
      });
      const code = await new Promise((done) => child.once("close", done));
      expect(err).toBe("");
      expect(code).toBe(0);
      expect(tail).toMatch(expected);
    },
    240_000,
  );
});
