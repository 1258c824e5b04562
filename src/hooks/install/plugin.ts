import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HostName } from "../dialect.ts";
import { objectAt } from "../payload.ts";
import { readConfig } from "./config-file.ts";
import { parseSettings } from "./edit-json.ts";
import { placesOf, type Whereabouts } from "./places.ts";
import { readToml, tomlValueIn } from "./toml-statements.ts";

/** Whether the host itself loads us, as a plugin or an extension. Beside our own entries every moment would be told twice. */
export function hasPlugin(host: HostName, where: Whereabouts): boolean {
  switch (host) {
    case "claude-code":
      return (["user", "project"] as const).some((scope) => isEnabled(textOf(placesOf(host, scope, where).hooks)));
    case "codex": {
      const read = readToml(textOf(placesOf(host, "user", where).servers));
      const names = (read.ok ? read.statements : []).flatMap(({ key }) => (key[0] === "plugins" ? (key[1] ?? []) : []));
      return [...new Set(names)].some(
        (name) =>
          name.startsWith("tildone@") &&
          tomlValueIn(textOf(placesOf(host, "user", where).servers), ["plugins", name, "enabled"]) !== "false",
      );
    }
    case "gemini":
      return existsSync(join(where.env.GEMINI_CLI_HOME ?? where.home, ".gemini/extensions/tildone"));
  }
}

const isEnabled = (settings: string): boolean =>
  Object.entries(objectAt(parseSettings(settings), "enabledPlugins")).some(
    ([name, on]) => name.startsWith("tildone@") && on === true,
  );

function textOf(path: string): string {
  const read = readConfig(path);
  return read.ok ? (read.text ?? "") : "";
}
