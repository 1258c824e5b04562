import { type CallEvent, OUTCOMES, type Outcome } from "../../core/call/index.ts";
import type { Trigger } from "../../core/react/index.ts";
import type { Envelope } from "../../core/run/index.ts";
import { type Fields, fieldsOf, textAt } from "./payload.ts";
import { approvalOf, outcomeOf, type PermissionReply, replyOf, type StartedCall } from "./permission.ts";

export interface PermissionPorts {
  readonly now: () => number;
  readonly redact: (text: string) => string;
  readonly tell: (trigger: Trigger) => Promise<unknown>;
  /** Rejects when OpenCode does not take it: it was answered there, or the call is over. */
  readonly reply: (request: string, reply: PermissionReply) => Promise<void>;
}

/**
 * What OpenCode asks permission for, in a root session and below it. Each request stands in the log as an approval, so that it can be
 * answered from anywhere; the first answer counts, and an answer that was given elsewhere is handed to OpenCode.
 */
export function createPermissions({ now, redact, tell, reply }: PermissionPorts) {
  /** Requests without an answer, and the session that waits. */
  const open = new Map<string, { readonly session: string; readonly digest: string | undefined }>();
  /** Those that were answered in OpenCode, until their session rests. */
  const there = new Map<string, { readonly session: string; readonly outcome: Outcome }>();
  const started = new Map<string, StartedCall & { readonly session: string }>();

  return { began, ended, asked, replied, heard, over };

  function began(session: string, call: string, tool: string, args: unknown): void {
    started.set(call, { session, tool, args });
  }

  function ended(call: string): void {
    started.delete(call);
  }

  /** Whether it can be answered from outside. */
  async function asked(session: string, properties: Fields): Promise<boolean> {
    const call = textAt(fieldsOf(properties.tool), "callID") ?? "";
    const approval = approvalOf(properties, started.get(call), { now: now(), redact });
    if (approval === undefined) return false;
    open.set(approval.call, { session, digest: approval.digest });
    await journal({ type: "approval.requested", approval });
    return true;
  }

  /** OpenCode has an answer: given there, or handed over from here. */
  async function replied(request: string, said: unknown): Promise<boolean> {
    const session = open.get(request)?.session;
    if (session === undefined) return false;
    const outcome = outcomeOf(said);
    there.set(request, { session, outcome });
    await close(request, { outcome, words: "answered in OpenCode" });
    return true;
  }

  /** The session rests: whatever it asked is over. */
  async function over(session: string): Promise<void> {
    for (const kept of [started, there])
      for (const [name, { session: of }] of kept) if (of === session) kept.delete(name);
    for (const [id, request] of [...open])
      if (request.session === session) await close(id, { outcome: "withdrawn", words: "" });
  }

  /** Something was written into the log, maybe by another process. */
  function heard({ event }: Envelope): void {
    if (event.type !== "approval.answered") return;
    const first = there.get(event.call)?.outcome;
    if (first !== undefined && first !== event.outcome) void notTaken(`it was ${OUTCOMES[first]} there`);
    if (!open.delete(event.call)) return;
    const said = replyOf(event.outcome, event.words);
    if (said !== undefined) reply(event.call, said).catch((error: unknown) => notTaken(String(error)));
  }

  /** Two people answered within a moment, and the log has the answer that did not count. */
  async function notTaken(why: string): Promise<void> {
    await tell({ type: "host.failed", where: "permission", message: `OpenCode did not take your answer: ${why}.` });
  }

  async function close(
    request: string,
    answer: Pick<CallEvent & { type: "approval.answered" }, "outcome" | "words">,
  ): Promise<void> {
    const digest = open.get(request)?.digest;
    open.delete(request);
    await journal({ type: "approval.answered", call: request, ...answer, ...(digest !== undefined && { digest }) });
  }

  async function journal(event: CallEvent): Promise<void> {
    await tell({ type: "calls.journal", events: [event] });
  }
}

export type Permissions = ReturnType<typeof createPermissions>;
