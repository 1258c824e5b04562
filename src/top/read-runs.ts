import { decisionText } from "../core/run/index.ts";
import { clockTime } from "../core/text/index.ts";
import { type Drivers, isAgedOut, type Reader, type ReadRun, type RunCard, rowOf, summaryOf } from "../engine/index.ts";
import type { Chosen, Listed, TopData } from "./top-state.ts";

export interface TopPorts {
  readonly reader: Reader;
  readonly drivers: Drivers;
  readonly ageOutMs: number;
  readonly now: () => number;
  /** Why runs elsewhere are missing or old; undefined: they are not. */
  readonly away: () => string | undefined;
}

/** So many are listed; a search finds the others by `tildone status --all`. */
const MOST = 200;
/** So far back decisions are looked for. */
const BACK = 400;
const DECISIONS = 6;
/** That a process died is not in the log: each run is looked at anew this often. */
const FRESH_MS = 3_000;

/** Reads what `top` shows. A run that did not change is not read again. */
export function createRunsReader({ reader, drivers, ageOutMs, now, away }: TopPorts) {
  const kept = new Map<string, { readonly updated: number; readonly at: number; readonly listed: Listed }>();
  return async (selected: string | undefined): Promise<TopData> => {
    const cards = [...(await reader.cards())];
    const young = cards.filter((card) => !isAgedOut(card, drivers.of(card), now(), ageOutMs));
    const sorted = young.sort((a, b) => asks(b) - asks(a) || Number(b.live) - Number(a.live) || b.updated - a.updated);
    const shown = sorted.slice(0, MOST);
    const runs: Listed[] = [];
    for (const card of shown) runs.push(await listed(card));
    const name = shown.find(({ run }) => run === selected)?.run ?? shown[0]?.run;
    const chosen = name === undefined ? undefined : await chosenOf(name);
    const why = away();
    return {
      ...{ runs, hidden: cards.length - shown.length },
      ...(chosen && { chosen }),
      ...(why !== undefined && { away: why }),
    };
  };

  async function listed(card: RunCard): Promise<Listed> {
    const known = kept.get(card.run);
    if (known?.updated === card.updated && now() - known.at < (card.live ? FRESH_MS : 60_000)) return known.listed;
    const read = await readably(card.run);
    const one = read ? listedOf(read, rowOf(card, drivers.of(card), now(), ageOutMs).label) : unreadable(card);
    kept.set(card.run, { updated: card.updated, at: now(), listed: one });
    return one;
  }

  async function chosenOf(name: string): Promise<Chosen | undefined> {
    const read = await readably(name);
    if (!read) return undefined;
    const decisions: string[] = [];
    for await (const entry of reader.entries(name, Math.max(0, read.seq - BACK)))
      if ("envelope" in entry && entry.envelope.event.type === "decision.made") {
        const { at, event } = entry.envelope;
        decisions.unshift(`${clockTime(at, now())} ${decisionText(event.decision)}`);
      }
    return { read, decisions: decisions.slice(0, DECISIONS) };
  }

  /** A run whose rows make no sense hides no other. An error of the store itself is thrown. */
  async function readably(name: string): Promise<ReadRun | undefined> {
    try {
      return await reader.read(name);
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      return undefined;
    }
  }
}

/** Those that wait for you come first. */
const asks = (card: RunCard): number => (card.live ? (summaryOf(card).asks ?? 0) : 0);

const listedOf = ({ card, view }: ReadRun, word: string): Listed => ({
  run: card.run,
  goal: view.goal ?? "",
  place: card.cwd,
  word,
  count: view.count.total === 0 ? "" : `${view.count.done}/${view.count.total}`,
  asks: view.asks.length,
  tone: view.state.tone,
});

const unreadable = ({ run, cwd }: RunCard): Listed => ({
  ...{ run, goal: "its log is damaged", place: cwd, word: "damaged", count: "", asks: 0, tone: "attention" },
});
