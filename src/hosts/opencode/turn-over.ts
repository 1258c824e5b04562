import type { Trigger } from "../../core/react/index.ts";
import type { Usage } from "../../core/run/index.ts";
import type { TurnFailure } from "./translate.ts";

/** What is known of a turn when it is over. */
export interface TurnOver {
  readonly turn: string | undefined;
  readonly trouble: TurnFailure | undefined;
  readonly refusal: "dismissed" | "denied" | undefined;
  readonly text: string;
  readonly usage: Usage;
}

/** How it ended, in our words: an overflow that is left was not compacted away, so the turn failed. */
export function endOf({ turn, trouble, text, usage }: TurnOver): Trigger & { readonly type: "turn.ended" } {
  const end = { type: "turn.ended", ...(turn !== undefined && { turn }), usage } as const;
  if (trouble?.type === "aborted") return { ...end, outcome: "aborted" };
  if (trouble) return { ...end, outcome: "failed", failure: trouble.failure };
  return { ...end, outcome: "completed", text };
}
