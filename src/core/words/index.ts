export { briefingText, END_OF_TURN } from "./briefing.ts";
export { cannotConfine, confinedHint, confinedText, refusesUnconfined } from "./confined.ts";
export { contextChange, contextText, hasOpenWork, wholeContext } from "./context.ts";
export { droppedText } from "./dropped.ts";
export { beforeText, checkRemarks, placeText, unconfined, unconfinedIn, unconfinedText } from "./first.ts";
export { FOLDER_ARGUMENT, SESSION_ARGUMENT, TODO_GUIDANCE } from "./guidance.ts";
export { nudgeText } from "./nudge.ts";
export { openWorkText } from "./open-work.ts";
export { namedChecks, proposedText } from "./proposed.ts";
export type { ListBounds } from "./quote.ts";
export {
  checkFailedText,
  completedText,
  earlyStartText,
  editedText,
  howItStands,
  humanEditedText,
  repairedText,
  writtenText,
} from "./result.ts";
export { carriedMark, speakerOf } from "./speaker.ts";
export { type StoppedText, stoppedText } from "./stopped.ts";
export { TODO_TOOLS, WORKFLOW_TOOL } from "./tools.ts";
export { noCheckpointsText, type UndoneWork, undoneText } from "./undone.ts";
