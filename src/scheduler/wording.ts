import { createHash } from "node:crypto";
import { canonical, ERRORS, MOST_APPROVED } from "../core/call/index.ts";
import { redactShown } from "../core/secret/index.ts";
import { messageOf, type Plan, summaryOf } from "./intake.ts";
import type { Preview } from "./tool.ts";

/** All of what a call would do, for the one who approves it. */
export interface Wording {
  readonly text: string;
  /** Binds the approval: of the tool, of every argument and of what the tool says would change. */
  readonly digest: string;
  /** It is a command, as a shell is given it. */
  readonly isCommand?: true;
  /** Another command can be put in its place by its text alone: all of it is shown. */
  readonly isEditable?: true;
}

/** Looks at the call as it is now. Asked again before it runs, it shows whether the call is still the same. */
export function wordingOf(plan: Plan): Wording | Promise<Wording> {
  const { tool, args } = plan;
  const command = attempt(() => tool.command?.(args));
  if (typeof command === "string")
    return {
      ...{ text: command, digest: digestOf(plan, ""), isCommand: true },
      ...(tool.withCommand && { isEditable: true }),
    };
  if (tool.preview === undefined) return { text: described(plan), digest: digestOf(plan, "") };
  const failed = (error: unknown): Preview => {
    const text = `${described(plan)}\nWhat would change cannot be shown: ${messageOf(error)}`;
    return { text, binds: text };
  };
  const worded = ({ text, binds }: Preview): Wording => ({ text, digest: digestOf(plan, binds) });
  try {
    const preview = tool.preview(args);
    return preview instanceof Promise ? preview.catch(failed).then(worded) : worded(preview);
  } catch (error) {
    return worded(failed(error));
  }
}

/** Questions that a tool asks while it works are bound to their text. */
export const wordingOfQuestion = ({ tool }: Plan, what: string): Wording => ({
  text: what,
  digest: sha256([tool.name, what]),
});

/** As it is recorded and shown, without secrets; undefined if not all of it can be shown. */
export function shownWording(wording: Wording, redact: (text: string) => string): Wording | undefined {
  if (Buffer.byteLength(wording.text) > MOST_APPROVED) return undefined;
  const text = redactShown(wording.text, redact);
  const { isEditable, ...rest } = wording;
  return { ...rest, text, ...(isEditable && text === wording.text && { isEditable }) };
}

export function tooLong({ text }: Wording): string {
  const kib = Math.ceil(Buffer.byteLength(text) / 1024);
  return `${ERRORS.too_long} (${kib} KiB; at most ${MOST_APPROVED / 1024} KiB can be approved.)`;
}

/** Waits only where there is something to wait for: most calls are worded at once. */
export function whenWorded(plan: Plan, then: (wording: Wording) => void): void {
  const wording = wordingOf(plan);
  if (wording instanceof Promise) void wording.then(then);
  else then(wording);
}

/** A tool that only reads is said in a line; of every other one the arguments are part of what it does. */
function described(plan: Plan): string {
  const { tool, args } = plan;
  const summary = summaryOf(plan);
  const isEmpty = args === undefined || args === null || (typeof args === "object" && Object.keys(args).length === 0);
  return tool.kind === "read" || isEmpty ? summary : `${summary}\n${writtenArgs(args)}`;
}

const writtenArgs = (args: unknown): string => attempt(() => JSON.stringify(args, null, 2)) ?? canonical(args);

const digestOf = ({ tool, args }: Plan, binds: string): string => sha256([tool.name, canonical(args), binds]);
const sha256 = (parts: readonly string[]): string => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

function attempt<T>(give: () => T): T | undefined {
  try {
    return give();
  } catch {
    return undefined; // a tool that cannot describe itself is still asked about
  }
}
