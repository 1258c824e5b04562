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
  promptHook: "UserPromptSubmit",
  ownList: (items) => [
    "TodoWrite",
    {
      todos: items
        .filter(({ status }) => status !== "cancelled")
        .map(({ text, status }) => ({ content: text, status, activeForm: text })),
    },
  ],
  ownListNeeds: { env: { CLAUDE_CODE_ENABLE_TASKS: "0" } },
  ownItem: ["TaskCreate", { subject: "one", description: "the first" }],
  forbidding: {
    "nobody to ask": (sandbox) => sandbox.write("home/.claude/settings.json", '{ "permissions": { "allow": [] } }\n'),
    "a rule": (sandbox) =>
      sandbox.write("home/.claude/settings.json", '{ "permissions": { "deny": ["Bash(touch:*)"] } }\n'),
  },
  screen: {
    line: (binary, prompt) => [binary, prompt],
    prepare: (sandbox) =>
      sandbox.write(
        "home/.claude.json",
        `${JSON.stringify({
          hasCompletedOnboarding: true,
          projects: { [sandbox.project]: { hasTrustDialogAccepted: true } },
          customApiKeyResponses: { approved: ["sk-ant-fake".slice(-20)], rejected: [] },
        })}\n`,
      ),
    typedAt: "? for shortcuts",
  },
  compaction: {
    flags: ["--model", "claude-haiku-4-5"],
    env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" },
    tokens: 190_000,
  },
};
