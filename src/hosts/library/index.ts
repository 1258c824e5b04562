export { createTodoContinuationHook } from "./create-todo-continuation-hook.ts";
export {
  type AgentInfo,
  DEFAULT_CONFIG,
  type HookContext,
  type HookResult,
  type Message,
  type Toast,
  type Todo,
  type TodoContinuationConfig,
  type TodoContinuationHook,
  type TodoContinuationOptions,
} from "./options.ts";
export { fromTodo, toTodo } from "./translate.ts";
