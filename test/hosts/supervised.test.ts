import { resolve } from "node:path";
import { afterEach, beforeEach, describe, inject, test } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../src/testing/index.ts";
import { BINARIES } from "./binaries.ts";
import { bash, setUpOpenCode, todowrite } from "./opencode.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";
import { texts } from "./script.ts";
import { supervisedSuite } from "./supervised-suite.ts";

// Hosts with our adapter inside, started by `tildone run --host`.
let sandbox: Sandbox;
let model: ScriptedModel;
beforeEach(async () => {
  sandbox = createSandbox("supervised");
  model = await startScriptedModel([{ text: "nothing to say" }]);
});
afterEach(async () => {
  await model.close();
  sandbox.remove();
});

describe("opencode", () => {
  const binary = inject("binaries").opencode;
  if ("skipped" in binary) {
    test.skip(`skipped: ${binary.skipped}`, () => {});
    return;
  }
  supervisedSuite({
    name: "opencode",
    folder: resolve(".hosts", `opencode-${BINARIES.opencode.version}`, "node_modules/.bin"),
    unasked: [],
    killer: "kill -9 $PPID",
    limit: { status: 400, message: "Your quota is used up.", headers: { "retry-after": "1" } },
    shell: bash,
    list: todowrite,
    surroundings: () => ({ sandbox, model, env: setUpOpenCode(sandbox, binary.path, { url: model.url }).env }),
  });
});

describe("pi", () => {
  supervisedSuite({
    name: "pi",
    folder: resolve("node_modules/.bin"),
    unasked: [
      ...["--provider", "scripted", "--model", "m", "-ne", "-ns", "-np", "-nc", "--no-themes"],
      ...["-e", resolve("dist/hosts/pi/index.js")],
    ],
    killer: "kill -9 $PPID",
    shell: (command) => ["bash", { command }],
    list: (count, done) =>
      done === 0
        ? ["write_todos", { mode: "replace", todos: texts(count).map((text) => ({ text })) }]
        : ["edit_todos", { action: "complete", indices: [done - 1] }],
    surroundings: () => ({ sandbox, model, env: setUpPi() }),
  });

  function setUpPi(): Readonly<Record<string, string>> {
    sandbox.write(
      "agent/models.json",
      JSON.stringify({
        providers: {
          scripted: {
            api: "openai-completions",
            apiKey: "x",
            baseUrl: `${model.url}/v1`,
            models: [{ id: "m", contextWindow: 1_000_000, maxTokens: 4000 }],
          },
        },
      }),
    );
    sandbox.write(
      "agent/settings.json",
      JSON.stringify({ quietStartup: true, enableInstallTelemetry: false, retry: { enabled: false } }),
    );
    const folder = resolve(sandbox.home, "../agent");
    return { PI_CODING_AGENT_DIR: folder, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" };
  }
});
