import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../src/testing/index.ts";
import { isMain, type OpenCode, type Setting, type Style, setUpOpenCode, stepwise, turns } from "./opencode.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

// The real OpenCode, the shipped plugin, and a scripted model on loopback.
const binary = inject("binaries").opencode;

describe.skipIf("skipped" in binary)("opencode", () => {
  const path = "path" in binary ? binary.path : "";
  let sandbox: Sandbox;
  let model: ScriptedModel;

  beforeEach(async () => {
    sandbox = createSandbox("opencode");
    model = await startScriptedModel([{ text: "nothing to say" }]);
  });
  afterEach(async () => {
    await model.close();
    sandbox.remove();
  });

  const setUp = (setting: Partial<Setting> = {}): OpenCode =>
    setUpOpenCode(sandbox, path, { url: model.url, ...setting });
  const mainRequests = () => model.requests.filter(isMain).length;

  describe("run", () => {
    test.each([
      ["openai", 3],
      ["openai", 20],
      ["anthropic", 3],
      ["anthropic", 20],
    ] as const)("%s: a model that stops after every item finishes a list of %i", async (style: Style, count) => {
      model.play(turns(stepwise(count)));
      const { code, err, out } = await setUp({ style }).run("do it all");
      expect(code, err + out).toBe(0);
      const [run] = await sandbox.runs();
      expect(run, err).toBeDefined();
      expect(run!.plan.todos.map(({ status }) => status)).toEqual(Array(count).fill("completed"));
      expect(run!.ledger.decision).toMatchObject({ type: "stop", reason: "done_unproven" });
      expect(run!.ledger.spent.continuations).toBe(count);
      expect(mainRequests()).toBe(2 + 3 * count);
    });
  });
});
