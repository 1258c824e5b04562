import type { Envelope, Receipt } from "../run/index.ts";

/** The end of what a check printed, by the key of the check: what it said last. */
export function collectOutputs() {
  const kept = new Map<string, string>();
  return {
    add({ event }: Envelope): void {
      if (event.type === "round.ended") for (const receipt of event.receipts) keep(receipt);
      else if (event.type === "check.observed") keep(event.receipt);
    },
    all: (): Readonly<Record<string, string>> => Object.fromEntries(kept),
  };

  function keep({ key, tail }: Receipt): void {
    kept.delete(key); // the newest stand last, so the oldest go first
    if (tail !== "") kept.set(key, tail.slice(-MOST_CHARACTERS));
    const [oldest] = kept.keys();
    if (kept.size > MOST) kept.delete(oldest!);
  }
}

const MOST = 200;
const MOST_CHARACTERS = 4000;
