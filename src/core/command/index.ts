export { answerTo, info, listText, type Place, type Said, standText, statusText, warning } from "./answer.ts";
export type { Order, ReadOrder } from "./order.ts";
export { COMMAND_NAMES, COMMANDS, type CommandName, isCommand, readOrder } from "./read-order.ts";
export { readTodos, type TodoOptions } from "./read-todos.ts";
export { type RunOrder, triggerOf } from "./triggers.ts";
