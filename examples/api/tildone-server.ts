// The plugin of OpenCode, as its loader takes it: "plugin" in opencode.json names the package or its folder
import plugin from "../../src/hosts/opencode/index.ts";

export const { id, server } = plugin;
