import { beforeEach, describe, expect, inject, test } from "vitest";
import { programsOf } from "./binaries.ts";
import { hookSuite } from "./hook-suite.ts";
import { realHost } from "./hosts.ts";
import { runSupervised } from "./run-supervised.ts";
import { stepwise, texts, turns } from "./script.ts";
import { useStage } from "./stage.ts";

const host = await realHost("qwen");
hookSuite(host);

describe.skipIf("skipped" in inject("binaries").qwen)("Qwen Code", () => {
  const stage = useStage("qwen");
  beforeEach(() => {
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", "qwen");
  });

  test("ends a turn that was sent on too often for it, and the supervisor takes the run up", async () => {
    const env = { ...host.env(stage.sandbox, stage.model.url), QWEN_CODE_STOP_HOOK_BLOCK_CAP: "2" };
    const list = (count: number, done: number) =>
      done === 0
        ? host.ours("write_todos", { mode: "replace", todos: texts(count).map((text) => ({ text })) })
        : host.ours("edit_todos", { action: "complete", indices: [done - 1] });
    stage.model.play(turns(stepwise({ shell: host.shell, list }, 6)));
    const supervised = { name: "qwen", folder: programsOf("qwen"), unasked: host.unasked };
    const { code, out, err } = await runSupervised(stage.sandbox, supervised, env);
    const [run] = await stage.sandbox.runs();
    expect(code, out + err + stage.sandbox.tildone("log", run!.id)).toBe(0);
    expect(run!.plan.todos.map(({ status }) => status)).toEqual(Array(6).fill("completed"));
    expect(run!.ledger.decision).toMatchObject({ reason: "done_unproven" });
  });
});
