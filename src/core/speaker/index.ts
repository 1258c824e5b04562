export { type ProcessFact, type RecordedShell, type Speaker, speakerOf, type WorkingHost } from "./speaker.ts";
export { fromWhere, isAtTerminal, type Spoken } from "./spoken.ts";
