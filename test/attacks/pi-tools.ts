import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { createLocalBashOperations, type ExtensionContext, SettingsManager } from "@earendil-works/pi-coding-agent";
import { scheduledTools } from "../../src/agent/scheduled-tools.ts";
import { type CallEvent, loadPolicy, type Mode, type Rule } from "../../src/core/call/index.ts";
import { createScheduler } from "../../src/scheduler/index.ts";
import { createFakeClock } from "../../src/testing/index.ts";

/** pi's real tools behind the real scheduler in a folder: what a call of the model would do there. */
export function piTools(cwd: string, mode: Mode, rules: readonly Rule[] = [], canAsk = false) {
  const shell = { operations: createLocalBashOperations() };
  const tools = scheduledTools(cwd, process.env.PATH, SettingsManager.inMemory({}), shell);
  const loaded = loadPolicy({ mode, root: realpathSync(cwd), home: homedir(), rules });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const journal: CallEvent[] = [];
  const scheduler = createScheduler({
    tools: tools.box,
    clock: createFakeClock(),
    policy: loaded.policy,
    journal: { append: (events) => void journal.push(...events) },
    canAsk: () => canAsk,
  });
  tools.attach(scheduler);
  const sessionManager = { getSessionId: () => "s", getSessionFile: () => undefined };
  const ctx = { cwd, sessionManager } as unknown as ExtensionContext;
  let calls = 0;
  return {
    scheduler,
    journal,
    call: (tool: string, args: unknown) =>
      tools.call({ id: `c${++calls}`, tool, args }, ctx, new AbortController().signal),
  };
}
