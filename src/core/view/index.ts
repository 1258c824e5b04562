export { type Ask, asksOf } from "./asks.ts";
export { brakeText } from "./brake.ts";
export { type CheckView, checkView } from "./check.ts";
export { type Count, countNote, countText, type ListView, listOf, type ViewTodo } from "./list.ts";
export { resumeCommand, resumeRefusal } from "./resume.ts";
export { shortState } from "./short-state.ts";
export { type Standing, standingRows } from "./standing.ts";
export { activeLine, type Seen, type State, type StateWord } from "./state.ts";
export { type RunView, viewOf } from "./view.ts";
