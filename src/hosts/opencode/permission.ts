import { createHash } from "node:crypto";
import { type Approval, MOST_APPROVED, type Outcome } from "../../core/call/index.ts";
import { redactShown } from "../../core/secret/index.ts";
import { type Fields, fieldsOf, textAt } from "./payload.ts";

/** A tool call under way. Its arguments are read when they are needed: another plugin may still change them. */
export interface StartedCall {
  readonly tool: string;
  readonly args: unknown;
}

/** What OpenCode asks permission for, as a question that can be answered from anywhere; undefined: too long to be shown in full. */
export function approvalOf(
  asked: Fields,
  started: StartedCall | undefined,
  { now, redact }: { readonly now: number; readonly redact: (text: string) => string },
): Approval | undefined {
  const id = textAt(asked, "id") ?? "";
  const permission = textAt(asked, "permission") ?? "a permission";
  const { metadata, patterns } = asked;
  const bashArgs = started?.tool === "bash" ? started.args : undefined; // a "command" of another tool is one argument of several
  const command = textAt(fieldsOf(bashArgs), "command") ?? textAt(fieldsOf(metadata), "command"); // what runs, then what is said of it
  const whole = textAt(fieldsOf(metadata), "diff") ?? command ?? argumentsOf(started) ?? textsIn(patterns).join("\n");
  if (Buffer.byteLength(whole) > MOST_APPROVED) return undefined;
  const always = textsIn(asked.always).map((pattern) => `${permission} ${pattern}`);
  return {
    ...{ call: id, tool: started?.tool ?? permission, what: redactShown(whole, redact) },
    digest: createHash("sha256")
      .update(JSON.stringify([id, permission, whole]))
      .digest("hex"),
    because: `OpenCode asks: ${permission} ${textsIn(patterns).join(", ")}`.trimEnd(),
    askedAt: now,
    ...(whole === command && { shows: "command" as const }),
    ...(always.length > 0 && { always: always.join("; ") }),
    alwaysTool: false,
  };
}

const argumentsOf = (started: StartedCall | undefined): string | undefined =>
  started === undefined ? undefined : `${started.tool}\n${JSON.stringify(started.args, null, 2)}`;

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

export interface PermissionReply {
  readonly reply: "once" | "always" | "reject";
  /** The agent reads it and continues; without one OpenCode ends the turn. */
  readonly message?: string;
}

/** An answer in OpenCode's words; undefined: it is none of yours. */
export function replyOf(outcome: Outcome, words: string): PermissionReply | undefined {
  switch (outcome) {
    case "once":
      return { reply: "once" };
    case "always_rule":
      return { reply: "always" };
    case "denied":
      return { reply: "reject", ...(words !== "" && { message: words }) };
    case "stopped":
      return { reply: "reject" };
    default:
      return undefined; // no answer, or one that OpenCode does not have: it keeps asking
  }
}

/** What was answered in OpenCode itself. Its refusal ends the turn or not: the end of the turn says so. */
export const outcomeOf = (reply: unknown): Outcome =>
  reply === "once" ? "once" : reply === "always" ? "always_rule" : "denied";
