import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HostName } from "../dialect.ts";
import { EVENTS } from "../happening.ts";
import { placesOf, type Scope, tomlValueIn, type Whereabouts } from "../install/index.ts";
import { objectAt, type Payload } from "../payload.ts";
import { type Finding, fix } from "./finding.ts";
import { readSettings } from "./read-settings.ts";

/** Settings of the host under which our hooks or tools do nothing, each with the file that has it. */
export function switchedOff(host: HostName, scope: Scope, where: Whereabouts): readonly Finding[] {
  const { hooks, servers } = placesOf(host, scope, where);
  const off = (path: string, setting: string, effect: string): Finding =>
    fix(`${host}: ${setting} in ${path}, so ${effect}. Remove that setting`);
  switch (host) {
    case "claude-code":
      return [hooks, join(dirname(hooks), "settings.local.json")].flatMap((path) => {
        const settings = readSettings(path);
        return [
          ...(settings.disableAllHooks === true ? [off(path, "disableAllHooks is set", NO_HOOK)] : []),
          ...(textsAt(objectAt(settings, "permissions"), "deny").some(isOurTool)
            ? [off(path, "permissions.deny names mcp__tildone", NO_TOOL)]
            : []),
          ...(textsAt(settings, "disabledMcpjsonServers").includes("tildone")
            ? [off(path, "disabledMcpjsonServers names tildone", NO_TOOL)]
            : []),
        ];
      });
    case "gemini": {
      const settings = readSettings(hooks);
      const hookConfig = objectAt(settings, "hooksConfig");
      const disabled = textsAt(hookConfig, "disabled").filter((name) => OUR_NAMES.includes(name));
      return [
        ...(hookConfig.enabled === false ? [off(hooks, "hooksConfig.enabled is false", NO_HOOK)] : []),
        ...(disabled.length > 0
          ? [off(hooks, `hooksConfig.disabled names ${disabled.join(", ")}`, "these hooks never run")]
          : []),
        ...(textsAt(objectAt(settings, "mcp"), "excluded").includes("tildone")
          ? [off(hooks, "mcp.excluded names tildone", NO_TOOL)]
          : []),
      ];
    }
    case "codex": {
      const text = textOf(servers);
      return [
        ...(tomlValueIn(text, ["features", "hooks"]) === "false"
          ? [off(servers, "features.hooks is false", NO_HOOK)]
          : []),
        ...(tomlValueIn(text, ["mcp_servers", "tildone", "enabled"]) === "false"
          ? [off(servers, "mcp_servers.tildone.enabled is false", NO_TOOL)]
          : []),
      ];
    }
  }
}

const NO_HOOK = "no hook runs";
const NO_TOOL = "the agent has no todo tools";
const OUR_NAMES: readonly string[] = EVENTS.map((event) => `tildone-${event}`);

const isOurTool = (rule: string): boolean => /^mcp__tildone(__|$)/.test(rule);

function textsAt(payload: Payload, key: string): readonly string[] {
  const value = payload[key];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
