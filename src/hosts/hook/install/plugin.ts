import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HostName } from "../dialect.ts";
import { isObject, readPayload } from "../payload.ts";
import { readConfig } from "./config-file.ts";
import { placesOf, type Whereabouts } from "./places.ts";

/** Whether the host itself loads us, as a plugin or an extension. Beside our own entries every moment would be told twice. */
export function hasPlugin(host: HostName, where: Whereabouts): boolean {
  switch (host) {
    case "claude-code":
      return (["user", "project"] as const).some((scope) => isEnabled(textOf(placesOf(host, scope, where).hooks)));
    case "codex": {
      const table = /^\[plugins\."tildone@[^\n]*\n(?:(?!\[).*\n?)*/m.exec(
        textOf(placesOf(host, "user", where).servers),
      );
      return table !== null && !/^\s*enabled\s*=\s*false/m.test(table[0]);
    }
    case "gemini":
      return existsSync(join(where.env.GEMINI_CLI_HOME ?? where.home, ".gemini/extensions/tildone"));
  }
}

function isEnabled(settings: string): boolean {
  try {
    const plugins = readPayload(settings)?.enabledPlugins;
    return (
      isObject(plugins) && Object.entries(plugins).some(([name, on]) => name.startsWith("tildone@") && on === true)
    );
  } catch {
    return false; // no JSON: the installation says so
  }
}

function textOf(path: string): string {
  const read = readConfig(path);
  return read.ok ? (read.text ?? "") : "";
}
