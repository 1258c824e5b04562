import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULTS } from "../../../src/core/continuation/index.ts";
import { createEngine } from "../../../src/engine/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { createFakeClock, createFakeHost, HOST_KINDS } from "../../../src/testing/index.ts";
import { openShell } from "./shell-screen.ts";

const isThere = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

const SHELLS = {
  bash: { argv: ["bash", "--norc", "--noprofile"], load: 'eval "$(tildone completion bash)"' },
  zsh: { argv: ["zsh", "-f"], load: 'autoload -U compinit; compinit -u; eval "$(tildone completion zsh)"' },
  fish: { argv: ["fish", "--no-config"], load: "tildone completion fish | source" },
} as const;

/** A run with a list, in the log of that shell's home. */
async function aRun(home: string, cwd: string): Promise<void> {
  const store = await openStore({ path: join(home, "tildone.db") });
  const engine = createEngine({
    ...{ store, cwd, driver: "test", host: createFakeHost(HOST_KINDS.rpc, "pi"), clock: createFakeClock(Date.now()) },
    newRunId: () => "zebra7abc",
    context: () => ({ limits: DEFAULTS }),
    birth: () => ({ goal: "Fix it", budget: {}, checks: [], requirements: [] }),
  });
  const todos = [{ text: "read" }, { text: "write" }];
  await engine.tell("s1", { type: "todos.write", by: "model", write: { mode: "replace", todos } });
  engine.dispose();
  store.close();
}

describe.each(Object.entries(SHELLS))("completion in %s", (name, { argv, load }) => {
  const skip = isThere(name) ? false : `${name} is not installed`;

  test("offers commands, options, run ids and todo indices", async (context) => {
    if (skip !== false) return context.skip(skip);
    using shell = openShell(argv);
    await aRun(shell.env.TILDONE_HOME, shell.project);
    const ready = async () => {
      shell.type("clear; echo rea''dy");
      shell.keys("Enter");
      await shell.shows(/^ready/m);
    };
    shell.type(load);
    shell.keys("Enter");
    await ready();
    const tab = async (line: string, expected: RegExp) => {
      shell.type(line);
      shell.keys("Tab");
      if (name === "bash") shell.keys("Tab"); // bash lists at the second one
      await shell.shows(expected);
      shell.keys("C-c");
      await ready();
    };
    await tab("tildone statu", /tildone status\b/);
    await tab("tildone run --max-m", /--max-minutes/);
    await tab("tildone run --approval auto", /--approval auto-edit/);
    await tab("tildone hold zeb", /tildone hold zebra7abc/);
    await tab("tildone todo done ", /\b0\b[\s\S]*\b1\b/);
    await tab("tildone install claude", /install claude-code/);
    await tab("tildone demo openc", /demo opencode/);
  });
});

test("what is offered has no word of another place, and nothing breaks without a run", () => {
  using shell = openShell(["sh"]);
  const offered = (...words: string[]) =>
    shell
      .tildone("__complete", ...words)
      .stdout.trim()
      .split("\n")
      .map((line) => line.split("\t")[0]);
  expect(offered("todo", "done", "")).toEqual([""]);
  expect(offered("hold", "")).toEqual([""]);
  expect(offered("constructor", "")).toEqual([""]);
  expect(offered("help", "exit")).toEqual(["exit-codes"]);
  expect(offered("report", "--to", "")).toEqual([":files"]);
  expect(offered("run", "--host", "cod")).toEqual(["codex"]);
  expect(offered("completion", "")).toEqual(["bash", "zsh", "fish"]);
  expect(offered("run", "--help")).toEqual(["--help"]);
});

test("the man page is read by man without a warning", (context) => {
  if (!isThere("man") || !isThere("groff")) return context.skip("man and groff are not installed");
  const { stdout } = spawnSync("man", ["-l", "man/tildone.1"], {
    encoding: "utf8",
    env: { ...process.env, MANWIDTH: "80" },
  });
  expect(stdout).toMatch(/tildone run .*goal/);
  expect(stdout).toContain("EXIT STATUS");
  const lint = spawnSync("groff", ["-man", "-Tutf8", "-wall", "-z", "man/tildone.1"], { encoding: "utf8" });
  expect(lint.stderr).toBe("");
});
