import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, inject, test } from "vitest";
import type { Step } from "../../src/testing/index.ts";
import { hookSuite } from "./hook-suite.ts";
import { GEMINI } from "./hosts.ts";
import { useStage } from "./stage.ts";

hookSuite(GEMINI);

const binary = inject("binaries").gemini;

describe.skipIf("skipped" in binary)("Gemini", () => {
  const stage = useStage("gemini");
  beforeEach(() => {
    GEMINI.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", "gemini");
  });

  const list: Step = { calls: [GEMINI.ours("write_todos", { mode: "replace", todos: [{ text: "a" }] })] };
  const start = () =>
    GEMINI.start(stage.sandbox, "path" in binary ? binary.path : "", stage.model.url, { prompt: "do it" });
  const decision = async () => (await stage.sandbox.runs())[0]!.ledger.decision;

  test("after a compaction the next nudge tells what is open", async () => {
    const settings = JSON.parse(readFileSync(join(stage.sandbox.home, ".gemini/settings.json"), "utf8")) as object;
    stage.sandbox.write(
      "home/.gemini/settings.json",
      JSON.stringify({ ...settings, model: { compressionThreshold: 0.001 } }),
    );
    const full = { input: 900_000, output: 10 };
    const steps: readonly Step[] = [
      list,
      ...[1, 2, 3].map((at): Step => ({ calls: [GEMINI.shell(`echo ${at} ${"long ".repeat(400)}`)] })),
      { text: "I stop here.", usage: full },
      { calls: [GEMINI.ours("edit_todos", { action: "complete", indices: [0] })] },
      { text: "Done." },
    ];
    let at = 0;
    stage.model.play((request) =>
      request.tools.length === 0 ? { text: "<state_snapshot>some work</state_snapshot>" } : (steps[at++] ?? {}),
    );
    expect((await start()).code).toBe(0);
    const afterwards = stage.model.requests.filter(({ tools }) => tools.length > 0).slice(-2);
    for (const { messages } of afterwards) {
      expect(messages.map(({ text }) => text).join("\n")).not.toContain("Wrote 1 todo");
      expect(messages[2]?.text).toContain("Todos remain: 0/1 done");
      expect(messages[2]?.text).toContain("[0] a");
    }
    expect((await stage.sandbox.runs())[0]!.plan.todos[0]?.status).toBe("completed");
  });

  test("its loop detector: the run says so, and is not sent on", async () => {
    const same: Step = { calls: [GEMINI.shell("date +%N; cat nothing")] };
    stage.model.play((_request, count) => (count === 1 ? list : count > 40 ? { status: 400 } : same));
    expect((await start()).code).toBe(0);
    expect(await decision()).toMatchObject({ type: "stop", reason: "host_limit" });
    expect(stage.model.requests.length).toBeLessThan(20);
  });
});
