import { join } from "node:path";
import { digestOf } from "../../core/call/index.ts";
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
  /** Where the host keeps which hooks you reviewed. */
  readonly reviews?: string;
  /** A file of our own in which the host reads what it may do without asking. */
  readonly policy?: string;
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
      const own = env.CODEX_HOME ?? join(home, ".codex");
      const folder = scope === "project" ? join(cwd, ".codex") : own;
      return {
        hooks: join(folder, "hooks.json"),
        servers: join(folder, "config.toml"),
        reviews: join(own, "config.toml"),
      };
    }
    case "gemini": {
      const own = join(env.GEMINI_CLI_HOME ?? home, ".gemini");
      const settings = join(scope === "project" ? join(cwd, ".gemini") : own, "settings.json");
      // Gemini reads no policies of a project.
      const name = scope === "project" ? `tildone-${digestOf("gemini", cwd, "").slice(0, 8)}` : "tildone";
      return { hooks: settings, servers: settings, policy: join(own, "policies", `${name}.toml`) };
    }
  }
}
