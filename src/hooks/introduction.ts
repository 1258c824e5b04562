import { TODO_GUIDANCE } from "../core/words/index.ts";
import type { Answer } from "./happening.ts";

/** For hosts that hide tools until they are named. */
export const INTRODUCTION: Answer = {
  type: "tell",
  context: `The MCP server "tildone" keeps the todo list: tools write_todos, edit_todos, list_todos. ${TODO_GUIDANCE.rules.join(" ")}`,
};
