import { join } from "node:path";
import { lines, type RealHost } from "../real-host.ts";

export const host: RealHost = {
  name: "claude-code",
  program: "claude",
  configure: (sandbox) =>
    sandbox.write("home/.claude/settings.json", '{\n  "permissions": { "allow": ["Bash", "Write"] }\n}\n'),
  config: ({ home }) => [join(home, ".claude/settings.json")],
  start: (sandbox, binary, url, { prompt, resume, env, flags = [] }) =>
    sandbox.run(
      binary,
      ["-p", ...(resume ? ["--resume", resume] : []), prompt, "--output-format", "stream-json", "--verbose", ...flags],
      { ...host.env(sandbox, url), ...env },
    ),
  env: (sandbox, url) => ({
    CLAUDE_CODE_TMPDIR: sandbox.env.TMPDIR!,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-fake",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
  }),
  unasked: [],
  sessionOf: (out) => lines(out).find(({ session_id }) => session_id)?.session_id as string | undefined,
  ours: (tool, args) => [`mcp__tildone__${tool}`, args],
  shell: (command) => ["Bash", { command, description: "work" }],
  stopHook: "Stop",
  toolHook: "PreToolUse",
  compaction: {
    flags: ["--model", "claude-haiku-4-5"],
    env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" },
    tokens: 190_000,
  },
};
