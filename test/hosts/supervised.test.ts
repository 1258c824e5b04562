import { resolve } from "node:path";
import { describe, inject, test } from "vitest";
import { programsOf } from "./binaries.ts";
import { bash, setUpOpenCode, todowrite } from "./opencode.ts";
import { texts } from "./script.ts";
import { useStage } from "./stage.ts";
import { supervisedSuite } from "./supervised-suite.ts";

// Hosts with our adapter inside, started by `tildone run --host`.
const stage = useStage("supervised");

describe("opencode", () => {
  const binary = inject("binaries").opencode;
  if ("skipped" in binary) {
    test.skip(`skipped: ${binary.skipped}`, () => {});
    return;
  }
  supervisedSuite({
    name: "opencode",
    folder: programsOf("opencode"),
    program: "opencode",
    unasked: [],
    limit: { status: 400, message: "Your quota is used up.", headers: { "retry-after": "1" } },
    shell: bash,
    list: todowrite,
    surroundings: () => ({
      sandbox: stage.sandbox,
      model: stage.model,
      env: setUpOpenCode(stage.sandbox, binary.path, { url: stage.model.url }).env,
    }),
  });
});

describe("pi", () => {
  supervisedSuite({
    name: "pi",
    program: "pi",
    folder: resolve("node_modules/.bin"),
    unasked: [
      ...["--provider", "scripted", "--model", "m", "-ne", "-ns", "-np", "-nc", "--no-themes"],
      ...["-e", resolve("dist/hosts/pi/index.js")],
    ],
    shell: (command) => ["bash", { command }],
    list: (count, done) =>
      done === 0
        ? ["write_todos", { mode: "replace", todos: texts(count).map((text) => ({ text })) }]
        : ["edit_todos", { action: "complete", indices: [done - 1] }],
    surroundings: () => ({ sandbox: stage.sandbox, model: stage.model, env: setUpPi() }),
  });

  function setUpPi(): Readonly<Record<string, string>> {
    stage.sandbox.write(
      "agent/models.json",
      JSON.stringify({
        providers: {
          scripted: {
            api: "openai-completions",
            apiKey: "x",
            baseUrl: `${stage.model.url}/v1`,
            models: [{ id: "m", contextWindow: 1_000_000, maxTokens: 4000 }],
          },
        },
      }),
    );
    stage.sandbox.write(
      "agent/settings.json",
      JSON.stringify({ quietStartup: true, enableInstallTelemetry: false, retry: { enabled: false } }),
    );
    const folder = resolve(stage.sandbox.home, "../agent");
    return { PI_CODING_AGENT_DIR: folder, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" };
  }
});
