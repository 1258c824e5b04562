import type { ClaimAnswer, Claimed, Ledger } from "../ports.ts";
import { insist, type Patience } from "./insist.ts";
import type { Ending } from "./job.ts";

/** There is nothing to drive. */
export function refusedClaim(answer: Exclude<ClaimAnswer, { readonly status: "claimed" }>): Ending {
  switch (answer.status) {
    case "finished":
      return { type: "finished", outcome: answer.outcome };
    case "parked":
      return { type: "parked", why: answer.why };
    case "limited":
      return { type: "limited", by: answer.by };
    case "newer":
      return { type: "newer", eventVersion: answer.eventVersion };
    default:
      return { type: answer.status };
  }
}

/** It cannot be worked on here, and waits for you. */
export async function parkUnstarted(
  ledger: Pick<Ledger, "park">,
  { lease, words }: Pick<Claimed, "lease" | "words">,
  why: string,
  patience?: Patience,
): Promise<Ending> {
  const unsaid = words.map(({ id }) => id);
  const released = await insist(() => ledger.park(lease, why, unsaid), patience);
  if (released.status === "words") return { type: "died", why }; // tried again, because you said something meanwhile
  return released.status === "fenced" ? { type: "fenced" } : { type: "parked", why };
}
