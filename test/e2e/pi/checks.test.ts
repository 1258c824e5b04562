import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRun } from "../../../src/engine/index.ts";
import { openStore } from "../../../src/store/index.ts";
import type { ModelRequest, Step } from "../../../src/testing/index.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";

async function newest(box: Sandbox) {
  const store = await openStore({ path: box.store });
  const [card] = store.runs.list();
  const run = card && openRun(store.log, card.run).run;
  store.close();
  return run;
}

test("--til-done-check judges work without a list", async () => {
  const works = (_request: ModelRequest, count: number): Step =>
    count === 1 ? { calls: [["write", { path: "made", content: "x" }]] } : { text: "Done." };
  await using box = await openSandbox({ script: works });
  const { code, err } = await box.run("--til-done-check", "test -f made", "-p", "make it");
  const run = await newest(box);
  expect([code, run?.goal, run?.ledger.decision], err).toMatchObject([0, "make it", { reason: "all_done" }]);
  expect(box.model.requests.length).toBe(2);
});

test("--til-done-check keeps after an agent that only says it is done", async () => {
  await using box = await openSandbox({ script: () => ({ text: "All done!" }) });
  await box.run("--til-done-check", "test -f made", "-p", "make it");
  expect((await newest(box))?.ledger.decision).toMatchObject({ type: "stop", reason: "no_progress" });
  expect(box.model.requests.length).toBe(4); // its words, the list it was asked for, and two tries at the check
  expect(existsSync(join(box.cwd, "made"))).toBe(false);
});

test("a check that cannot start is named before the first request", async () => {
  await using box = await openSandbox({ script: () => ({ text: "ok" }) });
  const { err } = await box.run("--til-done-check", "pytset -q", "-p", "make it");
  expect(err).toContain('The check "pytset -q" cannot start: pytset is not on your PATH.');
});

test("checks that the agent proposes are named once, with the command that lets them run", async () => {
  const list = { mode: "replace", todos: [{ text: "make it", check: "test -f made" }] };
  const script: readonly Step[] = [
    { calls: [["write_todos", list]] },
    { calls: [["write_todos", { ...list, todos: [...list.todos, { text: "tell of it" }] }]] },
    { text: "Tabs or spaces?" },
  ];
  await using box = await openSandbox({ script });
  const { err } = await box.run("-p", "make it");
  const said = err.split("\n").filter((line) => line.includes("proposed"));
  expect(said).toEqual([
    "tildone: The agent proposed a check: [0] test -f made. It has not run and proves nothing yet. `tildone accept --checks` runs it.",
  ]);
});
