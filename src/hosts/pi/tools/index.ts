export { paintedTodo, type ShownTodo, shownTodos, type ToolDetails } from "./render.ts";
export { type FindList, TODO_TOOL_NAMES, type TodoList, todoTools } from "./todo-tools.ts";
