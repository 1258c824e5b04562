import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, inject, test } from "vitest";
import type { Envelope } from "../../src/core/run/index.ts";
import { attack, LOOSENING, toldIn } from "../attacks/who-spoke.ts";
import { CLAUDE_CODE, CODEX, GEMINI } from "./hosts.ts";
import { oks, texts, turns } from "./script.ts";
import { useStage } from "./stage.ts";

// An agent in a real host that types in its shell what only you may say.
const stage = useStage("who-spoke");

describe.each([CLAUDE_CODE, CODEX, GEMINI])("$name", (host) => {
  const binary = inject("binaries")[host.name];
  if ("skipped" in binary) {
    test.skip(`skipped: ${binary.skipped}`, () => {});
    return;
  }

  beforeEach(() => {
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", host.name);
    stage.sandbox.write("project/.tildone/commands/x.md", "Say x.\n");
    stage.sandbox.write("project/attack.sh", `export PATH="$PWD/bin:$PATH"\n${attack()}`);
    const cli = `exec '${process.execPath}' '${resolve("bin/tildone.js")}' "$@"`;
    stage.sandbox.write("project/bin/tildone", `#!/bin/sh\n${cli}\n`);
    chmodSync(join(stage.sandbox.project, "bin/tildone"), 0o755);
  });

  test("an agent that speaks in your name through its shell is refused, and you are not", async () => {
    const write = host.ours("write_todos", { mode: "replace", todos: texts(2).map((text) => ({ text })) });
    stage.model.play(turns([{ calls: [write] }, { calls: [host.shell("sh attack.sh")] }, ...oks()]));
    await host.start(stage.sandbox, binary.path, stage.model.url, { prompt: "do it" });
    const file = join(stage.sandbox.project, "told.txt");
    expect(existsSync(file)).toBe(true);
    const answers = toldIn(readFileSync(file, "utf8"));
    expect(answers.size).toBeGreaterThan(LOOSENING.length);
    for (const [attempt, answer] of answers)
      expect(`${attempt}: ${answer}`).toMatch(/Refused: only you can .*Nothing was changed\./);

    const [run] = await stage.sandbox.runs();
    expect(run!.plan.todos).toHaveLength(2);
    expect(stage.sandbox.tildone("todo", "drop", "1")).toContain("[0]");
    const log = JSON.parse(`[${stage.sandbox.tildone("log", run!.id, "--json").trim().split("\n").join(",")}]`);
    const removed = (log as readonly Envelope[]).filter(({ event }) => event.type === "todo.removed");
    expect(removed).toMatchObject([{ by: "human", event: { from: { via: expect.anything() } } }]);
  });
});
