import { join } from "node:path";
import { scripted } from "../../../src/hosts/codex/scripted.ts";
import { lines, type RealHost, setUpAs } from "../real-host.ts";

export const host: RealHost = {
  ...setUpAs(scripted),
  name: "codex",
  program: "codex",
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
  unasked: ["--dangerously-bypass-hook-trust"],
  sessionOf: (out) => lines(out).find(({ type }) => type === "thread.started")?.thread_id as string | undefined,
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
