import type { ExtensionContext, ToolCallEventResult } from "@earendil-works/pi-coding-agent";
import type { TurnEnd } from "../../engine/index.ts";

/**
 * Ends pi's turn. pi settles by itself when every call of an answer was refused with `terminate`; where tools were running already, it
 * is aborted when they have ended.
 */
export function createTurnBrake(ctx: Pick<ExtensionContext, "abort" | "isIdle">) {
  let ending: TurnEnd | undefined;
  let callsRun = false;
  let refused = 0;

  return { end, answered, judge, batchEnded, over };

  function end(wanted: TurnEnd): void {
    if (ctx.isIdle()) return;
    ending = wanted;
    if (wanted.how === "now" || !callsRun) ctx.abort();
  }

  /** The model's answer is complete, and its calls come next. */
  function answered(calls: number): void {
    callsRun = calls > 0;
    refused = 0;
  }

  function judge(): ToolCallEventResult | undefined {
    if (!ending) return undefined;
    refused++;
    return { block: true, reason: ending.says, terminate: true };
  }

  function batchEnded(results: number): void {
    callsRun = false;
    if (ending && results > refused) ctx.abort();
  }

  /** The turn is over, or another one begins. */
  function over(): void {
    ending = undefined;
    callsRun = false;
    refused = 0;
  }
}

export type TurnBrake = ReturnType<typeof createTurnBrake>;
