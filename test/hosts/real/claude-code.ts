import { join } from "node:path";
import { scripted } from "../../../src/hosts/claude-code/scripted.ts";
import { lines, type RealHost, setUpAs } from "../real-host.ts";

export const host: RealHost = {
  ...setUpAs(scripted),
  name: "claude-code",
  program: "claude",
  config: ({ home }) => [join(home, ".claude/settings.json")],
  start: (sandbox, binary, url, { prompt, resume, env, flags = [] }) =>
    sandbox.run(
      binary,
      ["-p", ...(resume ? ["--resume", resume] : []), prompt, "--output-format", "stream-json", "--verbose", ...flags],
      { ...host.env(sandbox, url), ...env },
    ),
  unasked: [],
  sessionOf: (out) => lines(out).find(({ session_id }) => session_id)?.session_id as string | undefined,
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
    "no terminal to ask in": (sandbox) =>
      sandbox.write("home/.claude/settings.json", '{ "permissions": { "allow": [] } }\n'),
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
