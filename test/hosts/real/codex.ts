import { join } from "node:path";
import { lines, type RealHost } from "../real-host.ts";

export const host: RealHost = {
  name: "codex",
  program: "codex",
  configure: (sandbox, url) =>
    sandbox.write(
      "home/.codex/config.toml",
      [
        'model = "gpt-5.5"',
        'model_provider = "fake"',
        'approval_policy = "never"',
        'sandbox_mode = "read-only"', // who may write is said when it is started, and when it is resumed
        "check_for_update_on_startup = false",
        "analytics = { enabled = false }",
        "",
        "[features]",
        ...[
          "plugins",
          "apps",
          "remote_plugin",
          "plugin_discovery_prefetch",
          "shell_snapshot",
          "skill_search",
          "tool_suggest",
        ].map((feature) => `${feature} = false`),
        "",
        "[model_providers.fake]",
        'name = "fake"',
        `base_url = "${url}/v1"`,
        'wire_api = "responses"',
        'env_key = "FAKE_KEY"',
        "request_max_retries = 0",
        "stream_max_retries = 0",
        "",
        `[projects.${JSON.stringify(sandbox.project)}]`,
        'trust_level = "trusted"',
        "",
      ].join("\n"),
    ),
  config: ({ home }) => [join(home, ".codex/config.toml"), join(home, ".codex/hooks.json")],
  start: (sandbox, binary, url, { prompt, resume, env, flags = [] }) =>
    sandbox.run(
      binary,
      [
        "exec",
        ...(resume ? ["resume"] : []),
        "--json",
        "--skip-git-repo-check",
        "--dangerously-bypass-hook-trust",
        // A resumed session does not keep its sandbox mode, and refuses the flag for it.
        ...(resume ? ["-c", 'sandbox_mode="workspace-write"'] : ["-s", "workspace-write"]),
        ...flags,
        ...(resume ? [resume] : []),
        prompt,
      ],
      { ...host.env(sandbox, url), ...env },
    ),
  env: () => ({ FAKE_KEY: "x" }),
  unasked: ["--dangerously-bypass-hook-trust"],
  sessionOf: (out) => lines(out).find(({ type }) => type === "thread.started")?.thread_id as string | undefined,
  ours: (tool, args) => [`mcp__tildone/${tool}`, args],
  shell: (command) => ["exec_command", { cmd: command }],
  stopHook: "Stop",
  toolHook: "PreToolUse",
  promptHook: "UserPromptSubmit",
  ownList: (items) => [
    "update_plan",
    {
      plan: items.filter(({ status }) => status !== "cancelled").map(({ text, status }) => ({ step: text, status })),
    },
  ],
  ownListNeeds: { flags: ["-c", "tools.update_plan.enabled=true"] },
  forbidding: {
    "a rule": (sandbox) =>
      sandbox.write("home/.codex/rules/default.rules", 'prefix_rule(pattern=["touch"], decision="forbidden")\n'),
  },
  screen: {
    line: (binary, prompt) => [binary, "--dangerously-bypass-hook-trust", "-s", "workspace-write", prompt],
    asks: {
      shows: "Use existing model",
      keys: ["Down", "Enter"],
      chosen: /› 2\. Use existing model/,
      begins: "OpenAI Codex",
    },
  },
  compaction: { flags: ["-c", "model_auto_compact_token_limit=5000"], env: {}, tokens: 9_000 },
};
