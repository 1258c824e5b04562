// Writes plugins/: one marketplace that Claude Code and Codex both read, and one extension for Gemini CLI. Each brings all it needs.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HookHostName } from "../src/config/index.ts";
import { TODO_GUIDANCE } from "../src/core/words/index.ts";
import { hookGroups } from "../src/hooks/index.ts";
import { INHERITED } from "../src/hosts/codex/edit-config.ts";
import { HOOK_PROFILES } from "../src/hosts/index.ts";
import { bundle } from "./bundle.ts";
import { bundleHook } from "./bundle-hook.ts";

const { version, description, license } = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, string>;

export async function buildPlugins(out: string): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  const marketplace = join(out, "marketplace");
  const plugin = join(marketplace, "plugins/tildone");
  const extension = join(out, "gemini/tildone");
  await bundleHook(join(plugin, "dist/hook"), { alone: true });
  await bundle({ mcp: "src/cli/mcp-main.ts" }, join(plugin, "dist/mcp"), { alone: true });
  cpSync("workflows", join(plugin, "workflows"), { recursive: true });
  cpSync("LICENSE", join(plugin, "LICENSE"));
  mkdirSync(join(plugin, "bin"));
  for (const name of ["package.json", "tildone-hook.js", "tildone-mcp.js"])
    cpSync(join("bin", name), join(plugin, "bin", name));
  write(join(plugin, "package.json"), json({ type: "module", private: true }));
  cpSync(plugin, extension, { recursive: true });
  writeAll(marketplace, { ".claude-plugin/marketplace.json": json(MARKETPLACE) });
  writeAll(plugin, PLUGIN);
  writeAll(extension, EXTENSION);
}

/** Filled in by the host. */
const variable = (name: string): string => `\${${name}}`;
const CLAUDE_ROOT = variable("CLAUDE_PLUGIN_ROOT");
const GEMINI_ROOT = variable("extensionPath");

const MARKETPLACE = {
  name: "tildone",
  owner: { name: "tildone" },
  plugins: [{ name: "tildone", source: "./plugins/tildone", description }],
};
const MANIFEST = { name: "tildone", version, description, license, author: { name: "tildone" } };

/** What the human may say to tildone; the hook hears it, so the text of a command is the command. */
const COMMANDS = {
  hold: "Hold the run: no continuation until unhold",
  unhold: "Let a held run go on",
  status: "Show the list and the last decision",
  workflow: "Work through the phases of a workflow: <name> <description>",
  "cancel-workflow": "End the active workflow",
};

const GUIDE = `Keep an ordered todo list with the tools of the MCP server "tildone" for any work of several steps.

${TODO_GUIDANCE.rules.map((rule) => `- ${rule}`).join("\n")}
- The work goes on by itself until every item is finished. An item with a check is completed only when the check passes.
`;

const PLUGIN: Files = {
  ".claude-plugin/plugin.json": json(MANIFEST),
  ".codex-plugin/plugin.json": json({
    ...MANIFEST,
    mcpServers: "./mcp.codex.json",
    hooks: "./hooks/codex.json",
    skills: "./skills/",
  }),
  "hooks/hooks.json": json({ hooks: hooks("claude-code", CLAUDE_ROOT) }),
  "hooks/codex.json": json({ hooks: hooks("codex", CLAUDE_ROOT) }),
  ".mcp.json": json({
    mcpServers: { tildone: { ...server("claude-code", `${CLAUDE_ROOT}/`), alwaysLoad: true } },
  }),
  // Codex starts it in the plugin's own folder and fills in no variable here; the hook tells where the session works.
  "mcp.codex.json": json({
    mcpServers: {
      tildone: {
        ...server("codex", "./"),
        cwd: ".",
        default_tools_approval_mode: "approve",
        env_vars: INHERITED,
      },
    },
  }),
  "skills/tildone/SKILL.md": `---\nname: tildone\ndescription: Keep a todo list that is worked through until it is done and proven done.\n---\n\n${GUIDE}`,
  ...Object.fromEntries(
    Object.entries(COMMANDS).map(([name, says]) => [
      `commands/${name}.md`,
      `---\ndescription: ${JSON.stringify(says)}\n---\n\ntildone ${name} $ARGUMENTS\n`,
    ]),
  ),
};

const EXTENSION: Files = {
  "gemini-extension.json": json({
    name: "tildone",
    version,
    description,
    contextFileName: "GEMINI.md",
    mcpServers: { tildone: server("gemini", `${GEMINI_ROOT}/`) },
  }),
  "hooks/hooks.json": json({ hooks: hooks("gemini", GEMINI_ROOT) }),
  "GEMINI.md": GUIDE,
  ...Object.fromEntries(
    Object.entries(COMMANDS).map(([name, says]) => [
      `commands/tildone/${name}.toml`,
      `description = ${JSON.stringify(says)}\nprompt = "tildone ${name} {{args}}"\n`,
    ]),
  ),
};

type Files = Readonly<Record<string, string>>;

function hooks(host: HookHostName, root: string) {
  return hookGroups(HOOK_PROFILES[host], (event) => `node "${root}/bin/tildone-hook.js" ${host} ${event}`);
}

function server(host: HookHostName, root: string) {
  return { command: "node", args: [`${root}bin/tildone-mcp.js`, host, version] };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function writeAll(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) write(join(folder, path), content);
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
