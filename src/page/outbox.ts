import { computed, effect, signal } from "@preact/signals";
import type { Answered, Saying } from "../serve/index.ts";
import { NotReached, tellServer, token } from "./api.ts";
import { connection } from "./live.ts";

/** A click on its way. It is kept until the server has answered it: a lost connection delays it and drops nothing. */
export interface Sent {
  readonly id: string;
  readonly run: string;
  readonly saying: Saying;
  /** What it is, for people. */
  readonly label: string;
  /** What it is about, so that the same is not clicked twice. */
  readonly about: string;
}

const KEY = "tildone.outbox";
export const outbox = signal<readonly Sent[]>(kept());
/** The server was asked and could not be reached. */
export const isStuck = signal(false);
export const pending = computed(() => new Set(outbox.value.map(({ about }) => about)));

export interface Said {
  readonly id: string;
  readonly tone: "info" | "warning";
  readonly text: string;
}
export const said = signal<readonly Said[]>([]);

effect(() => sessionStorage.setItem(KEY, JSON.stringify(outbox.value)));

let isSending = false;

export function send(run: string, saying: Saying, label: string, about: string = newId()): void {
  if (pending.value.has(about)) return;
  outbox.value = [...outbox.value, { id: newId(), run, saying, label, about }];
  void flush();
}

export const takeBack = (id: string): void => {
  outbox.value = outbox.value.filter((sent) => sent.id !== id);
};

/** One after the other, in the order of the clicks. */
export async function flush(): Promise<void> {
  if (isSending || token.value === null) return;
  isSending = true;
  try {
    for (let [first] = outbox.value; first; [first] = outbox.value) {
      const { id, run, saying, label } = first;
      const answer = await tellServer<Answered>(`/api/runs/${encodeURIComponent(run)}/tell`, { id, saying });
      takeBack(id);
      isStuck.value = false;
      say(
        answer.status === "done" || answer.status === "unchanged" ? "info" : "warning",
        answer.text || `${label}: done.`,
      );
    }
  } catch (error) {
    if (error instanceof NotReached) {
      isStuck.value = true;
      setTimeout(() => void flush(), 1500);
    } else {
      takeBack(outbox.value[0]?.id ?? "");
      say("warning", error instanceof Error ? error.message : String(error));
      setTimeout(() => void flush(), 0);
    }
  } finally {
    isSending = false;
  }
}

effect(() => {
  if (connection.value.status === "live" && outbox.peek().length > 0) void flush();
});

const SHOWN_MS = 8_000;

export function say(tone: Said["tone"], text: string): void {
  const id = newId();
  said.value = [...said.value.slice(-3), { id, tone, text }];
  setTimeout(() => dismiss(id), tone === "warning" ? 2 * SHOWN_MS : SHOWN_MS);
}

export const dismiss = (id: string): void => {
  said.value = said.value.filter((each) => each.id !== id);
};

function kept(): readonly Sent[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? (found as readonly Sent[]) : [];
  } catch {
    return [];
  }
}

/** Also where the page comes without TLS: `randomUUID` is not there then. */
function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
