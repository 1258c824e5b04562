// The escape key in OpenCode's terminal: "plugin": ["tildone"] in tui.json
import plugin from "../../src/hosts/opencode/tui.ts";

export const { id, tui } = plugin;
