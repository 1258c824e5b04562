/** An idle this soon after the stored error of a turn that is over, or after we ended it, is the echo of its first one. */
const ECHO_MS = 5000;

type State =
  | { readonly status: "busy" }
  /** `unasked`: a command is answered without a turn, and what OpenCode says of it means no work. */
  | { readonly status: "idle" | "unasked"; readonly errorStoredAt?: number };

/**
 * Whether OpenCode works on the session, as far as it says.
 *
 *     idle --works--> busy --idle--> idle
 *     idle --unasked--> unasked --idle, asked--> idle
 *     idle --idle--> idle: the echo of a stored error or of our own abort, or an abort of the idle session
 */
export function createActivity(now: () => number) {
  let state: State = { status: "idle" };
  /** OpenCode says idle once more for an abort that finds the turn over: asked twice, or asked too late. */
  let endedByUsAt: number | undefined;
  const isEcho = (at: number | undefined): boolean => at !== undefined && now() - at < ECHO_MS;

  return {
    isBusy: (): boolean => state.status === "busy",
    /** Whether that is news. */
    works(): boolean {
      if (state.status !== "idle") return false;
      state = { status: "busy" };
      endedByUsAt = undefined;
      return true;
    },
    /** Said when OpenCode is asked to abort the turn, and again when it answers: on a busy machine that takes a while. */
    endedByUs(): void {
      endedByUsAt = now();
    },
    unasked(): void {
      if (state.status !== "busy") state = { ...state, status: "unasked" };
    },
    /** The model is asked: what follows is work. */
    asked(): void {
      if (state.status === "unasked") state = { ...state, status: "idle" };
    },
    errorStored(): void {
      if (state.status !== "busy") state = { ...state, errorStoredAt: now() };
    },
    /** What it was before it said so. */
    idle(): "busy" | "unasked" | "echo" | "idle" {
      if (state.status === "unasked") {
        state = { ...state, status: "idle" };
        return "unasked";
      }
      const before = state;
      state = { status: "idle" };
      if (before.status === "busy") return "busy";
      return isEcho(before.errorStoredAt) || isEcho(endedByUsAt) ? "echo" : "idle";
    },
  };
}

export type Activity = ReturnType<typeof createActivity>;
