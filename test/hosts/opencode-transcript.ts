import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { MARK } from "../../src/hosts/opencode/translate.ts";
import type { Sandbox } from "./sandbox.ts";

/** What OpenCode's own database holds of a session: who spoke, and what was left without an answer. */
export interface Transcript {
  readonly human: number;
  readonly nudges: number;
  /** Messages without an author: what a nudge that was taken back leaves behind. */
  readonly blank: number;
  /** Texts of prompts that no answer names as its own. */
  readonly unanswered: readonly string[];
  /** Calls that neither succeeded nor failed. */
  readonly openCalls: readonly string[];
  /** Who spoke last, and how it ended. */
  readonly last: string;
}

/** A list that was finished: every nudge has its answer, nothing is open, and the model has the last word. */
export function expectNothingDangling(transcript: Transcript, nudges: number, human = 1): void {
  expect(transcript).toEqual({
    human,
    nudges,
    blank: 0,
    unanswered: [],
    openCalls: [],
    last: "assistant stop",
  } satisfies Transcript);
}

export function readTranscript(sandbox: Sandbox, session: string): Transcript {
  const path = join(sandbox.home, ".local/share/opencode/opencode.db");
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    const messages = database
      .prepare("SELECT id, data FROM message WHERE session_id = ? ORDER BY id")
      .all(session)
      .map(({ id, data }) => ({ id: String(id), ...(JSON.parse(String(data)) as Info) }));
    const parts = database
      .prepare("SELECT message_id AS message, data FROM part WHERE session_id = ? ORDER BY id")
      .all(session)
      .map(({ message, data }) => ({ message: String(message), ...(JSON.parse(String(data)) as Part) }));
    return transcriptOf(messages, parts);
  } finally {
    database.close();
  }
}

interface Info {
  readonly role: "user" | "assistant";
  readonly finish?: string;
  readonly parentID?: string;
  readonly error?: { readonly name: string };
}
interface Part {
  readonly type: string;
  readonly text?: string;
  readonly tool?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly state?: { readonly status: string };
}

function transcriptOf(
  messages: readonly (Info & { readonly id: string })[],
  parts: readonly (Part & { readonly message: string })[],
): Transcript {
  const prompts = messages
    .filter(({ role }) => role === "user")
    .map(({ id }) => ({ id, own: parts.filter(({ message }) => message === id) }));
  const spoken = prompts.filter(({ own }) => own.length > 0);
  const isOurs = ({ own }: (typeof prompts)[number]) => own.some(({ metadata }) => metadata?.[MARK] !== undefined);
  const answered = new Set(messages.map(({ parentID }) => parentID));
  const last = messages.at(-1);
  return {
    human: spoken.filter((prompt) => !isOurs(prompt)).length,
    nudges: spoken.filter(isOurs).length,
    blank: prompts.length - spoken.length,
    unanswered: spoken.filter(({ id }) => !answered.has(id)).map(({ own }) => own[0]?.text ?? ""),
    openCalls: parts
      .filter(({ type, state }) => type === "tool" && state?.status !== "completed" && state?.status !== "error")
      .map(({ tool }) => tool ?? ""),
    last: `${last?.role} ${last?.error?.name ?? last?.finish}`,
  };
}
