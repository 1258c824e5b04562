import { join } from "node:path";
import type { HostName } from "../dialect.ts";

export interface Whereabouts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly cwd: string;
}
export type Scope = "user" | "project";

/** The files of a host that tildone stands in. */
export interface Places {
  /** Hooks, and where the host wants it so, permissions. */
  readonly hooks: string;
  readonly servers: string;
}

export function placesOf(host: HostName, scope: Scope, { env, home, cwd }: Whereabouts): Places {
  switch (host) {
    case "claude-code": {
      const own = env.CLAUDE_CONFIG_DIR;
      return scope === "project"
        ? { hooks: join(cwd, ".claude/settings.json"), servers: join(cwd, ".mcp.json") }
        : {
            hooks: join(own ?? join(home, ".claude"), "settings.json"),
            servers: own === undefined ? join(home, ".claude.json") : join(own, ".claude.json"),
          };
    }
    case "codex": {
      const folder = scope === "project" ? join(cwd, ".codex") : (env.CODEX_HOME ?? join(home, ".codex"));
      return { hooks: join(folder, "hooks.json"), servers: join(folder, "config.toml") };
    }
    case "gemini": {
      const settings = join(scope === "project" ? cwd : (env.GEMINI_CLI_HOME ?? home), ".gemini/settings.json");
      return { hooks: settings, servers: settings };
    }
  }
}
