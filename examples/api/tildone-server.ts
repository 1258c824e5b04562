// The plugin of OpenCode, as its loader takes it: "plugin": ["tildone"] in opencode.json
import plugin from "../../src/hosts/opencode/index.ts";

export const { id, server } = plugin;
