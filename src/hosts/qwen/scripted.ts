import type { ScriptedHost } from "../scripted-host.ts";

export const scripted: ScriptedHost = {
  files: () => ({
    ".qwen/settings.json":
      '{\n  "$version": 4,\n  "privacy": { "usageStatisticsEnabled": false },\n  "general": { "enableAutoUpdate": false }\n}\n',
  }),
  env: ({ url }) => ({
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: "x",
    OPENAI_MODEL: "scripted",
    QWEN_CODE_SUPPRESS_YOLO_WARNING: "1",
  }),
  args: () => ["--auth-type", "openai", "--yolo"],
  tools: () => ({
    ours: (tool, args) => [`mcp__tildone__${tool}`, args],
    shell: (command) => ["run_shell_command", { command, is_background: false }],
  }),
  // What you might type next, and what to remember.
  isAside: ({ messages }) => /^(?:\[SUGGESTION MODE|Managed memory has )/.test(messages.at(-1)?.text ?? ""),
};
