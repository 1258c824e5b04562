import type { Proof } from "../run/index.ts";
import { placeText, unconfined, unconfinedIn, unconfinedText } from "../words/index.ts";
import type { Draft } from "./draft.ts";
import { done, duplicate, type Reply } from "./reaction.ts";
import type { Trigger } from "./trigger.ts";

/** What a check said of the state from before the work. You hear of it only where it changes how the check is judged. */
export function handleFirst(draft: Draft, { first }: Trigger & { type: "check.tried" }): Reply {
  if (draft.run.ledger.firsts?.[first.key] !== undefined) return duplicate;
  sayUnconfined(draft, [first.proof]);
  draft.add("engine", { type: "check.tried", first });
  if (first.decides === "place") draft.perform({ type: "human.tell", notice: placeText(first) });
  return done("");
}

/** What keeps checks from being confined is said when it first shows, once a run. */
export function sayUnconfined(draft: Draft, proofs: readonly (Proof | undefined)[]): void {
  const said = unconfinedIn(draft.run);
  for (const why of new Set(proofs.flatMap(unconfined)))
    if (!said.includes(why)) draft.perform({ type: "human.tell", notice: unconfinedText(why) });
}
