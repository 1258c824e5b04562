import { addUsage, NO_USAGE } from "../../core/run/index.ts";
import { type AssistantWords, type LeftOff, type TurnFacts, textOf, usageOf } from "./translate.ts";

/**
 * Our turns over pi's runs: one turn lasts from the first low-level run to the boundary, over retries, compaction and
 * queued messages in between.
 */
export function createTurns(driver: string) {
  let count = 0;
  let batches = 0;
  let running: TurnFacts | undefined;
  let leftOff: LeftOff | undefined;

  return {
    /** The id of the turn that begins; undefined when it is the same turn that continues. */
    begin(): string | undefined {
      if (running) return undefined;
      running = { turn: `${driver}.${++count}`, usage: NO_USAGE, text: "" };
      return running.turn;
    },
    heard(message: AssistantWords): void {
      if (!running) return;
      const { error: _before, ...facts } = running;
      running = {
        ...facts,
        usage: addUsage(facts.usage, usageOf(message)),
        text: textOf(message.content),
        ...(message.stopReason === "error" && { error: message.errorMessage ?? "the provider failed" }),
      };
    },
    /** We end the turn ourselves, whatever pi makes of the abort. */
    leaveOff(why: LeftOff): void {
      leftOff = why;
    },
    end(): TurnFacts | undefined {
      const ended = running && leftOff ? { ...running, leftOff } : running;
      running = undefined;
      leftOff = undefined;
      return ended;
    },
    current: (): TurnFacts | undefined => running,
    /** One request's calls are one batch: indices in it were all written against the same list. */
    nextBatch: () => {
      batches++;
    },
    batch: (): string => `${driver}.${batches}`,
  };
}

export type Turns = ReturnType<typeof createTurns>;
