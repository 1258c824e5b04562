import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { memoryStore } from "../store/index.ts";
import { createFakeClock, createFakeHost, HOST_KINDS, type HostKind } from "../testing/index.ts";
import { openTildone } from "./open-tildone.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "compose-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = (kind: HostKind, env: Readonly<Record<string, string>>, goal?: string) =>
  openTildone({
    host: createFakeHost(HOST_KINDS[kind]),
    cwd: home,
    home,
    env,
    clock: createFakeClock(),
    store: memoryStore(),
    ...(goal !== undefined && { goal }),
  });

test.each<[HostKind, Readonly<Record<string, string>>, readonly string[]]>([
  ["print", { TILDONE_MAX_COST: "5", TILDONE_MAX_TOKENS: "1000" }, []],
  ["hook", { TILDONE_MAX_MINUTES: "5" }, []],
  ["hook", { TILDONE_MAX_COST: "5" }, ["budget.cost cannot be enforced"]],
  ["tools", { TILDONE_MAX_MINUTES: "5" }, ["budget.minutes cannot be enforced"]],
])("on %s, limits %j: %j", async (kind, env, expected) => {
  const opened = await open(kind, env);
  expect(opened.ok ? [] : opened.problems).toEqual(expected.map((text) => expect.stringContaining(text)));
  if (opened.ok) opened.tildone.dispose();
});

test("a goal with numbered requirements asks for each of them", async () => {
  const opened = await open("print", {}, "Please:\n1. parse\n2. print");
  if (!opened.ok) throw new Error(opened.problems.join());
  const { engine } = opened.tildone;
  await engine.tell("s", { type: "goal.set" });
  const written = await engine.tell("s", {
    type: "todos.write",
    write: { mode: "replace", todos: [{ text: "Write the parser", covers: ["R1"] }] },
    by: "model",
  });
  expect(written).toMatchObject({ type: "done", text: expect.stringMatching(/name them in 'covers':\n> R2: print$/) });
  opened.tildone.dispose();
});
