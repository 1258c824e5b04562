// The escape key in OpenCode's terminal: "plugin" in tui.json names the package or its folder
import plugin from "../../src/hosts/opencode/tui.ts";

export const { id, tui } = plugin;
