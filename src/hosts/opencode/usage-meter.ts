import { addUsage, NO_USAGE, type Usage } from "../../core/run/index.ts";

/** What answers used: OpenCode tells the whole of an answer again with each of its updates, a turn's end is told what is new. */
export function createUsageMeter() {
  const told = new Map<string, Usage>();
  let unreported: Usage = NO_USAGE;

  return {
    saw(answer: string, now: Usage): void {
      unreported = addUsage(addUsage(unreported, now), told.get(answer) ?? NO_USAGE, -1);
      told.set(answer, now);
    },
    /** What came since it was taken last. */
    take(): Usage {
      const taken = unreported;
      unreported = NO_USAGE;
      return taken;
    },
    /** No answer so far is updated any more. */
    settled(): void {
      told.clear();
    },
  };
}
