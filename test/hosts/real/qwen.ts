import { join } from "node:path";
import { lines, type RealHost } from "../real-host.ts";

export const host: RealHost = {
  name: "qwen",
  program: "qwen-code",
  configure: (sandbox) =>
    sandbox.write(
      "home/.qwen/settings.json",
      '{\n  "$version": 4,\n  "privacy": { "usageStatisticsEnabled": false },\n  "general": { "enableAutoUpdate": false }\n}\n',
    ),
  config: ({ home }) => [join(home, ".qwen/settings.json")],
  // Not through its launcher, which passes no signal on.
  start: (sandbox, binary, url, { prompt, resume, env, flags = [] }) =>
    sandbox.run(
      process.execPath,
      [
        join(binary, "../../@qwen-code/qwen-code/cli.js"),
        ...(resume ? ["--resume", resume] : []),
        ...["-p", prompt, "--output-format", "stream-json", ...host.unasked, ...flags],
      ],
      { ...host.env(sandbox, url), ...env },
    ),
  env: (_sandbox, url) => ({
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: "x",
    OPENAI_MODEL: "scripted",
    QWEN_CODE_SUPPRESS_YOLO_WARNING: "1",
  }),
  unasked: ["--auth-type", "openai", "--yolo"],
  limit: { status: 400, message: "Your quota is used up.", headers: { "retry-after": "1" } },
  sessionOf: (out) => lines(out).find(({ session_id }) => session_id)?.session_id as string | undefined,
  ours: (tool, args) => [`mcp__tildone__${tool}`, args],
  shell: (command) => ["run_shell_command", { command, is_background: false }],
  stopHook: "Stop",
  toolHook: "PreToolUse",
};
