import { join } from "node:path";
import { lines, type RealHost } from "../real-host.ts";

export const host: RealHost = {
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
      { ...host.env(sandbox, url), ...env },
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
  promptHook: "BeforeAgent",
  ownList: (items) => ["write_todos", { todos: items.map(({ text, status }) => ({ description: text, status })) }],
  forbidding: {
    "a rule": (sandbox) =>
      sandbox.write(
        "home/.gemini/policies/no.toml",
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "touch"\ndecision = "deny"\npriority = 900\n',
      ),
  },
  printsNotices: true,
  hidesFailures: true,
  endsSameCalls: true,
  screen: {
    line: (binary, prompt) => [process.execPath, binary, "-m", "gemini-2.5-pro", "--yolo", "-i", prompt],
    asksAfterStop: 1, // it tells the model that its answer was empty
  },
};
