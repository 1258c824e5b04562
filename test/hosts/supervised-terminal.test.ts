import { resolve } from "node:path";
import { beforeEach, describe, expect, inject, test } from "vitest";
import type { Step } from "../../src/testing/index.ts";
import { programsOf } from "./binaries.ts";
import { REAL_HOSTS } from "./hosts.ts";
import { turns } from "./script.ts";
import { useStage } from "./stage.ts";
import { hasTmux, useHostTerminal } from "./terminal.ts";

// You at a terminal of 80 columns: `tildone run --host` asks about checks that the agent proposed.
const stage = useStage("supervised-terminal");

describe.each(REAL_HOSTS)("$name", (host) => {
  const binary = inject("binaries")[host.name];
  if ("skipped" in binary || !hasTmux) {
    test.skip(`skipped: ${"skipped" in binary ? binary.skipped : "no tmux"}`, () => {});
    return;
  }
  const terminal = useHostTerminal();
  const todos = [0, 1].map((at) => ({ text: `Write ${at}.txt`, check: `test -f ${at}.txt` }));
  const works = (at: number): Step[] => [
    { calls: [host.ours("edit_todos", { action: "start", indices: [at] })] },
    { calls: [host.shell(`echo done > ${at}.txt`)] },
    { calls: [host.ours("edit_todos", { action: "complete", indices: [at] })] },
  ];

  beforeEach(async () => {
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", host.name);
    const write = host.ours("write_todos", { mode: "replace", todos });
    stage.model.play(turns([{ calls: [write] }, ...works(0), ...works(1), { text: "Done." }]));
    const env = {
      ...host.env(stage.sandbox, stage.model.url),
      PATH: `${programsOf(host.name)}:${stage.sandbox.env.PATH}`,
    };
    const run = [process.execPath, resolve("bin/tildone.js"), "run", "--host", host.name, "write two files"];
    const line = [...run, ...host.unasked.map((arg) => `--host-arg=${arg}`)];
    terminal.start(stage.sandbox, env, ["sh", "-c", '"$@"; echo "(exit $?)"', "sh", ...line], "80");
    await terminal.shows(/Run 2 proposed checks\? y\/n:/);
  }, 120_000);

  test("y runs the proposed checks, and the run is judged again", async () => {
    await terminal.says("y");
    const end = await terminal.shows(/\(exit \d+\)/);
    expect(end).toMatch(/passed +test -f 0\.txt\npassed +test -f 1\.txt\nResult now: Done and proven/);
    expect(end).toContain("(exit 0)");
  });

  test("n runs nothing and names the command", async () => {
    await terminal.says("n");
    const end = await terminal.shows(/\(exit \d+\)/);
    const [run] = await stage.sandbox.runs();
    expect(end.replace(/\s+/g, " ")).toContain(`Run them with: tildone accept --checks ${run!.id} (exit 0)`);
    expect(stage.sandbox.tildone("log", run!.id, "--json")).not.toContain('"round.began"');
  });
});
