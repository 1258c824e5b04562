import { filledIn, type Plugin } from "../../hooks/index.ts";
import { INHERITED } from "./edit-config.ts";

/** Codex fills in Claude Code's name for the folder, in hooks alone. */
const ROOT = filledIn("CLAUDE_PLUGIN_ROOT");

/** In the folder of Claude Code's, with files of its own. */
export const plugin: Plugin = {
  folder: "marketplace/plugins/tildone",
  files: ({ manifest, hooks, server }) => ({
    ".codex-plugin/plugin.json": {
      ...manifest,
      mcpServers: "./mcp.codex.json",
      hooks: "./hooks/codex.json",
      skills: "./skills/",
    },
    "hooks/codex.json": { hooks: hooks(ROOT) },
    // It starts the server in the plugin's own folder and fills in no variable here; the hook tells where the session works.
    "mcp.codex.json": {
      mcpServers: {
        tildone: { ...server("./"), cwd: ".", default_tools_approval_mode: "approve", env_vars: INHERITED },
      },
    },
  }),
};
