import { countedTokens, type Run, type Spent } from "../run/index.ts";
import { listOf } from "../view/index.ts";
import { verdictOf } from "./verdict.ts";

/** What many runs came to. Rates are of the runs that are over. */
export interface Stats {
  readonly runs: number;
  /** Working or waiting. */
  readonly open: number;
  /** Finished, proven or not. */
  readonly done: number;
  /** Every required check passed. */
  readonly proven: number;
  readonly todos: { readonly total: number; readonly done: number; readonly proven: number };
  readonly stops: readonly { readonly reason: string; readonly runs: number }[];
  readonly spent: StatsSpent;
  readonly by: readonly StatsRow[];
}

export interface StatsSpent {
  readonly tokens: number;
  readonly cost: number;
  readonly minutes: number;
  readonly continuations: number;
}

/** The runs of one host with one model; no model where the host does not say which one works. */
export interface StatsRow extends StatsSpent {
  readonly host: string;
  readonly model?: string;
  readonly runs: number;
  readonly done: number;
  readonly proven: number;
}

export function statsOf(runs: Iterable<Run>): Stats {
  const rows = new Map<string, StatsRow>();
  const stops = new Map<string, number>();
  const todos = { total: 0, done: 0, proven: 0 };
  let [count, open] = [0, 0];
  for (const run of runs) {
    const { reason } = verdictOf(run);
    const { host } = run.origin;
    const model = run.ledger.model?.model;
    const key = `${host} ${model ?? ""}`;
    rows.set(key, plus(rows.get(key) ?? { host, ...(model !== undefined && { model }), ...NOTHING }, run, reason));
    count++;
    if (isOver(run)) stops.set(reason, (stops.get(reason) ?? 0) + 1);
    else open++;
    const list = listOf(run).count;
    todos.total += list.total;
    todos.done += list.done;
    todos.proven += list.proven;
  }
  const by = [...rows.values()].sort((a, b) => b.runs - a.runs);
  const sum = (pick: (row: StatsRow) => number) => by.reduce((all, row) => all + pick(row), 0);
  return {
    ...{ runs: count, open, done: sum(({ done }) => done), proven: sum(({ proven }) => proven), todos },
    stops: [...stops].map(([reason, stopped]) => ({ reason, runs: stopped })).sort((a, b) => b.runs - a.runs),
    spent: {
      tokens: sum(({ tokens }) => tokens),
      cost: sum(({ cost }) => cost),
      minutes: sum(({ minutes }) => minutes),
      continuations: sum(({ continuations }) => continuations),
    },
    by,
  };
}

const NOTHING = { runs: 0, done: 0, proven: 0, tokens: 0, cost: 0, minutes: 0, continuations: 0 };
const DONE: ReadonlySet<string> = new Set(["all_done", "done_unproven", "done_with_doubt", "done_accepted"]);

const isOver = ({ status, ledger: { decision } }: Run): boolean => status === "ended" || decision?.type === "stop";

function plus(row: StatsRow, { ledger: { spent } }: Run, reason: string): StatsRow {
  return {
    ...row,
    runs: row.runs + 1,
    done: row.done + (DONE.has(reason) ? 1 : 0),
    proven: row.proven + (reason === "all_done" ? 1 : 0),
    ...added(row, spent),
  };
}

const added = (row: StatsSpent, spent: Spent): StatsSpent => ({
  tokens: row.tokens + countedTokens(spent),
  cost: row.cost + spent.cost,
  minutes: row.minutes + spent.activeMs / 60_000,
  continuations: row.continuations + spent.continuations,
});
