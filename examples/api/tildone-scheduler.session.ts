// Messages, slash commands and calls inside a run
import type { Engine, Store } from "../../src/index.ts";
import {
  type Action,
  type Commander,
  type CommandHost,
  type Confirmation,
  createCommander,
  createMessageQueue,
  createRunScheduler,
  cutOffCalls,
  type Invocation,
  loadPolicy,
  type MessageQueue,
  performAction,
  type Queued,
  type SlashCommand,
  toolBox,
} from "../../src/scheduler/index.ts";

const deploy: SlashCommand = {
  name: "deploy",
  description: "asks first, then tells the agent",
  action: ({ args }: Invocation): Action => ({ type: "submit_prompt", text: `deploy ${args}` }),
};

const host: CommandHost = {
  show: (_level, text) => console.log(text),
  submit: async (text) => console.log(`to the agent: ${text}`),
  confirm: async (asked: Confirmation) => (asked.type === "action" ? "yes" : "no"),
};
export const commander: Commander = createCommander([deploy], host);

/** What a command answers can also be performed directly. */
export const hello = () => performAction(host, { type: "message", level: "info", text: "hello" });

/** What you write while the agent works, delivered once, also after a crash. */
export async function later(engine: Engine, session: string, text: string): Promise<string> {
  const queue: MessageQueue = createMessageQueue(engine, session, () => crypto.randomUUID());
  const queued: Queued = await queue.add(text, "follow-up");
  return queued.ok ? queued.id : queued.message;
}

/** Approvals, intents and outcomes in the run's own log. */
export function schedulerOf(engine: Engine, store: Store, session: string) {
  const loaded = loadPolicy({ mode: "auto-edit" });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const run = engine.run(session);
  if (run) console.log(cutOffCalls(store.log, run.id));
  return createRunScheduler(engine, session, { tools: toolBox([]), policy: loaded.policy, canAsk: () => true });
}
