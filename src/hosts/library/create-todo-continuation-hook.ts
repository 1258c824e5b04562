import { randomUUID } from "node:crypto";
import { newRunId, systemClock } from "../../compose/index.ts";
import { DEFAULTS, type Limits } from "../../core/continuation/index.ts";
import { createEngine, type Host } from "../../engine/index.ts";
import { memoryStore } from "../../store/index.ts";
import { CAPABILITIES } from "./capabilities.ts";
import {
  DEFAULT_CONFIG,
  HOOK_EVENTS,
  type HookContext,
  type HookResult,
  type TodoContinuationHook,
  type TodoContinuationOptions,
} from "./options.ts";
import { createToasts } from "./toasts.ts";
import { readMessage } from "./translate.ts";
import { type WatchedSession, watchSession } from "./watched-session.ts";

const HOST = "library";

/** Continues a session that went idle with open todos, for a program that has hooks of its own and a list of its own. */
export function createTodoContinuationHook(options: TodoContinuationOptions = {}): TodoContinuationHook {
  const config = { ...DEFAULT_CONFIG, ...options.config };
  const limits: Limits = {
    ...DEFAULTS,
    ...options.limits,
    enabled: config.enabled,
    countdownMs: config.countdownSeconds * 1000,
  };
  const clock = options.clock ?? systemClock();
  const store = options.store ?? memoryStore();
  const toasts = createToasts((toast) => options.showToast?.(toast), clock, config);
  const sessions = new Map<string, WatchedSession>();

  const host: Host = {
    name: HOST,
    capabilities: CAPABILITIES.hook,
    recheck: (session) => watched(session).recheck(),
    nudge: (session, nudge) => watched(session).send(nudge),
    deliver: async (session, words) => options.injectPrompt?.(session, words.map(({ text }) => text).join("\n\n")),
    show: (session, notice) => {
      if (notice.type === "text") toasts.say(notice.text);
      else toasts.stopped(notice, notice.reason === "read_only" ? watched(session).whyReadOnly() : undefined);
    },
    endTurn: () => {}, // the program has no door for it
  };
  const engine = createEngine({
    store,
    host,
    clock,
    cwd: options.cwd ?? process.cwd(),
    driver: `${HOST}:${process.pid}:${randomUUID().slice(0, 8)}`,
    newRunId,
    context: () => ({ limits }),
    birth: () => ({ budget: {}, checks: [], requirements: [] }),
  });
  engine.watch((session, run) => {
    toasts.follow(session, run);
    watched(session).follow();
  });

  return {
    name: "todo-continuation-enforcer",
    description: "Continues a session that went idle with open todos",
    priority: 40,
    events: HOOK_EVENTS,
    handler,
    markRecovering: (session) => watched(session).markRecovering(),
    markRecoveryComplete: (session) => watched(session).markRecovered(),
    dispose,
  };

  async function handler({ event, sessionId, data }: HookContext): Promise<HookResult | undefined> {
    switch (event) {
      case "session.idle":
        return watched(sessionId).idle();
      case "session.error":
        await watched(sessionId).failed((data as { readonly error?: unknown } | undefined)?.error);
        return undefined;
      case "message.updated":
      case "message.after": {
        const message = readMessage(data);
        if (message) await watched(sessionId).messageSeen(message);
        return undefined;
      }
      case "tool.before":
      case "tool.after":
        await watched(sessionId).callSeen(data, event === "tool.after");
        return undefined;
      case "session.deleted":
        forget(sessionId);
        return undefined;
      default:
        return undefined; // a program may hand over more events than it was asked for
    }
  }

  function watched(session: string): WatchedSession {
    const known = sessions.get(session);
    if (known) return known;
    const made = watchSession(session, { options, config, engine, clock, toasts });
    sessions.set(session, made);
    return made;
  }

  /** Nothing of it stays; a store that was given keeps its log. */
  function forget(session: string): void {
    sessions.get(session)?.dispose();
    sessions.delete(session);
    toasts.forget(session);
    engine.forget(session);
    if (options.store) return;
    for (const card of store.runs.list()) if (card.session === session) store.runs.remove(card.run);
  }

  function dispose(): void {
    for (const each of sessions.values()) each.dispose();
    sessions.clear();
    toasts.forgetAll();
    engine.dispose();
  }
}
