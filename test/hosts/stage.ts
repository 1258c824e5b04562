import { afterEach, beforeEach } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../src/testing/index.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

/** A machine and a model of its own for each test of a file. */
export interface Stage {
  readonly sandbox: Sandbox;
  readonly model: ScriptedModel;
}

export function useStage(name: string): Stage {
  let sandbox: Sandbox;
  let model: ScriptedModel;
  beforeEach(async () => {
    sandbox = createSandbox(name);
    model = await startScriptedModel([{ text: "nothing to say" }]);
  });
  afterEach(async () => {
    await model.close();
    sandbox.remove();
  });
  return {
    get sandbox() {
      return sandbox;
    },
    get model() {
      return model;
    },
  };
}
