import { expect, test } from "vitest";
import type { Io } from "./io.ts";
import { headerLines, type RunFacts } from "./run-header.ts";

const FACTS: RunFacts = {
  model: "anthropic/claude-sonnet-4-5",
  folder: "/home/ann/words",
  checks: ["npm test", "npm run lint"],
  budget: { minutes: 480 },
  byDefault: "minutes",
  approval: "ask",
};
const screen = (facts: Partial<RunFacts>, io: Partial<Io> = {}) =>
  headerLines({ ...FACTS, ...facts }, {
    isTerminal: true,
    isInteractive: true,
    columns: 80,
    hasColour: false,
    home: "/home/ann",
    ...io,
  } as Io);

test("says model, folder, checks, budget and approval", () => {
  expect(screen({})).toEqual([
    "model     anthropic/claude-sonnet-4-5",
    "folder    ~/words",
    "checks    npm test, npm run lint",
    "budget    8 h (the default; --max-minutes changes it)",
    "approval  ask: reading is allowed, everything else asks; you answer here",
  ]);
});

test.each<readonly [string, Partial<RunFacts>, string]>([
  ["no model", { model: undefined }, "model     the first that has a key"],
  ["no model in a host", { model: undefined, host: "codex" }, "model     the one that is set there"],
  ["a server", { model: "tiny", baseUrl: "http://localhost:1/v1" }, "model     tiny at http://localhost:1/v1"],
  ["no checks", { checks: [] }, 'checks    none; --check "npm test" makes the run prove its work'],
  ["the home folder", { folder: "/home/ann" }, "folder    ~"],
  ["a folder that only begins alike", { folder: "/home/anna/x" }, "folder    /home/anna/x"],
  ["no budget", { budget: {}, byDefault: undefined }, "budget    unlimited"],
  [
    "every budget",
    { budget: { minutes: 65, tokens: 5000, cost: 2, continuations: 1 }, byDefault: undefined },
    "budget    1 h 5 min, 5000 tokens, $2.00, 1 continuation",
  ],
  [
    "a budget of yours beside the default",
    { budget: { minutes: 480, tokens: 20 } },
    "budget    8 h (the default; --max-minutes changes it), 20 tokens",
  ],
  ["plan", { approval: "plan" }, "approval  plan: reading is allowed, changes are denied"],
  ["a host", { approval: undefined, host: "codex" }, "approval  codex asks or denies by its own settings"],
])("%s", (_what, facts, line) => expect(screen(facts)).toContain(line));

test("a run that continues in another mode says in which it ran", () => {
  const says = (before: string) => screen({ approval: "plan", before }, { columns: 120 }).at(-1);
  expect(says("yolo")).toBe(
    "approval  plan: reading is allowed, changes are denied; last time it ran with --approval yolo",
  );
  expect(says("plan")).toBe("approval  plan: reading is allowed, changes are denied");
});

test("no line is wider than the terminal, and nothing steers it", () => {
  const lines = screen(
    { approval: "auto-edit", checks: ["npm test ".repeat(30), "\u001b[2Jx"] },
    { isInteractive: false },
  );
  expect(lines.every((line) => line.length <= 80)).toBe(true);
  expect(lines.join("\n")).not.toContain("\u001b");
  expect(lines.join(" ").replace(/\s+/g, " ")).toContain("commands ask; answer with tildone approve");
});

test("labels are dim where there is colour", () => {
  expect(screen({}, { hasColour: true })[0]).toBe("\u001b[2mmodel     \u001b[0manthropic/claude-sonnet-4-5");
});
