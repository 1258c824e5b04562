import { NEVER_GATED, type ToolKind } from "../core/workflow/index.ts";
import type { Tool } from "./happening.ts";

/** How hosts spell the tools of a server called "tildone": Claude Code and Codex, Claude Code's plugin, Gemini. */
const PREFIXES = ["mcp__tildone__", "mcp__plugin_tildone_tildone__", "mcp_tildone_"];

/** An unknown tool belongs to no group: a whitelist keeps it out, a blacklist stops it by its name only. */
export function toolOf(name: string, kinds: Readonly<Record<string, readonly ToolKind[]>>): Tool {
  const ours = NEVER_GATED.find((plain) => PREFIXES.some((prefix) => name === prefix + plain));
  return { name, kinds: kinds[name] ?? [], ...(ours !== undefined && { ours }) };
}
