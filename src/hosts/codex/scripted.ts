import type { ScriptedHost } from "../scripted-host.ts";

/** What asks the network for something else than an answer. */
const OFF = [
  "plugins",
  "apps",
  "remote_plugin",
  "plugin_discovery_prefetch",
  "shell_snapshot",
  "skill_search",
  "tool_suggest",
];

export const scripted: ScriptedHost = {
  files: ({ url, project }) => ({
    ".codex/config.toml": [
      'model = "gpt-5.5"',
      'model_provider = "fake"',
      'approval_policy = "never"',
      'sandbox_mode = "read-only"', // who may write is said when it is started, and when it is resumed
      "check_for_update_on_startup = false",
      "analytics = { enabled = false }",
      "",
      "[features]",
      ...OFF.map((feature) => `${feature} = false`),
      "",
      "[model_providers.fake]",
      'name = "fake"',
      `base_url = "${url}/v1"`,
      'wire_api = "responses"',
      'env_key = "FAKE_KEY"',
      "request_max_retries = 0",
      "stream_max_retries = 0",
      "",
      `[projects.${JSON.stringify(project)}]`,
      'trust_level = "trusted"',
      "",
    ].join("\n"),
  }),
  env: () => ({ FAKE_KEY: "x" }),
  // In a home that was made a moment ago no hook has been reviewed.
  args: () => ["--dangerously-bypass-hook-trust"],
  tools: () => ({
    ours: (tool, args) => [`mcp__tildone/${tool}`, args],
    shell: (command) => ["exec_command", { cmd: command }],
  }),
};
