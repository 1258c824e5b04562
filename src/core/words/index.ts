export { activeLine, contextChange, contextText, hasOpenWork } from "./context.ts";
export { eventText } from "./event.ts";
export { nudgeText } from "./nudge.ts";
export { asksQuestion } from "./question.ts";
export { bounded, boundedList, LIST_BOUNDS } from "./quote.ts";
export { checkFailedText, completedText, editedText, humanEditedText, writtenText } from "./result.ts";
export { decisionText } from "./stop.ts";
export { TODO_GUIDANCE, TODO_TOOLS } from "./tools.ts";
