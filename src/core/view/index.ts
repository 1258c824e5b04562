export { type Seen, type State, type StateWord, stateLine } from "./state.ts";
export { type RunView, type ViewTodo, viewOf } from "./view.ts";
