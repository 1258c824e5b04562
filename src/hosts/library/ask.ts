import type { NativeItem } from "../../core/todo/index.ts";
import type { TodoContinuationOptions } from "./options.ts";
import { endOf, fromTodo, type TurnEnd, whyReadOnly } from "./translate.ts";

/** What the program says about a session right now. */
export interface Facts {
  readonly end?: TurnEnd;
  readonly background?: number;
  /** Why the agent must not be told to continue. */
  readonly readOnly?: string;
  readonly agent?: string;
  readonly items: readonly NativeItem[];
}

export type Asked =
  | { readonly status: "known"; readonly facts: Facts }
  | { readonly status: "stopped"; readonly reason: "unanswered" | "not_main" | "subagent"; readonly message: string };

/** Asks everything anew; nothing is remembered from the time before. Throws what the program throws. */
export async function ask(options: TodoContinuationOptions, session: string, now: number): Promise<Asked> {
  const main = await options.getMainSessionId?.();
  if (main === null) return unanswered("getMainSessionId");
  const isSubagent = await options.isSubagentSession?.(session);
  if (isSubagent === null) return unanswered("isSubagentSession");
  if (isSubagent) return stopped("subagent", "Only the session that began the work continues, not its subagents.");
  if (main !== undefined && main !== session) return stopped("not_main", "This is not the main session.");

  const background = await options.getBackgroundTaskCount?.(session);
  if (background === null) return unanswered("getBackgroundTaskCount");
  const messages = await options.getMessages?.(session);
  if (messages === null) return unanswered("getMessages");
  const agent = await options.getAgentInfo?.(session);
  if (agent === null) return unanswered("getAgentInfo");
  const todos = options.getTodos ? await options.getTodos(session) : [];
  if (!todos) return unanswered("getTodos");
  if (todos.length > 0 && !options.injectPrompt)
    return stopped("unanswered", "There is no injectPrompt, so nothing can be sent.");

  const readOnly = agent && whyReadOnly(agent);
  return {
    status: "known",
    facts: {
      items: todos.map(fromTodo),
      ...(messages && { end: endOf(messages, now) }),
      ...(background !== undefined && { background }),
      ...(readOnly !== undefined && { readOnly }),
      ...(agent?.agent !== undefined && { agent: agent.agent }),
    },
  };
}

const stopped = (reason: "unanswered" | "not_main" | "subagent", message: string): Asked => ({
  status: "stopped",
  reason,
  message,
});

const unanswered = (option: keyof TodoContinuationOptions): Asked =>
  stopped("unanswered", `${option} answered null, so it is unknown whether this session may continue.`);
