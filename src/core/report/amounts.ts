import type { TodoChanges } from "../checkpoint/index.ts";
import type { BudgetUse, Spent } from "../run/index.ts";

/** `1 h 3 min`, `4.2 s`, `80 ms` */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
}

const MINUTE = 60_000;

/** Time of day in the one zone that is the same for everyone who reads it. */
export function moment(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "at an unknown time" : date.toISOString().slice(0, 19).replace("T", " ");
}

export const money = (cost: number): string => `$${cost.toFixed(cost > 0 && cost < 1 ? 4 : 2)}`;

/** Whole numbers for what is counted, two digits for what is measured. */
export const budgetLine = ({ name, used, limit }: BudgetUse): string =>
  name === "minutes" || name === "cost"
    ? `budget of ${name}: ${used.toFixed(2)} of ${limit}`
    : `budget of ${name}: ${amount(used)} of ${amount(limit)}`;

/** What was used, and how much of it is an estimate. */
export const tokensLine = (spent: Spent & { readonly tokens: number }): string =>
  `${amount(spent.tokens)} tokens counted (${amount(spent.input)} in, ${amount(spent.output)} out, ${amount(spent.cacheWrite)} cache written, ${amount(spent.cacheRead)} cache read), ${money(spent.cost)}${
    spent.estimated > 0 ? `; ${amount(spent.estimated)} of the tokens are estimated` : ""
  }`;

/** `3 files, +10 -2` */
export const changesLine = (changes: TodoChanges | undefined): string =>
  changes === undefined
    ? ""
    : `${changes.files === 1 ? "1 file" : `${amount(changes.files)} files`}, +${amount(changes.added)} -${amount(changes.removed)}${changes.isShared ? " (shared)" : ""}`;

export const amount = (count: number): string =>
  Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
