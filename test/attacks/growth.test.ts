import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { judge, loadPolicy } from "../../src/core/call/index.ts";
import { readPlan, readRequirements } from "../../src/core/plan/index.ts";
import { redact } from "../../src/core/secret/index.ts";
import { partsOf } from "../../src/core/shell/index.ts";
import { visible } from "../../src/core/text/index.ts";

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
