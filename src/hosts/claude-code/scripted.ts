import type { ScriptedHost } from "../scripted-host.ts";

export const scripted: ScriptedHost = {
  files: () => ({ ".claude/settings.json": '{\n  "permissions": { "allow": ["Bash", "Write"] }\n}\n' }),
  env: ({ tmp, url }) => ({
    CLAUDE_CODE_TMPDIR: tmp,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-fake",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
  }),
  args: () => [],
  tools: () => ({
    ours: (tool, args) => [`mcp__tildone__${tool}`, args],
    shell: (command) => ["Bash", { command, description: "work" }],
  }),
};
