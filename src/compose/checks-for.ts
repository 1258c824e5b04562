import type { Repeats } from "../checks/index.ts";
import type { Config } from "../config/index.ts";
import type { Checks, Clock, Workspace } from "../engine/index.ts";
import type { ProcessGroups } from "../machine/index.ts";

export interface ChecksParts {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workspace?: Workspace;
  readonly config: Config;
  /** Where the state that judges is kept. */
  readonly snapshots: string;
  readonly groups: ProcessGroups;
  readonly home: string;
  /** Tildone's own folders. */
  readonly own: readonly [state: string, config: string];
}

/** Checks as the settings want them. Loaded only when one runs. */
export async function checksFor(parts: ChecksParts): Promise<Checks & Repeats> {
  const { createChecks } = await import("../checks/index.ts");
  const { clock, env, workspace, config, groups } = parts;
  return createChecks({
    clock,
    env,
    ...(workspace && { workspace }),
    timeoutMs: config.checks.timeoutMs,
    tailBytes: config.checks.tailBytes,
    groups,
    guard: {
      directory: parts.snapshots,
      protect: config.checks.protect,
      touches: config.checks.touches,
      room: config.checks.room,
      ...(config.checks.prepare && { prepare: config.checks.prepare }),
    },
    ...(config.checks.confine !== "off" && {
      confine: {
        mode: config.checks.confine,
        network: config.checks.network,
        env,
        home: parts.home,
        hidden: parts.own,
      },
    }),
  });
}
