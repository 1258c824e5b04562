import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startScriptedModel } from "../../src/testing/index.ts";
import { piTool } from "../../test/e2e/pi/pi-tool.ts";
import { personaNamed } from "./a-cell.ts";
import { playOn, type Stage } from "./stage.ts";

const terms = () => ({ longestMs: 20_000, quietMs: 20_000, signal: new AbortController().signal, keep: () => {} });

test("what was set up is cleaned up in its order, also where the rest of it fails", async () => {
  const done: string[] = [];
  const stage: Stage = {
    tools: () => ({ call: piTool }),
    setUp: async (_persona, _script, defer) => {
      defer(() => done.push("model"));
      defer(() => done.push("sandbox"));
      throw new Error("it cannot be installed");
    },
  };
  await expect(playOn(stage, personaNamed("says ok"), terms())).rejects.toThrow("it cannot be installed");
  expect(done).toEqual(["model", "sandbox"]);
});

test("a program that ends without asking the model had no luck, and leaves nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stage-"));
  const project = join(folder, "project");
  mkdirSync(project);
  const done: string[] = [];
  const stage: Stage = {
    tools: () => ({ call: piTool }),
    setUp: async (_persona, script, defer) => {
      const model = await startScriptedModel(script);
      defer(() => model.close());
      defer(() => done.push("sandbox"));
      const args = ["-c", "echo no such model >&2; exit 3"];
      return { model, project, program: "/bin/sh", args, env: {} };
    },
  };
  try {
    expect(await playOn(stage, personaNamed("says ok"), terms())).toEqual({
      status: "not run",
      why: "it ended without asking the model: no such model",
      cause: "luck",
    });
    expect(done).toEqual(["sandbox"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
