import { filledIn, type Plugin } from "../../hooks/index.ts";

const ROOT = filledIn("extensionPath");

/** What Gemini CLI calls an extension. */
export const plugin: Plugin = {
  folder: "gemini/tildone",
  files: ({ manifest: { name, version, description }, hooks, server, guide, commands }) => ({
    "gemini-extension.json": {
      name,
      version,
      description,
      contextFileName: "GEMINI.md",
      mcpServers: { tildone: server(`${ROOT}/`) },
    },
    "hooks/hooks.json": { hooks: hooks(ROOT) },
    "GEMINI.md": guide,
    ...Object.fromEntries(
      Object.entries(commands).map(([command, says]) => [
        `commands/tildone/${command}.toml`,
        `description = ${JSON.stringify(says)}\nprompt = "tildone ${command} {{args}}"\n`,
      ]),
    ),
  }),
};
