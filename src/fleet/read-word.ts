import type { Trigger } from "../core/react/index.ts";
import type { Spoken } from "../core/speaker/index.ts";
import { parsedJson } from "./parsed-json.ts";
import type { Word } from "./ports.ts";

/** Something that was said, and by whom. */
export interface Saying {
  readonly trigger: Trigger;
  readonly from?: Spoken | undefined;
}

/** A word as it came out of the database; undefined: it cannot be read, and the worker that applies words refuses it and takes the next. */
export function readWord({ trigger, from }: Pick<Word, "trigger" | "from">): Saying | undefined {
  const [said, spoken] = [parsedJson(trigger), parsedJson(from)];
  if (typeof said !== "object" || said === null || !("type" in said) || typeof said.type !== "string") return undefined;
  return {
    trigger: said as Trigger,
    ...(typeof spoken === "object" && spoken !== null && { from: spoken as Spoken }),
  };
}
