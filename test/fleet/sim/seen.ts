import { countedTokens, isUnread, type Run, type RunEvent, readRow, UNBORN } from "../../../src/core/run/index.ts";
import { foldStored } from "../../../src/engine/index.ts";
import type { FleetRun, Ledger, Row, WordState } from "../../../src/fleet/index.ts";

/** A run as the database has it. */
export interface Seen {
  readonly run: FleetRun;
  readonly rows: readonly Row[];
  readonly lost: readonly Row[];
  readonly words: readonly WordState[];
}

export async function look(ledger: Ledger, run: string): Promise<Seen | undefined> {
  const found = await ledger.get(run);
  if (!found) return undefined;
  const rows = await ledger.rows(run, 0, 10_000);
  return { run: found, rows, lost: await ledger.lostRows(run), words: await ledger.words(run) };
}

export const foldOf = (rows: readonly Row[]): Run =>
  foldStored(
    UNBORN,
    rows.flatMap((row) => {
      const read = readRow({ ...row, event: JSON.parse(row.event) });
      return isUnread(read) ? [] : [read];
    }),
  );

export function tokensIn(text: string): number {
  const event = JSON.parse(text) as RunEvent;
  return event.type === "answer.seen" || event.type === "usage.spent" ? countedTokens(event.usage) : 0;
}

/** After everything that was said, in the order in which it was said. */
export function isHeld(words: readonly WordState[]): boolean {
  const types = words.map(({ trigger }) => (JSON.parse(trigger) as { type: string }).type);
  return types.lastIndexOf("human.hold") > types.lastIndexOf("human.unhold");
}

/** How often a word stands in a log; undefined: it leaves no trace of its own. */
export function timesIn(rows: readonly Row[], trigger: string): number | undefined {
  const said = JSON.parse(trigger) as { type: string; words?: { id: string }; budget?: { tokens: number } };
  const isIt = (event: RunEvent): boolean =>
    (event.type === "words.queued" && event.words.id === said.words?.id) ||
    (event.type === "budget.extended" && event.budget.tokens === said.budget?.tokens);
  if (said.type !== "words.queue" && said.type !== "human.extend") return undefined;
  return rows.filter(({ event }) => isIt(JSON.parse(event) as RunEvent)).length;
}

export const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
