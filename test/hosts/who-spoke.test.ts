import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, inject, test } from "vitest";
import type { Envelope } from "../../src/core/run/index.ts";
import { attack, LOOSENING, toldIn } from "../attacks/who-spoke.ts";
import { programsOf } from "./binaries.ts";
import { CLAUDE_CODE, REAL_HOSTS } from "./hosts.ts";
import { bash, todowrite, turns as turnsOfOpenCode } from "./opencode.ts";
import { describeOpenCode, useOpenCode } from "./opencode-stage.ts";
import { runSupervised } from "./run-supervised.ts";
import type { Sandbox } from "./sandbox.ts";
import { oks, texts, turns } from "./script.ts";
import { useStage } from "./stage.ts";

// An agent in a real host that types in its shell what only you may say.
describe.each(REAL_HOSTS)("$name", (host) => {
  const stage = useStage("who-spoke");
  const binary = inject("binaries")[host.name];
  if ("skipped" in binary) {
    test.skip(`skipped: ${binary.skipped}`, () => {});
    return;
  }

  beforeEach(() => {
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", host.name);
    prepare(stage.sandbox);
    const write = host.ours("write_todos", { mode: "replace", todos: texts(2).map((text) => ({ text })) });
    stage.model.play(turns([{ calls: [write] }, { calls: [host.shell("sh attack.sh")] }, ...oks()]));
  });

  test("an agent that speaks in your name through its shell is refused, and you are not", async () => {
    await host.start(stage.sandbox, binary.path, stage.model.url, { prompt: "do it" });
    await expectRefused(stage.sandbox);
  });

  // The same shell in the same host: one is enough.
  test.runIf(host === CLAUDE_CODE)("also under tildone run --host", async () => {
    const { name, unasked } = host;
    const env = host.env(stage.sandbox, stage.model.url);
    await runSupervised(stage.sandbox, { name, unasked, folder: programsOf(name) }, env);
    await expectRefused(stage.sandbox);
  });
});

describeOpenCode("opencode", () => {
  const { setUp, model, sandbox } = useOpenCode("who-spoke");

  test("an agent that speaks in your name through its shell is refused, and you are not", async () => {
    prepare(sandbox());
    model().play(turnsOfOpenCode([{ calls: [todowrite(2, 0)] }, { calls: [bash("sh attack.sh")] }, ...oks()]));
    await setUp({ style: "openai" }).run("do it");
    await expectRefused(sandbox());
  });
});

function prepare(sandbox: Sandbox): void {
  sandbox.write("project/.tildone/commands/x.md", "Say x.\n");
  sandbox.write("project/attack.sh", `export PATH="$PWD/bin:$PATH"\n${attack()}`);
  const cli = `exec '${process.execPath}' '${resolve("bin/tildone.js")}' "$@"`;
  sandbox.write("project/bin/tildone", `#!/bin/sh\n${cli}\n`);
  chmodSync(join(sandbox.project, "bin/tildone"), 0o755);
}

async function expectRefused(sandbox: Sandbox): Promise<void> {
  const file = join(sandbox.project, "told.txt");
  expect(existsSync(file)).toBe(true);
  const answers = toldIn(readFileSync(file, "utf8"));
  expect(answers.size).toBeGreaterThan(LOOSENING.length);
  for (const [attempt, answer] of answers)
    expect(`${attempt}: ${answer}`).toMatch(/Refused: only you can .*Nothing was changed\./);

  const [run] = await sandbox.runs();
  expect(run!.plan.todos).toHaveLength(2);
  expect(sandbox.tildone("todo", "drop", "1", "--run", run!.id)).toContain("[0]");
  const log = JSON.parse(`[${sandbox.tildone("log", run!.id, "--json").trim().split("\n").join(",")}]`);
  const removed = (log as readonly Envelope[]).filter(({ event }) => event.type === "todo.removed");
  expect(removed).toMatchObject([{ by: "human", event: { from: { via: expect.anything() } } }]);
}
