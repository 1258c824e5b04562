export { changesIn, type TodoChanges } from "./changes.ts";
export { type ChosenUndo, chooseRedo, chooseUndo, idOf } from "./choose-undo.ts";
export { type Contested, doneText, named, type Prefix, refusedText } from "./undo-text.ts";
export { followWork, type Interval, type ListedCheckpoint, type Work, workIn } from "./work.ts";
