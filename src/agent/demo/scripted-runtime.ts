import { join } from "node:path";
import { fauxAssistantMessage, fauxProvider, fauxToolCall } from "@earendil-works/pi-ai";
import { ModelRuntime } from "@earendil-works/pi-coding-agent";
import type { Model } from "../open-agent.ts";
import type { Line } from "./script.ts";

/** A model that follows a script, inside this process: no key, no network. */
export async function scriptedRuntime(
  script: readonly Line[],
  root: string,
  beforeEach: () => Promise<void>,
): Promise<{ readonly modelRuntime: ModelRuntime; readonly model: Model }> {
  const faux = fauxProvider({ provider: "demo", models: [{ id: "scripted" }] });
  faux.setResponses(
    script.map((line) => async () => {
      await beforeEach();
      if ("says" in line) return fauxAssistantMessage(line.says);
      const calls = line.calls.map(([name, args]) => fauxToolCall(name, args as Parameters<typeof fauxToolCall>[1]));
      return fauxAssistantMessage(calls, { stopReason: "toolUse" });
    }),
  );
  const modelRuntime = await ModelRuntime.create({
    authPath: join(root, "auth.json"),
    modelsPath: null,
    refreshOnCreate: false,
  });
  modelRuntime.registerNativeProvider(faux.provider);
  await modelRuntime.setRuntimeApiKey("demo", "none");
  return { modelRuntime, model: faux.getModel() };
}
