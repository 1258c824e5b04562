import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { Folder } from "./folder.ts";

/** What of a conversation is new, in the bytes as they are stored. */
export interface ConversationNews {
  readonly session?: string;
  readonly length: number;
  readonly news?: { readonly at: number; readonly bytes: Uint8Array };
}

/**
 * The file in which tildone's own agent keeps its conversation. Its first line and what it was told about its system name the folder of the
 * machine that began it: here they name this one's, and everything after them stands shifted by the difference.
 */
export function openConversation(folder: Folder, cwd: string, stored: Stored | undefined) {
  /** How much longer the file is here than what is stored. */
  let shift = 0;
  let sent = { length: 0, digest: digestOf(Buffer.alloc(0)), name: undefined as string | undefined };
  if (stored && stored.bytes.length > 0) {
    const here = moved(Buffer.from(stored.bytes), cwd);
    folder.write(basename(stored.name), here);
    shift = here.length - stored.bytes.length;
    sent = { length: here.length, digest: digestOf(here), name: basename(stored.name) };
  }
  return { news, said, forget, discard: () => folder.remove() };

  function news(session: string | undefined): ConversationNews {
    const file = session === undefined ? undefined : fileOf(session);
    if (file === undefined)
      return { length: sent.length - shift, ...(sent.name !== undefined && { session: sent.name }) };
    const bytes = folder.read(file);
    const isLonger = file === sent.name && digestOf(bytes.subarray(0, sent.length)) === sent.digest;
    if (!isLonger) return { session: file, length: bytes.length, news: { at: 0, bytes } };
    const fresh = bytes.subarray(sent.length);
    return {
      session: file,
      length: bytes.length - shift,
      ...(fresh.length > 0 && { news: { at: sent.length - shift, bytes: fresh } }),
    };
  }

  /** It is stored now. */
  function said({ session, length, news: fresh }: ConversationNews): void {
    if (session === undefined || !fresh) return;
    if (fresh.at === 0) shift = 0;
    const bytes = folder.read(session).subarray(0, length + shift);
    sent = { length: length + shift, digest: digestOf(bytes), name: session };
  }

  /** All of it is new again. */
  function forget(): void {
    shift = 0;
    sent = { length: 0, digest: "", name: undefined };
  }

  function fileOf(session: string): string | undefined {
    return folder.names().find((name) => name.endsWith(`_${session}.jsonl`));
  }
}

export type Conversation = ReturnType<typeof openConversation>;

export interface Stored {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Byte by byte: what no reader could decode stays as it is. */
function moved(bytes: Buffer, cwd: string): Buffer {
  const [first = "", ...rest] = bytes.toString("latin1").split("\n");
  const header = JSON.parse(Buffer.from(first, "latin1").toString()) as { readonly cwd?: unknown };
  if (typeof header.cwd !== "string") return bytes;
  const [old, here] = [inJson(header.cwd), inJson(cwd)];
  // An agent that is told the folder of the other machine would write there.
  const lines = rest.map((line) => (line.includes('"role":"system"') ? line.replaceAll(old, here) : line));
  return Buffer.from([asBytes(JSON.stringify({ ...header, cwd })), ...lines].join("\n"), "latin1");
}

const asBytes = (text: string): string => Buffer.from(text).toString("latin1");
const inJson = (text: string): string => asBytes(JSON.stringify(text).slice(1, -1));

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
