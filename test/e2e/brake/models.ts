import type { ModelRequest, Step } from "../../../src/testing/index.ts";
import { writeList } from "../pi/models.ts";

/** What each answer of the runaway models costs. */
export const USAGE = { input: 900, output: 100 };

const NEVER = new Promise<never>(() => {});

/** Models that write their list and then never come to an end. */
const RUNAWAYS = {
  "the same call": () => ({ calls: [["read", { path: "same.txt" }]] }),
  "new reads": (count) => ({ calls: [["bash", { command: `echo ${count}` }]] }),
  "alternating calls": (count) => ({ calls: [["read", { path: `${count % 2}.txt` }]] }),
  "its own list again and again": () => ({ calls: [["list_todos", {}]] }),
  "calls that cannot be made": () => ({ calls: [["no_such_tool", { at: 1 }]] }),
  "an endless stream": () => ({ text: "and so on, ".repeat(20), endlessMs: 20 }),
  silence: () => ({ after: NEVER }),
} as const satisfies Record<string, (count: number) => Step>;

export type Runaway = keyof typeof RUNAWAYS;

export const runaway =
  (name: Runaway) =>
  (_request: ModelRequest, count: number): Step => ({
    usage: USAGE,
    ...(count === 1 ? { calls: [writeList(2)] } : (RUNAWAYS[name](count) as Step)),
  });

/** What so many requests have used at the least: streams and silence have only the list behind them for certain. */
export const spendOf = (name: Runaway, requests: number): number =>
  1000 * (name === "silence" || name === "an endless stream" ? 1 : requests - 1);
