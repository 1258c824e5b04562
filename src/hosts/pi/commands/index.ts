import { COMMAND_NAMES } from "../../../core/command/index.ts";
import { runCommand } from "./run-command.ts";
import { redo, undo } from "./undo.ts";

export { registerCommand, type SessionCommand } from "./command.ts";

export const COMMANDS = [...COMMAND_NAMES.map(runCommand), undo, redo];
