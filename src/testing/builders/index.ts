export { aBoundary, aFailure, aReceipt, aRun, type RunGiven, receiptsOf } from "./a-run.ts";
export { type History, type HistoryGiven, history, said } from "./history.ts";
export { todos } from "./todos.ts";
