import { beforeEach, describe, expect, inject, test } from "vitest";
import { programsOf } from "./binaries.ts";
import { hookSuite } from "./hook-suite.ts";
import { realHost } from "./hosts.ts";
import { runSupervised } from "./run-supervised.ts";
import { oks, stepwise, texts, turns } from "./script.ts";
import { useStage } from "./stage.ts";

const host = await realHost("qwen");
hookSuite(host);

describe.skipIf("skipped" in inject("binaries").qwen)("Qwen Code", () => {
  const stage = useStage("qwen");
  beforeEach(() => {
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", "qwen");
  });

  test("ends a turn that was told to continue too often for it, and the supervisor takes the run up", async () => {
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

  describe("gives up by itself because its context cannot be made smaller", () => {
    const list = host.ours("write_todos", { mode: "replace", todos: [{ text: "one" }] });
    const full = { input: 180_000, output: 10 };
    const newest = async () => (await stage.sandbox.runs())[0]!;
    beforeEach(() => stage.model.play(turns([{ calls: [list] }, { text: "I stop here.", usage: full }, ...oks()])));

    test("and you did not interrupt it", async () => {
      const binary = inject("binaries").qwen;
      const path = "path" in binary ? binary.path : "";
      expect((await host.start(stage.sandbox, path, stage.model.url, { prompt: "do it" })).code).toBe(1);
      await expect.poll(async () => (await newest()).ledger.left, { timeout: 20_000 }).toBeDefined();
      expect((await newest()).ledger.interrupt).toBeUndefined();
      expect(stage.sandbox.tildone("status", (await newest()).id)).toContain("left: the host exited");
    });

    test("and a supervisor says why", async () => {
      const supervised = { name: "qwen", folder: programsOf("qwen"), unasked: host.unasked };
      const { code, out, err } = await runSupervised(
        stage.sandbox,
        supervised,
        host.env(stage.sandbox, stage.model.url),
      );
      expect((await newest()).ledger.decision, out + err).toMatchObject({ type: "stop", reason: "context_full" });
      expect(code).toBe(6);
    });
  });
});
