import { type TurnFailure, turnFailureOf } from "./translate.ts";

/** So often a context is compacted for one and the same answer. */
const MOST_OVERFLOWS = 3;

/** What went wrong in the turn under way. */
export function createTurnFailures() {
  let trouble: TurnFailure | undefined;
  let overflows = 0;
  let hopeless: TurnFailure | undefined;

  return {
    failed(error: unknown, now: number): void {
      const how = turnFailureOf(error, now);
      if (how?.type === "overflow") overflows++;
      trouble = how?.type === "aborted" && hopeless ? hopeless : how;
    },
    /** The event may be missed; the stored error of the same turn says the same. */
    stored(error: unknown, now: number): void {
      trouble ??= turnFailureOf(error, now);
    },
    /**
     * OpenCode made room and replays the last prompt: the overflow is over. It does so forever, whatever comes of it, and only an
     * abort ends it: where that is due the answer is "hopeless", the abort will be ours, and the turn has failed.
     */
    compacted(): "over" | "hopeless" {
      if (trouble?.type !== "overflow") return "over";
      if (overflows >= MOST_OVERFLOWS) {
        hopeless = trouble;
        return "hopeless";
      }
      trouble = undefined;
      return "over";
    },
    /** The model said or did something: what is compacted now is another matter. */
    hasRoom(): void {
      overflows = 0;
      hopeless = undefined;
    },
    forget(): void {
      trouble = undefined;
    },
    take(): TurnFailure | undefined {
      const taken = trouble;
      trouble = undefined;
      return taken;
    },
  };
}
