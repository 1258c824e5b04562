import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { startScriptedModel } from "../../src/testing/index.ts";
import { aPlace } from "../e2e/agent/tildone.ts";
import { openSandbox } from "../e2e/pi/sandbox.ts";
import { openTerminal } from "../e2e/pi/terminal.ts";

const PRELOAD = `--import ${resolve("test/attacks/only-loopback.mjs")}`;
/** pi's own switches, which a user's environment does not have. */
const SWITCHES = ["PI_OFFLINE", "PI_SKIP_VERSION_CHECK", "PI_TELEMETRY"];
const toldIn = (file: string) => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
const switchedOn = (env: Readonly<Record<string, string>>, told: string) => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !SWITCHES.includes(name))),
  NODE_OPTIONS: PRELOAD,
  TOLD_TO: told,
});

describe("nothing leaves the machine", () => {
  test.each([
    ["by default no host is contacted", {}, []],
    ["if you want it pi contacts its maker", { TILDONE_PI_NETWORK: "1" }, [expect.stringContaining("pi.dev")]],
  ])("the first start of the terminal interface: %s", async (_what, more, expected) => {
    await using box = await openSandbox({ script: () => ({ text: "hello" }), bare: true });
    writeFileSync(join(box.root, "agent/settings.json"), "{}"); // telemetry is on, as pi has it
    const told = join(box.root, "told");
    const argv = [resolve("bin/tildone.js"), "chat", "--provider", "scripted", "--model", "m", "--no-session"];
    const env = { ...switchedOn(box.env, told), ...more };
    using terminal = openTerminal({ ...box, env, argv, size: { columns: 100, rows: 40 } }, "hi");
    await terminal.shows(/hello/);
    if (expected.length > 0)
      await expect.poll(() => toldIn(told), { timeout: 20_000 }).toEqual(expect.arrayContaining(expected));
    else expect(toldIn(told)).toEqual([]);
  });

  test("tildone run, its tools and its checks reach only the model", async () => {
    await using place = aPlace();
    const told = join(place.project, "../told");
    const env = place.env as Record<string, string>;
    for (const name of SWITCHES) delete env[name];
    Object.assign(env, { NODE_OPTIONS: PRELOAD, TOLD_TO: told });
    const provider = await startScriptedModel((_request, count) =>
      count === 1
        ? {
            calls: [
              ["write_todos", { mode: "replace", todos: [{ text: "a" }] }],
              ["bash", { command: "echo hi" }],
              ["edit_todos", { action: "complete", indices: [0] }],
            ],
          }
        : { text: "done" },
    );
    const { out, err } = await place.tildone(
      "run",
      "go",
      "--check",
      "test -d .",
      "--base-url",
      `${provider.url}/v1`,
      "--model",
      "scripted",
      "--approval",
      "yolo",
    );
    await provider.close();
    expect({ out, err }).toEqual({ out: expect.stringContaining("agent: done"), err: "" });
    expect(toldIn(told)).toEqual([]);
  });

  test.each([[["status"]], [["doctor"]], [["demo"]]])("tildone %s contacts no host", async (args) => {
    await using place = aPlace();
    const told = join(place.project, "../told");
    const env = place.env as Record<string, string>;
    for (const name of SWITCHES) delete env[name];
    Object.assign(env, { NODE_OPTIONS: PRELOAD, TOLD_TO: told });
    await place.tildone(...args);
    expect(toldIn(told)).toEqual([]);
  });
});
