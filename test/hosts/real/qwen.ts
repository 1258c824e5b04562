import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scripted } from "../../../src/hosts/qwen/scripted.ts";
import { lines, type RealHost, setUpAs } from "../real-host.ts";
import type { Sandbox } from "../sandbox.ts";

/** Not its launcher, which passes no signal on. */
const scriptOf = (binary: string): string => join(binary, "../../@qwen-code/qwen-code/cli.js");

function set(sandbox: Sandbox, more: object): void {
  const settings = JSON.parse(readFileSync(join(sandbox.home, ".qwen/settings.json"), "utf8")) as object;
  sandbox.write("home/.qwen/settings.json", JSON.stringify({ ...settings, ...more }));
}

export const host: RealHost = {
  ...setUpAs(scripted),
  name: "qwen",
  program: "qwen-code",
  config: ({ home }) => [join(home, ".qwen/settings.json")],
  start: (sandbox, binary, url, { prompt, resume, env, flags = [] }) =>
    sandbox.run(
      process.execPath,
      [
        scriptOf(binary),
        ...(resume ? ["--resume", resume] : []),
        ...["-p", prompt, "--output-format", "stream-json", ...host.unasked, ...flags],
      ],
      { ...host.env(sandbox, url), ...env },
    ),
  unasked: ["--auth-type", "openai", "--yolo"],
  limit: { status: 400, message: "Your quota is used up.", headers: { "retry-after": "1" } },
  sessionOf: (out) => lines(out).find(({ session_id }) => session_id)?.session_id as string | undefined,
  stopHook: "Stop",
  toolHook: "PreToolUse",
  promptHook: "UserPromptSubmit",
  ownList: (items) => [
    "todo_write",
    {
      todos: items
        .filter(({ status }) => status !== "cancelled")
        .map(({ text, status }, at) => ({ id: `${at}`, content: text, status })),
    },
  ],
  // It is shipped without it.
  ownListNeeds: { prepare: (sandbox) => set(sandbox, { tools: { todoWrite: { enabled: true } } }) },
  forbidding: {
    "a rule": (sandbox) => set(sandbox, { permissions: { deny: ["run_shell_command(touch *)"] } }),
  },
  forgetsStops: true,
  endsSameCalls: true,
  screen: {
    line: (binary, prompt) => [process.execPath, scriptOf(binary), ...host.unasked, "-i", prompt],
    callsNudgesErrors: true,
    hidesEsc: true,
  },
  // A model that it does not know has a window of 200,000; above 177,000 it sends nothing any more.
  compaction: { flags: [], env: {}, tokens: 170_000 },
};
