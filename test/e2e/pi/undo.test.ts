import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/machine/index.ts";
import { calls, openInProcess, says } from "./in-process.ts";

const write = (path: string, content: string) => ["write", { path, content }] as const;
const edit = (action: string, at: number) => ["edit_todos", { action, indices: [at] }] as const;
const PATIENT = { timeout: 60_000 };

test("/undo undoes a todo, and the agent hears of it and does it again", async () => {
  await using pi = await openInProcess({ mode: "rpc", clock: systemClock(), env: { TILDONE_CHECKPOINTS: "true" } });
  const contentOf = (path: string) => {
    const file = join(pi.root, path);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  };
  const tell = async (command: string) => {
    await pi.session.waitForIdle();
    const before = pi.terminal.said.length;
    await pi.session.prompt(command);
    return pi.terminal.said[before];
  };
  execFileSync("git", ["init", "-q"], { cwd: pi.root });
  expect(await tell("/undo")).toMatch(/no run/i);

  pi.faux.setResponses([
    calls(["write_todos", { mode: "replace", todos: [{ text: "one" }, { text: "two" }] }]),
    calls(edit("start", 0), write("one.txt", "one\n"), edit("complete", 0)),
    calls(edit("start", 1), write("two.txt", "two\n"), edit("complete", 1)),
    says("Done."),
  ]);
  await pi.session.prompt("go");
  expect(await tell("/undo 1 2")).toBe("Usage: /undo [todo|checkpoint] [--force]");
  expect(await tell("/undo 7")).toContain('no todo and no checkpoint "7"');

  let [heard, found] = ["", undefined as string | undefined];
  pi.faux.setResponses([
    (context) => {
      heard = JSON.stringify(context.messages);
      found = contentOf("two.txt");
      return calls(edit("start", 1), write("two.txt", "again\n"), edit("complete", 1)) as never;
    },
    says("Done again."),
  ]);
  expect(await tell("/undo")).toBe(
    "Undid [1] two (1 file, +0 -1). The todo is open again, and the agent is told. /redo restores it.",
  );
  await expect.poll(() => contentOf("two.txt"), PATIENT).toBe("again\n");
  expect(heard).toContain("I undid your work on [1]");
  expect([contentOf("one.txt"), found]).toEqual(["one\n", undefined]);
  await expect.poll(() => tell("/todos"), PATIENT).toBe("◇ [0] one\n◇ [1] two");

  writeFileSync(join(pi.root, "two.txt"), "yours\n");
  expect(await tell("/undo 1")).toContain("two.txt: the same lines were changed by you");
  expect(contentOf("two.txt")).toBe("yours\n");
  expect(pi.errors).toEqual([]);
}, 240_000);
