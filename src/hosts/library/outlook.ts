import type { TurnEnd } from "./translate.ts";

/** `ending`: how the turn under way will have ended, where an error tells it before the idle. */
interface State {
  readonly status: "usual" | "recovering";
  readonly ending?: TurnEnd | undefined;
}

/**
 * What to expect of the turn under way.
 *
 *     usual <--the program recovers the session--> recovering: either may know the ending; an answer or your words take it back
 */
export function createOutlook() {
  let state: State = { status: "usual" };

  return {
    isRecovering: (): boolean => state.status === "recovering",
    becomes(status: State["status"]): void {
      state = { ...state, status };
    },
    endsAs,
    /** The agent answers: it did not fail after all. */
    answers(): void {
      if (state.ending?.outcome === "failed") endsAs(undefined);
    },
    takeEnding(): TurnEnd | undefined {
      const { ending } = state;
      endsAs(undefined);
      return ending;
    },
  };

  function endsAs(ending: TurnEnd | undefined): void {
    state = { ...state, ending };
  }
}
