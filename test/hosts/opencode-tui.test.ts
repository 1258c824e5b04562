import { execFileSync, spawnSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../src/testing/index.ts";
import { isMain, setUpOpenCode, stepwise, turns } from "./opencode.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

// OpenCode's own screen in a real terminal, with a tmux server that belongs to the test alone.
const binary = inject("binaries").opencode;
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const WAIT_MS = 80_000;

describe.skipIf("skipped" in binary || !hasTmux)("opencode in a terminal", () => {
  const path = "path" in binary ? binary.path : "";
  const socket = `tildone-opencode-${process.pid}`;
  const tmux = (...words: readonly string[]) =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...words], { encoding: "utf8" });
  let sandbox: Sandbox;
  let model: ScriptedModel;

  beforeEach(async () => {
    sandbox = createSandbox("opencode-tui");
    model = await startScriptedModel([{ text: "nothing to say" }]);
  });
  afterEach(async () => {
    spawnSync("tmux", ["-L", socket, "kill-server"]);
    await model.close();
    sandbox.remove();
  });

  const open = (env: Readonly<Record<string, string>>): void => {
    const own = setUpOpenCode(sandbox, path, { url: model.url, env }).env;
    const all = { ...sandbox.env, ...own, TERM: "xterm-256color" };
    const line = ["env", "-i", ...Object.entries(all).map(([name, value]) => `${name}=${value}`), path];
    const command = [...line, "--prompt", "do it all"].map((word) => `'${word}'`).join(" ");
    tmux("new-session", "-d", "-s", "tui", "-x", "140", "-y", "50", "-c", sandbox.project, command);
  };
  const shows = async (pattern: RegExp): Promise<string> => {
    const deadline = performance.now() + WAIT_MS;
    for (;;) {
      const screen = tmux("capture-pane", "-p", "-t", "tui");
      if (pattern.test(screen)) return screen;
      if (performance.now() > deadline) throw new Error(`waited in vain for ${pattern}:\n${screen}`);
      await new Promise((done) => setTimeout(done, 100)); // a terminal tells nobody that it changed
    }
  };

  test("a list of three is finished, with the countdown on the screen", async () => {
    model.play(turns(stepwise(3)));
    open({});
    await shows(/Goes on in \d s: 3 open/);
    await shows(/Everything is finished/);
    const [run] = await sandbox.runs();
    expect(run!.plan.todos.map(({ status }) => status)).toEqual(Array(3).fill("completed"));
    expect(model.requests.filter(isMain)).toHaveLength(11);
  });
});
