import type { CheckpointStore } from "../checkpoints/index.ts";
import type { Config, Project } from "../config/index.ts";
import type { Checkpoints, Clock } from "../engine/index.ts";
import { holdsFolder } from "../machine/index.ts";

export interface CheckpointParts {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where snapshots are kept. */
  readonly directory: string;
}

/** Loaded when the first one is taken. */
export async function checkpointsFor(parts: CheckpointParts): Promise<CheckpointStore> {
  const { createCheckpoints } = await import("../checkpoints/index.ts");
  return createCheckpoints(parts);
}

/** Unless you say so, only what a repository already calls a project is copied, and never your home. */
export function takesCheckpoints(
  { enabled }: Config["checkpoints"],
  project: Pick<Project, "root" | "isRepository"> | undefined,
  home: string,
): boolean {
  if (enabled !== "auto") return enabled;
  return project?.isRepository === true && !holdsFolder(project.root, home);
}

interface LazyParts extends CheckpointParts, Pick<Checkpoints, "briefMs"> {
  /** How many of a run. */
  readonly keep: number;
}

/** The checkpoints of a process that drives runs; now and then it lets go of those that are too many. */
export function lazyCheckpoints({ keep, briefMs, ...parts }: LazyParts): Checkpoints {
  let made: Promise<CheckpointStore> | undefined;
  return {
    ...(briefMs !== undefined && { briefMs }),
    take: async (request) => {
      made ??= checkpointsFor(parts);
      const store = await made;
      const taken = await store.take(request);
      const count = Number(/\d+$/.exec(request.id)?.[0] ?? 0);
      if (count > keep && count % PRUNE_EVERY === 0) await store.keepNewest(request.cwd, request.run, keep);
      return taken;
    },
  };
}

const PRUNE_EVERY = 10;
