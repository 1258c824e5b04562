export type { Check } from "./check.ts";
export { DURATION, parseDuration, showDuration } from "./duration.ts";
export { EDIT_ACTIONS, type EditAction, type EditCommand, proposeEdit } from "./edit.ts";
export { evolveTodos, type TodoEvent, type WriteMode } from "./evolve.ts";
export { type HumanEdit, proposeHumanEdit } from "./human.ts";
export { LIMITS } from "./limits.ts";
export { MARKS, type MarkedTodo, markOf, type Proof, type Role } from "./mark.ts";
export { type ListKind, type NativeItem, proposeMirror, type Repaired } from "./mirror.ts";
export { freeTodos, nextTodo, openTodos, whatItWaitsFor } from "./next.ts";
export { type Read, readEdit, readWrite } from "./read-arguments.ts";
export { type Proposal, REFUSALS, type Refusal, type RefusalCode, refuse } from "./refusal.ts";
export {
  type Author,
  isFinished,
  PRIORITIES,
  type Priority,
  STATUSES,
  type Todo,
  type TodoId,
  type TodoStatus,
} from "./todo.ts";
export { isTrivialCheck } from "./trivial-check.ts";
export { NO_TODOS, plainLine, plainList, type Segment, themedList } from "./view.ts";
export { proposeWrite, type TodoInput, type WriteCommand, type WriteRequest } from "./write.ts";
