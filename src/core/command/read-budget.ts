import type { Budget } from "../run/index.ts";
import { type ReadOrder, read, unclear } from "./order.ts";

const NAMES = ["continuations", "tokens", "cost", "minutes"] as const satisfies readonly (keyof Budget)[];

/** `20`, `tokens=100000 cost=1`; nothing at all lets a run try again that stopped without a budget. */
export function readBudget(args: string): ReadOrder {
  const parts = args.split(/\s+/).filter((part) => part !== "");
  const found = parts.map((part) => /^(?:([a-z]+)=)?(\d+(?:\.\d+)?)$/.exec(part));
  const pairs = found.map((match) => [match?.[1] ?? "continuations", Number(match?.[2])] as const);
  const isKnown = (name: string): boolean => (NAMES as readonly string[]).includes(name);
  if (found.includes(null) || !pairs.every(([name, more]) => isKnown(name) && more > 0))
    return unclear(
      `"${args}" is not a budget. Give a number of continuations, or ${NAMES.map((name) => `${name}=10`).join(" ")}.`,
    );
  return read({ type: "extend", budget: Object.fromEntries(pairs) });
}
