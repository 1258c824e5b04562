import { countedTokens, type Envelope, isUnread, type Run, readRow, UNBORN } from "../../core/run/index.ts";
import { foldStored } from "../../engine/index.ts";
import { parsedJson } from "../parsed-json.ts";
import type { Claimed, Row } from "../ports.ts";

export type Spend = Claimed["lostSpend"];
export const NO_SPEND: Spend = { tokens: 0, cost: 0, minutes: 0 };

export const addSpend = (a: Spend, b: Spend): Spend => ({
  tokens: a.tokens + b.tokens,
  cost: a.cost + b.cost,
  minutes: a.minutes + b.minutes,
});

/** What was used in rows that are lost: the run with them less the run without them, so that it is counted as budgets count. */
export function lostSpend(kept: readonly Row[], lost: readonly Row[]): Spend {
  if (lost.length === 0) return NO_SPEND;
  const before = foldStored(UNBORN, envelopesIn(kept));
  const after = foldStored(before, envelopesIn(lost));
  const [a, b] = [spendOf(before), spendOf(after)];
  return {
    tokens: Math.max(0, b.tokens - a.tokens),
    cost: Math.max(0, b.cost - a.cost),
    minutes: Math.max(0, b.minutes - a.minutes),
  };
}

function envelopesIn(rows: readonly Row[]): readonly Envelope[] {
  return rows.flatMap((row) => {
    const read = readRow({ ...row, event: parsedJson(row.event) });
    return isUnread(read) ? [] : [read];
  });
}

function spendOf({ ledger: { spent } }: Run): Spend {
  return { tokens: countedTokens(spent), cost: spent.cost, minutes: spent.activeMs / 60_000 };
}
