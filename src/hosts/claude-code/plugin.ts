import { filledIn, type Plugin } from "../../hooks/index.ts";

const ROOT = filledIn("CLAUDE_PLUGIN_ROOT");

/** Part of a marketplace; Codex reads the same folder. */
export const plugin: Plugin = {
  folder: "marketplace/plugins/tildone",
  files: ({ manifest, hooks, server, guide, commands }) => ({
    ".claude-plugin/plugin.json": manifest,
    "hooks/hooks.json": { hooks: hooks(ROOT) },
    ".mcp.json": { mcpServers: { tildone: { ...server(`${ROOT}/`), alwaysLoad: true } } },
    "skills/tildone/SKILL.md": `---\nname: tildone\ndescription: Keep a todo list that is worked through until it is done and proven done.\n---\n\n${guide}`,
    ...Object.fromEntries(
      Object.entries(commands).map(([name, says]) => [
        `commands/${name}.md`,
        `---\ndescription: ${JSON.stringify(says)}\n---\n\ntildone ${name} $ARGUMENTS\n`,
      ]),
    ),
    "../../.claude-plugin/marketplace.json": {
      name: "tildone",
      owner: { name: "tildone" },
      plugins: [{ name: "tildone", source: "./plugins/tildone", description: manifest.description }],
    },
  }),
};
