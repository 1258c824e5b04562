import type { AgentToolResult, ExtensionContext, Theme, ToolDefinition } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import type { TSchema } from "typebox";
import { IGNORED, type Reply, type Trigger } from "../../../core/react/index.ts";
import { NO_TODOS, plainList, readEdit, readWrite } from "../../../core/todo/index.ts";
import type { ListView } from "../../../core/view/index.ts";
import { TODO_GUIDANCE, TODO_TOOLS } from "../../../core/words/index.ts";
import { paintedList, shownTodos, type ToolDetails } from "./render.ts";

/** What the tools need of the session they are called in. */
export interface TodoList {
  tell(trigger: Trigger): Promise<Reply>;
  view(): ListView;
  /** The calls of one request: indices in them were all written against the same list. */
  batch(): string;
}
export type FindList = (ctx: ExtensionContext) => TodoList;

export function todoTools(listOf: FindList): readonly ToolDefinition<TSchema, ToolDetails>[] {
  return [
    tool("write_todos", "write", {
      promptSnippet: TODO_GUIDANCE.snippet,
      promptGuidelines: [...TODO_GUIDANCE.rules],
      execute: (args, list) => {
        const read = readWrite(args);
        if (!read.ok) throw new Error(read.refusal.message);
        if (read.value.mode === "replace" && read.value.todos.length + list.view().todos.length === 0) return CLEARED;
        return list.tell({ type: "todos.write", write: read.value, by: "model", batch: list.batch() });
      },
      called: (args) => {
        const read = readWrite(args);
        if (!read.ok) return "";
        const { mode, index, todos } = read.value;
        return `${mode} (${todos.length} ${todos.length === 1 ? "todo" : "todos"}${index === undefined ? "" : ` @${index}`})`;
      },
    }),
    tool("list_todos", "list", {
      execute: async (_args, list) => ({ type: "done", text: plainList(list.view().todos) }),
      called: () => "",
    }),
    tool("edit_todos", "edit", {
      execute: (args, list) => {
        const read = readEdit(args);
        if (!read.ok) throw new Error(read.refusal.message);
        return list.tell({ type: "todos.edit", edit: read.value, by: "model", batch: list.batch() });
      },
      called: (args) => {
        const read = readEdit(args);
        if (!read.ok) return "";
        const { action, indices, start } = read.value;
        return `${action} [${indices.join(", ")}]${start ? `, start [${start.join(", ")}]` : ""}`;
      },
    }),
  ];

  function tool(name: keyof typeof TODO_TOOLS, action: ToolDetails["action"], own: OwnPart): Tool {
    const { execute, called, ...prompt } = own;
    const { label, description, parameters } = TODO_TOOLS[name];
    return {
      name,
      label,
      description,
      parameters: parameters as unknown as TSchema,
      ...prompt,
      // One sequential tool makes the whole batch run in order: a list must not move under a call that reads it.
      executionMode: "sequential",
      async execute(_id, args, _signal, _onUpdate, ctx) {
        const list = listOf(ctx);
        const text = spoken(await execute(args, list));
        return { content: [{ type: "text", text }], details: { action, todos: shownTodos(list.view().todos) } };
      },
      renderCall: (args, theme) => new Text(paintedCall(name, called(args), theme), 0, 0),
      renderResult: (result, _options, theme, { isError }) => new Text(paintedResult(result, isError, theme), 0, 0),
    };
  }
}

/** Touching the list is no work: these calls are never counted as activity. */
export const TODO_TOOL_NAMES: readonly string[] = Object.keys(TODO_TOOLS);

type Tool = ToolDefinition<TSchema, ToolDetails>;

interface OwnPart extends Pick<Tool, "promptSnippet" | "promptGuidelines"> {
  readonly execute: (args: unknown, list: TodoList) => Promise<Reply>;
  /** The call in a word or two, as far as its arguments have arrived. */
  readonly called: (args: unknown) => string;
}

/** pi marks a result as an error only when the tool throws. */
function spoken(reply: Reply): string {
  switch (reply.type) {
    case "done":
      return reply.text;
    case "refused":
      throw new Error(reply.refusal.message);
    case "ignored":
      throw new Error(IGNORED_TO_MODEL[reply.why] ?? IGNORED[reply.why]);
    case "checking":
    case "decided":
      throw new Error("The list gave no answer. Call list_todos to see it.");
  }
}

/** Nothing was there to be cleared, and nothing is there now. */
const CLEARED = Promise.resolve<Reply>({ type: "done", text: `Wrote 0 todos.\n\n${NO_TODOS}` });

const IGNORED_TO_MODEL: Partial<Record<keyof typeof IGNORED, string>> = {
  no_run: "There are no todos. Write the list first with write_todos.",
  run_ended: "Every todo is finished. If there is more to do, append it with write_todos.",
};

const paintedCall = (name: string, words: string, theme: Theme): string =>
  [theme.fg("toolTitle", theme.bold(name)), theme.fg("muted", words)].join(words === "" ? "" : " ");

export function paintedResult(
  { content, details }: AgentToolResult<ToolDetails | undefined>,
  isError: boolean,
  theme: Pick<Theme, "fg" | "strikethrough">,
): string {
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  if (isError) return theme.fg("error", text);
  return details && Array.isArray(details.todos) ? paintedList(details.todos, theme) : theme.fg("toolOutput", text);
}
