// Writes plugins/: what hosts load us with by themselves, as their profiles say. Each folder brings all it needs.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { TODO_GUIDANCE } from "../src/core/words/index.ts";
import { hookGroups } from "../src/hooks/index.ts";
import { HOOK_PROFILES } from "../src/hosts/index.ts";
import { bundle } from "./bundle.ts";
import { bundleHook } from "./bundle-hook.ts";

const { version, description, license } = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, string>;

export async function buildPlugins(out: string): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  const programs = join(out, "programs");
  await buildPrograms(programs);
  const hosts = Object.values(HOOK_PROFILES);
  for (const folder of new Set(hosts.flatMap(({ hook }) => hook.plugin?.folder ?? [])))
    cpSync(programs, join(out, folder), { recursive: true });
  rmSync(programs, { recursive: true });
  for (const host of hosts) {
    const { plugin } = host.hook;
    const files = plugin?.files({
      manifest: { name: "tildone", version, description, license, author: { name: "tildone" } },
      hooks: (root) => hookGroups(host, (event) => `node "${root}/bin/tildone-hook.js" ${host.name} ${event}`),
      server: (root) => ({ command: "node", args: [`${root}bin/tildone-mcp.js`, host.name, version!] }),
      guide: GUIDE,
      commands: COMMANDS,
    });
    for (const [path, content] of Object.entries(files ?? {})) write(join(out, plugin!.folder, path), content);
  }
}

/** What runs in every one of them. */
async function buildPrograms(folder: string): Promise<void> {
  await bundleHook(join(folder, "dist/hook"), { alone: true });
  await bundle({ mcp: "src/cli/mcp-main.ts" }, join(folder, "dist/mcp"), { alone: true });
  await bundle({ sender: "src/compose/sender-main.ts" }, join(folder, "dist/sender"), { alone: true });
  cpSync("workflows", join(folder, "workflows"), { recursive: true });
  cpSync("LICENSE", join(folder, "LICENSE"));
  mkdirSync(join(folder, "bin"));
  for (const name of ["package.json", "tildone-hook.js", "tildone-mcp.js", "tildone-notify.js"])
    cpSync(join("bin", name), join(folder, "bin", name));
  write(join(folder, "package.json"), { type: "module", private: true });
}

/** What you may say to tildone; the hook hears it, so the text of a command is the command. */
const COMMANDS = {
  hold: "Hold the run: no continuation until unhold",
  unhold: "Continue a run that is on hold",
  status: "Show the list and the last decision",
  workflow: "Work through the phases of a workflow: <name> <description>",
  "cancel-workflow": "End the active workflow",
};

const GUIDE = `Keep an ordered todo list with the tools of the MCP server "tildone" for any work of several steps.

${TODO_GUIDANCE.rules.map((rule) => `- ${rule}`).join("\n")}
- The work continues by itself until every todo is finished. A todo with a check is completed only when it passes.
`;

function write(path: string, content: object | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`);
}
