import { extend } from "./extend.ts";
import { hold, unhold } from "./hold.ts";
import { tildone } from "./tildone.ts";
import { todos } from "./todos.ts";
import { cancelWorkflow, workflow } from "./workflow.ts";

export { registerCommand, type SessionCommand } from "./command.ts";

export const COMMANDS = [todos, hold, unhold, extend, tildone, workflow, cancelWorkflow] as const;
