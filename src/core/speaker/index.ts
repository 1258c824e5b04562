export { ATTEMPTS, type Attempt, type Attempted, isWorthRecording, MOST_ATTEMPTS } from "./attempt.ts";
export { attemptText } from "./attempt-text.ts";
export { type ProcessFact, type RecordedShell, type Speaker, speakerOf, type WorkingHost } from "./speaker.ts";
export { fromWhere, isAtTerminal, type Spoken } from "./spoken.ts";
