import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { Call, ModelRequest, Script, Step } from "../../../src/testing/index.ts";
import { askedFor, writeList } from "../pi/models.ts";
import { openSandbox } from "../pi/sandbox.ts";
import { openTerminal } from "../pi/terminal.ts";

const LONG = { timeout: 90_000 };

/** tildone's own terminal interface instead of pi's, as a user starts it. */
async function openTildoneInTerminal(script: Script) {
  const box = await openSandbox({ script, env: { TILDONE_COUNTDOWN: "50ms" } });
  const argv = [resolve("bin/tildone.js"), "chat", "--provider", "scripted", "--model", "m"];
  const flags = ["-ns", "-np", "-nc", "-ne", "--no-themes", "--no-session"];
  const terminal = openTerminal({ ...box, argv: [...argv, ...flags] }, "do it");
  return {
    box,
    terminal,
    [Symbol.asyncDispose]: async () => {
      terminal[Symbol.dispose]();
      await box[Symbol.asyncDispose]();
    },
  };
}

/** Runs a command for each item it is asked for. */
const runs =
  (...commands: readonly string[]) =>
  (request: ModelRequest): Step => {
    if (request.messages.at(-1)?.role === "tool") return { text: "I stop here." };
    const item = askedFor(request);
    if (item === undefined) return { calls: [writeList(commands.length)] };
    const call = (action: string): Call => ["edit_todos", { action, indices: [item] }];
    return { calls: [call("start"), ["bash", { command: commands[item]! }], call("complete")] };
  };

test(
  "a call asks in a dialog: allowed runs it, leaving the editor of its arguments does not; the list stands above",
  LONG,
  async () => {
    await using open = await openTildoneInTerminal(runs("touch one.txt", "touch two.txt"));
    const { box, terminal } = open;
    const asking = await terminal.shows(/Allow\? touch one\.txt/);
    expect(asking).toMatch(/\[-{20}\] 0\/2/);
    expect(asking).toContain("● [0] item 0");
    expect(existsSync(join(box.cwd, "one.txt"))).toBe(false);
    terminal.keys("Enter");
    await terminal.shows(/Allow\? touch two\.txt/);
    expect(existsSync(join(box.cwd, "one.txt"))).toBe(true);
    terminal.keys("Down", "Down", "Down", "Enter");
    await terminal.shows(/The arguments, as JSON/);
    terminal.keys("C-c"); // leaving the editor is a no without words: an interrupt
    await terminal.shows(/interrupted|Interrupted/);
    expect(existsSync(join(box.cwd, "two.txt"))).toBe(false);
  },
);

test("denied with words: the agent reads them and goes on with the rest", LONG, async () => {
  await using open = await openTildoneInTerminal(runs("touch one.txt", "touch two.txt"));
  const { box, terminal } = open;
  await terminal.shows(/Allow\? touch one\.txt/);
  terminal.keys("Down", "Down", "Down", "Down", "Enter");
  await terminal.shows(/What should it do instead/);
  terminal.type("use a folder");
  terminal.keys("Enter");
  await terminal.shows(/Allow\? touch two\.txt/);
  const told = box.model.requests.flatMap(({ messages }) => messages.map(({ text }) => text)).join("\n");
  expect(told).toContain("use a folder");
  expect(existsSync(join(box.cwd, "one.txt"))).toBe(false);
});
