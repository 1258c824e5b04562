// One hook for a program with sessions, a list and events of its own
import {
  type AgentInfo,
  createTodoContinuationHook,
  DEFAULT_CONFIG,
  fromTodo,
  type HookContext,
  type HookResult,
  type Message,
  type Toast,
  type Todo,
  type TodoContinuationConfig,
  type TodoContinuationHook,
  type TodoContinuationOptions,
  toTodo,
} from "../../src/hosts/library/index.ts";

const list: readonly Todo[] = [{ id: "1", content: "write the parser", status: "pending", priority: "high" }];
const messages: readonly Message[] = [{ role: "user", text: "write a parser" }];
const config: TodoContinuationConfig = { ...DEFAULT_CONFIG, countdownSeconds: 5 };

const options: TodoContinuationOptions = {
  config,
  getTodos: () => list,
  getMessages: () => messages,
  getAgentInfo: (): AgentInfo => ({ agent: "coder", hasWritePermission: true }),
  injectPrompt: async (session, prompt) => console.log(session, prompt),
  showToast: ({ title, message }: Toast) => console.log(title, message),
};

const hook: TodoContinuationHook = createTodoContinuationHook(options);

export async function on(context: HookContext): Promise<string | undefined> {
  const result: HookResult | undefined = await hook.handler(context);
  return result && `${result.status}: ${result.message}`;
}

/** Your words for a todo, and tildone's. */
export const ours = list.map(fromTodo);
export const yours = toTodo({ id: "1", text: "write the parser", status: "completed", priority: "high" });
