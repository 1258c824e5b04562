import type { ExtensionContext, SessionManager } from "@earendil-works/pi-coding-agent";

type Message = Parameters<SessionManager["appendMessage"]>[0];

/** A conversation as people write it down. */
export interface Spoken {
  readonly role: "user" | "assistant";
  readonly text: string;
}

export type ReadConversation =
  | { readonly ok: true; readonly turns: readonly Spoken[] }
  | { readonly ok: false; readonly message: string };

export function readConversation(history: unknown): ReadConversation {
  if (!Array.isArray(history)) return wrong("a conversation is a list of { role, text }");
  const turns: Spoken[] = [];
  for (const [index, turn] of history.entries()) {
    const { role, text } = (typeof turn === "object" && turn !== null ? turn : {}) as Record<string, unknown>;
    if (role !== "user" && role !== "assistant") return wrong(`[${index}].role must be "user" or "assistant"`);
    if (typeof text !== "string" || text.trim() === "") return wrong(`[${index}].text must be a string`);
    turns.push({ role, text });
  }
  return { ok: true, turns };
}

const wrong = (message: string): ReadConversation => ({ ok: false, message });

const NOTHING_USED = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** As pi keeps it. What the agent said is said to come from the model that continues with it: pi wants a name. */
export function asMessages(
  turns: readonly Spoken[],
  model: ExtensionContext["model"],
  timestamp: number,
): readonly Message[] {
  return turns.map(({ role, text }): Message => {
    const content = [{ type: "text" as const, text }];
    if (role === "user") return { role, content, timestamp };
    const { api = "openai-completions", provider = "unknown", id = "unknown" } = model ?? {};
    return { role, content, api, provider, model: id, usage: NOTHING_USED, stopReason: "stop", timestamp };
  });
}
