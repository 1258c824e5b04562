import { addUsage, NO_USAGE, type Usage, versionOf } from "../../core/run/index.ts";
import type { Claimed, Ledger, Row } from "../ports.ts";
import { insist, type Patience } from "./insist.ts";
import type { LocalLog } from "./local-log.ts";

/** What turns used that were lost; undefined: nothing. Other hosts tell what a whole turn used when it ends: of that nothing is lost. */
export async function lostTurns(
  ledger: Pick<Ledger, "lostRows">,
  { run, lostSpend: spend }: Pick<Claimed, "run" | "lostSpend">,
  patience?: Patience,
): Promise<Lost | undefined> {
  if (run.host !== undefined || spend.tokens + spend.cost === 0) return undefined;
  return { spend, rows: await insist(() => ledger.lostRows(run.run), patience) };
}

export interface Lost {
  /** What all turns used that were ever lost, and what was written down of it and was lost again. */
  readonly spend: Claimed["lostSpend"];
  readonly rows: readonly Row[];
}

/** What lost turns used was used: it is written into the log again, so that budgets count it. Minutes are not: no work was done in them. */
export function countLost(local: LocalLog, run: string, kept: readonly Row[], lost: Lost, now: number): void {
  const told = addUsage(noted(kept), noted(lost.rows));
  const tokens = lost.spend.tokens - told.input;
  const cost = lost.spend.cost - told.cost;
  if (tokens <= 0 && cost <= 0) return;
  const usage: Usage = { ...NO_USAGE, input: Math.max(0, tokens), cost: Math.max(0, cost) };
  local.store.log.transact(run, local.last(), () => ({
    append: [{ at: now, by: "host", v: versionOf("usage.spent"), event: { type: "usage.spent", usage } }],
    value: undefined,
  }));
}

/** Tildone's own agent tells what each answer used; what stands here besides is ours. */
function noted(rows: readonly Row[]): Usage {
  return rows
    .filter(({ event }) => event.startsWith('{"type":"usage.spent"'))
    .map(({ event }) => (JSON.parse(event) as { usage: Usage }).usage)
    .reduce((sum, usage) => addUsage(sum, usage), NO_USAGE);
}
