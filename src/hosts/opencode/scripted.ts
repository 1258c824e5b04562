import { join } from "node:path";
import type { Call } from "../../scripted/index.ts";
import type { ScriptedHost, ScriptedTools } from "../scripted-host.ts";
import { profile } from "./profile.ts";

const QUIET = [
  "AUTOUPDATE",
  "MODELS_FETCH",
  "LSP_DOWNLOAD",
  "DEFAULT_PLUGINS",
  "CLAUDE_CODE",
  "EXTERNAL_SKILLS",
  "EMBEDDED_WEB_UI",
  "TERMINAL_TITLE",
];
/** Naming it in both files keeps OpenCode from installing it. */
const DEPENDENCIES = { "@opencode-ai/plugin": profile.verified };

export const scripted: ScriptedHost = {
  files: ({ url, adapter }) => ({
    ".config/opencode/package.json": JSON.stringify({ dependencies: DEPENDENCIES }),
    ".config/opencode/package-lock.json": JSON.stringify({
      lockfileVersion: 3,
      packages: { "": { dependencies: DEPENDENCIES } },
    }),
    ".config/opencode/node_modules/.keep": "",
    ".config/opencode/opencode.json": JSON.stringify({
      model: "fake/m",
      small_model: "fake/m",
      enabled_providers: ["fake"],
      share: "disabled",
      autoupdate: false,
      snapshot: false,
      lsp: false,
      formatter: false,
      provider: {
        fake: {
          npm: "@ai-sdk/openai-compatible",
          name: "Fake",
          options: { baseURL: `${url}/v1`, apiKey: "none" },
          models: { m: { name: "m", tool_call: true, limit: { context: 100_000, output: 4096 } } },
        },
      },
      plugin: [adapter],
    }),
  }),
  env: ({ home }) => ({
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    HTTP_PROXY: "http://127.0.0.1:9",
    HTTPS_PROXY: "http://127.0.0.1:9",
    NO_PROXY: "127.0.0.1,localhost",
    ...Object.fromEntries(QUIET.map((name) => [`OPENCODE_DISABLE_${name}`, "1"])),
  }),
  args: () => [],
  tools,
  checksAtEnd: true,
};

interface Item {
  readonly content: string;
  readonly priority: string;
  status: string;
}
const STATUS: Readonly<Record<string, string>> = {
  start: "in_progress",
  complete: "completed",
  abandon: "cancelled",
};

const itemOf = (content: string): Item => ({ content, priority: "medium", status: "pending" });

/** Our tools in the words of its own list, which is always told whole. */
function tools(): ScriptedTools {
  let list: Item[] = [];
  const whole = (): Call => ["todowrite", { todos: list.map((item) => ({ ...item })) }];
  return {
    shell: (command) => ["bash", { command, description: "work" }],
    sees: (todos) => {
      const added = todos.filter((text) => !list.some(({ content }) => content === text));
      list = [...list, ...added.map(itemOf)];
    },
    ours: (tool, args) => {
      if (tool === "write_todos") {
        const { mode, todos } = args as { mode: string; todos: readonly { text: string }[] };
        const items = todos.map(({ text }) => itemOf(text));
        list = mode === "replace" ? items : [...list, ...items];
        return whole();
      }
      if (tool !== "edit_todos") return [tool, args];
      const { action, indices, reason } = args as { action: string; indices: number[]; reason?: string };
      if (action === "block") return ["block_todos", { indices, reason }];
      for (const index of indices) list[index]!.status = STATUS[action] ?? "pending";
      return whole();
    },
  };
}
