import { type Budget, budgetUse, type Run } from "../../../core/run/index.ts";
import { type SessionCommand, saidOf, warning } from "./command.ts";

const NAMES = ["continuations", "tokens", "cost", "minutes"] as const satisfies readonly (keyof Budget)[];

export const extend: SessionCommand = {
  name: "extend",
  description: "Let a run go on that stopped at a limit: /extend, /extend 20, /extend tokens=100000 cost=1 minutes=30",
  words: NAMES.map((name) => `${name}=`),
  run: async (args, session) => {
    const budget = readBudget(args);
    if (!budget)
      return warning(
        `"${args}" is no budget. Give a number of continuations, or ${NAMES.map((n) => `${n}=10`).join(" ")}.`,
      );
    const reply = await session.tell({ type: "human.extend", budget });
    return saidOf(reply, `Extended. ${budgets(session.run())}`);
  },
};

export function readBudget(args: string): Budget | undefined {
  const parts = args.split(/\s+/).filter((part) => part !== "");
  const read = parts.map((part) => /^(?:([a-z]+)=)?(\d+(?:\.\d+)?)$/.exec(part));
  const pairs = read.map((match) => [match?.[1] ?? "continuations", Number(match?.[2])] as const);
  const isKnown = (name: string): name is keyof Budget => (NAMES as readonly string[]).includes(name);
  if (read.includes(null) || !pairs.every(([name, more]) => isKnown(name) && more > 0)) return undefined;
  return Object.fromEntries(pairs);
}

function budgets(run: Run | undefined): string {
  const uses = run ? budgetUse(run.ledger) : [];
  if (uses.length === 0) return "No budget limits this run.";
  return uses.map(({ name, used, limit }) => `${name} ${Math.round(used * 100) / 100} of ${limit}`).join(", ");
}
