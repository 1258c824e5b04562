/** An idle this soon after the stored error of a turn that is over, or after we ended it, is the echo of its first one. */
const ECHO_MS = 5000;

type State =
  | "busy"
  | "idle"
  /** A command is answered without a turn, and what OpenCode says of it means no work. */
  | "unasked";

/**
 * Whether OpenCode works on the session, as far as it says.
 *
 *     idle --works--> busy --idle--> idle
 *     idle --unasked--> unasked --idle, asked--> idle
 *     idle --idle--> idle: the echo of a stored error or of our own abort, or an abort of the idle session
 */
export function createActivity(now: () => number) {
  let state: State = "idle";
  /** Stored before the first idle of its turn, or between the two: one idle is its echo, the next is yours. */
  let errorStoredAt: number | undefined;
  /** OpenCode says idle once more for an abort that finds the turn over: asked twice, or asked too late. */
  let endedByUsAt: number | undefined;
  const isRecent = (at: number | undefined): boolean => at !== undefined && now() - at < ECHO_MS;

  return {
    isBusy: (): boolean => state === "busy",
    /** Whether that is news. */
    works(): boolean {
      if (state !== "idle") return false;
      state = "busy";
      errorStoredAt = undefined;
      endedByUsAt = undefined;
      return true;
    },
    /** Said when OpenCode is asked to abort the turn, and again when it answers: on a busy machine that takes a while. */
    endedByUs(): void {
      endedByUsAt = now();
    },
    unasked(): void {
      if (state !== "busy") state = "unasked";
    },
    /** The model is asked: what follows is work. */
    asked(): void {
      if (state === "unasked") state = "idle";
    },
    errorStored(): void {
      errorStoredAt = now();
    },
    /** What it was before it said so. */
    idle(): "busy" | "unasked" | "echo" | "idle" {
      const before = state;
      state = "idle";
      if (before !== "idle") return before;
      const isEcho = isRecent(errorStoredAt) || isRecent(endedByUsAt);
      errorStoredAt = undefined;
      return isEcho ? "echo" : "idle";
    },
  };
}

export type Activity = ReturnType<typeof createActivity>;
