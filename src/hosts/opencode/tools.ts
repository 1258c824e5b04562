import { answerToModel, type Reply, readToolCall, type Trigger, type Writer } from "../../core/react/index.ts";
import type { Run } from "../../core/run/index.ts";
import { plainList } from "../../core/todo/index.ts";
import { listOf } from "../../core/view/index.ts";
import { TODO_TOOLS, WORKFLOW_TOOL } from "../../core/words/index.ts";

/** The session of the run that a call belongs to, and who calls. */
export interface Caller {
  readonly by: Writer;
  readonly tell: (trigger: Trigger) => Promise<Reply>;
  readonly run: () => Run | undefined;
}
type FindCaller = (session: string) => Promise<Caller>;

/** What OpenCode's own list has no words for: blocking with a reason, seeing our list, the phases of a workflow. */
export function createTools(callerOf: FindCaller) {
  return {
    list_todos: {
      description: `${TODO_TOOLS.list_todos.description} Change it with todowrite.`,
      args: {},
      execute: async (_args: unknown, { sessionID }: ToolContext) =>
        plainList(listOf((await callerOf(sessionID)).run()).todos),
    },
    block_todos: {
      description:
        "Say that todos cannot continue without the user or something from outside, and why. Indices as list_todos shows them.",
      args: {
        indices: { type: "array", items: { type: "integer" }, description: "Indices of the todos, from 0" },
        reason: { type: "string", description: "What they wait for" },
      },
      execute: (args: object, context: ToolContext) => call("edit_todos", { ...args, action: "block" }, context),
    },
    [WORKFLOW_TOOL.name]: {
      description: WORKFLOW_TOOL.description,
      args: {
        action: { type: "string", enum: ["next", "status", "cancel", "loop"], description: "What to do" },
        summary: { type: "string", description: "What was done in this phase; may be empty" },
      },
      execute: (args: object, context: ToolContext) => call(WORKFLOW_TOOL.name, args, context),
    },
  };

  async function call(name: string, args: object, { sessionID }: ToolContext): Promise<string> {
    const caller = await callerOf(sessionID);
    const read = readToolCall(name, args, caller.by);
    if (read.type === "refused") throw new Error(read.refusal.message);
    if (read.type !== "trigger") throw new Error(`There is no ${name} here.`);
    const { ok, text } = answerToModel(await caller.tell(read.trigger));
    if (!ok) throw new Error(text);
    return text;
  }
}

export const OWN_TOOLS: readonly string[] = ["list_todos", "block_todos", WORKFLOW_TOOL.name];

export interface ToolContext {
  readonly sessionID: string;
}
