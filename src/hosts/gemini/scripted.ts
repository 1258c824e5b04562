import type { ScriptedHost } from "../scripted-host.ts";

const SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
  telemetry: { enabled: false },
};

export const scripted: ScriptedHost = {
  files: () => ({ ".gemini/settings.json": `${JSON.stringify(SETTINGS, null, 2)}\n` }),
  env: ({ home, url }) => ({
    GEMINI_CLI_HOME: home,
    GEMINI_API_KEY: "x",
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
    GEMINI_CLI_NO_RELAUNCH: "true",
  }),
  args: () => ["-m", "gemini-2.5-pro", "--yolo"],
  // The calls of one answer run side by side unless they ask to wait for those before them.
  tools: () => ({
    ours: (tool, args) => [`mcp_tildone_${tool}`, { ...args, wait_for_previous: true }],
    shell: (command) => ["run_shell_command", { command, description: "work", wait_for_previous: true }],
  }),
};
