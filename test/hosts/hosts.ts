import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Call } from "../../src/testing/index.ts";
import type { BinaryName } from "./binaries.ts";
import type { Ended, Sandbox } from "./sandbox.ts";

/** How a real host is set up, started and read. */
export interface RealHost {
  readonly name: BinaryName;
  /** What its configuration holds before we come. */
  configure(sandbox: Sandbox, url: string): void;
  env(sandbox: Sandbox, url: string): Readonly<Record<string, string>>;
  start(sandbox: Sandbox, binary: string, url: string, asked: Asked): Promise<Ended>;
  /** What a supervisor has to pass on so that nobody is asked. */
  readonly unasked: readonly string[];
  /** What `ps` shows of it. */
  readonly program: string;
  /** Files that an installation may change. */
  config(sandbox: Sandbox): readonly string[];
  sessionOf(out: string): string | undefined;
  ours(tool: string, args: object): Call;
  shell(command: string): Call;
  /** How the host's own configuration spells the stop hook. */
  readonly stopHook: string;
  /** And the one before a tool. */
  readonly toolHook: string;
  /** What makes it compact its context, where that can be provoked: flags, environment, and how much the model says it read. */
  readonly compaction?: {
    readonly flags: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly tokens: number;
  };
}
export interface Asked {
  readonly prompt: string;
  readonly resume?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

const lines = (out: string): Record<string, unknown>[] =>
  out.split("\n").flatMap((line) => {
    try {
      return line.startsWith("{") ? [JSON.parse(line) as Record<string, unknown>] : [];
    } catch {
      return [];
    }
  });

export const CLAUDE_CODE: RealHost = {
  name: "claude-code",
  program: "claude",
  configure: (sandbox) =>
    sandbox.write("home/.claude/settings.json", '{\n  "permissions": { "allow": ["Bash", "Write"] }\n}\n'),
  config: ({ home }) => [join(home, ".claude/settings.json")],
  start: (sandbox, binary, url, { prompt, resume, env, flags = [] }) =>
    sandbox.run(
      binary,
      ["-p", ...(resume ? ["--resume", resume] : []), prompt, "--output-format", "stream-json", "--verbose", ...flags],
      { ...CLAUDE_CODE.env(sandbox, url), ...env },
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

export const CODEX: RealHost = {
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
      { ...CODEX.env(sandbox, url), ...env },
    ),
  env: () => ({ FAKE_KEY: "x" }),
  unasked: ["--dangerously-bypass-hook-trust"],
  sessionOf: (out) => lines(out).find(({ type }) => type === "thread.started")?.thread_id as string | undefined,
  ours: (tool, args) => [`mcp__tildone/${tool}`, args],
  shell: (command) => ["exec_command", { cmd: command }],
  stopHook: "Stop",
  toolHook: "PreToolUse",
  compaction: { flags: ["-c", "model_auto_compact_token_limit=5000"], env: {}, tokens: 9_000 },
};

export const GEMINI: RealHost = {
  name: "gemini",
  program: "gemini",
  configure: (sandbox) =>
    sandbox.write(
      "home/.gemini/settings.json",
      `${JSON.stringify(
        {
          security: { auth: { selectedType: "gemini-api-key" } },
          privacy: { usageStatisticsEnabled: false },
          general: { enableAutoUpdate: false },
          telemetry: { enabled: false },
        },
        null,
        2,
      )}\n`,
    ),
  config: ({ home }) => [join(home, ".gemini/settings.json")],
  start: (sandbox, binary, url, { prompt, resume, env, flags = [] }) =>
    sandbox.run(
      process.execPath,
      [
        binary,
        ...(resume ? ["--resume", resume] : []),
        ...["-p", prompt, "-m", "gemini-2.5-pro", "--output-format", "stream-json", "--yolo"],
        ...flags,
      ],
      { ...GEMINI.env(sandbox, url), ...env },
    ),
  env: (sandbox, url) => ({
    GEMINI_CLI_HOME: sandbox.home,
    GEMINI_API_KEY: "x",
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
    GEMINI_CLI_NO_RELAUNCH: "true",
  }),
  unasked: ["-m", "gemini-2.5-pro", "--yolo"],
  sessionOf: (out) => lines(out).find(({ type }) => type === "init")?.session_id as string | undefined,
  // The calls of one answer run side by side unless they ask to wait for those before them.
  ours: (tool, args) => [`mcp_tildone_${tool}`, { ...args, wait_for_previous: true }],
  shell: (command) => ["run_shell_command", { command, description: "work", wait_for_previous: true }],
  stopHook: "AfterAgent",
  toolHook: "BeforeTool",
};

export const bytesOf = (host: RealHost, sandbox: Sandbox): readonly (string | undefined)[] =>
  host.config(sandbox).map((path) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  });
