import type { AgentBeforeSettleEvent } from "@earendil-works/pi-coding-agent";
import type { SeenCommand, Trigger } from "../../core/react/index.ts";
import { NO_USAGE, readFailure, type Usage } from "../../core/run/index.ts";

/** The part of an assistant message that we read. */
export interface AssistantWords {
  readonly role: "assistant";
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly stopReason: string;
  readonly errorMessage?: string;
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly cost: { readonly total: number };
  };
}

/** What a turn came to: all its requests together. */
export interface TurnFacts {
  readonly turn: string;
  readonly usage: Usage;
  readonly text: string;
  readonly error?: string;
  /** What the provider said beside its words. */
  readonly headers?: Readonly<Record<string, string>>;
  /** We ended it ourselves. */
  readonly leftOff?: LeftOff;
}

/** Why we end a turn: to continue when there is room again, or for good. */
export type LeftOff = { readonly for: "room" } | { readonly for: "good"; readonly why: string };

export function turnEnded(
  outcome: AgentBeforeSettleEvent["outcome"],
  { turn, usage, text, error, headers, leftOff }: TurnFacts,
  now: number,
): Trigger & { type: "turn.ended" } {
  const told = { type: "turn.ended", turn, usage, text } as const;
  if (leftOff?.for === "good")
    return { ...told, outcome: "failed", failure: readFailure({ message: leftOff.why }, now) };
  if (leftOff?.for === "room") return { ...told, outcome: "completed" };
  switch (outcome) {
    case "completed":
    case "aborted":
      return { ...told, outcome };
    case "error":
      return {
        ...told,
        outcome: "failed",
        failure: readFailure({ message: error ?? "the provider failed", headers }, now),
      };
  }
}

/** pi counts money by what it was for. */
export const usageOf = ({ usage }: AssistantWords): Usage => (usage ? { ...usage, cost: usage.cost.total } : NO_USAGE);

export const textOf = (content: AssistantWords["content"]): string =>
  content.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : [])).join("\n");

/** What a tool answered, as far as we read it. */
export interface EndedResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError: boolean;
}

/** Details of a result of a call that the user changed before it ran: pi knows only what the agent asked for. */
export const withRanWith = (details: unknown, args: unknown): object => ({
  ...(typeof details === "object" ? details : {}),
  ranWith: args,
});

export const ranWith = (details: unknown): unknown =>
  typeof details === "object" && details !== null && "ranWith" in details ? details.ranWith : undefined;

/** A shell line that the agent ran; pi marks every exit status but 0 as an error. */
export function commandOf(tool: string, args: unknown, { content, isError }: EndedResult): SeenCommand | undefined {
  const line =
    tool === "bash" && typeof args === "object" && args !== null && "command" in args ? args.command : undefined;
  if (typeof line !== "string") return undefined;
  return { line, passed: !isError, output: content.map(({ text = "" }) => text).join("\n") };
}
