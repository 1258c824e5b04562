import type { CheckpointStore } from "../checkpoints/index.ts";
import type { Checkpoints, Clock } from "../engine/index.ts";

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

/** The checkpoints of a process that drives runs; now and then it lets go of those that are too many. */
export function lazyCheckpoints({ keep, ...parts }: CheckpointParts & { readonly keep: number }): Checkpoints {
  let made: Promise<CheckpointStore> | undefined;
  return {
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
