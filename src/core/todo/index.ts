export type { Check } from "./check.ts";
export {
  type Author,
  isFinished,
  PRIORITIES,
  type Priority,
  type Role,
  STATUSES,
  type Todo,
  type TodoId,
  type TodoStatus,
} from "./todo.ts";
