import { join } from "node:path";
import type { ScriptedHost } from "../scripted-host.ts";

const SETTINGS = { quietStartup: true, enableInstallTelemetry: false, retry: { enabled: false } };

export const scripted: ScriptedHost = {
  files: ({ url }) => ({
    ".pi/agent/models.json": JSON.stringify({
      providers: {
        scripted: {
          api: "openai-completions",
          apiKey: "x",
          baseUrl: `${url}/v1`,
          models: [{ id: "m", contextWindow: 1_000_000, maxTokens: 4000 }],
        },
      },
    }),
    ".pi/agent/settings.json": JSON.stringify(SETTINGS),
  }),
  env: ({ home }) => ({
    PI_CODING_AGENT_DIR: join(home, ".pi/agent"),
    PI_OFFLINE: "1",
    PI_SKIP_VERSION_CHECK: "1",
    PI_TELEMETRY: "0",
  }),
  args: ({ adapter }) => [
    ...["--provider", "scripted", "--model", "m", "-ne", "-ns", "-np", "-nc", "--no-themes"],
    ...["-e", adapter],
  ],
  tools: () => ({
    ours: (tool, args) => [tool, args],
    shell: (command) => ["bash", { command }],
  }),
};
