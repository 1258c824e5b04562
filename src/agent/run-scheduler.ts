import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import type { Tildone } from "../compose/index.ts";
import type { Environment } from "../config/index.ts";
import { loadPolicy } from "../core/call/index.ts";
import { redact, secretsOf } from "../core/secret/index.ts";
import { createRunScheduler, cutOffCalls, type Scheduler, type ToolBox } from "../scheduler/index.ts";

/** The scheduler of a session's calls, as the configuration wants it. */
export function schedulerOf(
  tildone: Tildone,
  session: string,
  place: { readonly cwd: string; readonly env: Environment; readonly tools: ToolBox },
  onFault: (message: string) => void,
): Scheduler {
  const { config, steady, engine, store } = tildone;
  const { mode, rules, protect, protectInYolo, timeoutMs } = config.approval;
  const loaded = loadPolicy({ mode, root: realpathSync(place.cwd), home: homedir(), rules, protect, protectInYolo });
  if (!loaded.ok) throw new Error(loaded.problems.map(({ path, message }) => `${path} ${message}`).join("; "));
  const secrets = secretsOf(place.env);
  const before = engine.run(session);
  return createRunScheduler(engine, session, {
    tools: place.tools,
    clock: steady,
    policy: loaded.policy,
    canAsk: () => true,
    redact: (text) => redact(text, secrets),
    limits: { approvalMs: timeoutMs, slots: config.calls.concurrency },
    cutOff: before ? cutOffCalls(store.log, before.id).calls.map(({ call }) => call) : [],
    onFault: (error) => onFault(error instanceof Error ? error.message : String(error)),
  });
}
