import { join } from "node:path";
import { scripted } from "../../../src/hosts/gemini/scripted.ts";
import { lines, type RealHost, setUpAs } from "../real-host.ts";

export const host: RealHost = {
  ...setUpAs(scripted),
  name: "gemini",
  program: "gemini",
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
  unasked: ["-m", "gemini-2.5-pro", "--yolo"],
  sessionOf: (out) => lines(out).find(({ type }) => type === "init")?.session_id as string | undefined,
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
