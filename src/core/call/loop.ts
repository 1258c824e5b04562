/**
 * Whether the agent goes round in circles: the same calls with the same results, again and again. What counts is
 * the digest of tool, arguments and result, so a poll whose answer changes, or an edit that does something, is
 * never a loop.
 */
export interface Loops {
  /** The newest digests, at most `LONGEST`. */
  readonly recent: readonly string[];
  /** For each period from 1 on: how many calls in a row equalled the one a period before. */
  readonly repeats: readonly number[];
}

export interface Loop {
  /** 1: the same call again and again. 2: two calls in turn. And so on. */
  readonly period: number;
  /** How often the round was made, the first included. */
  readonly rounds: number;
}

const LONGEST = 5;

export const NO_LOOPS: Loops = { recent: [], repeats: Array.from({ length: LONGEST }, () => 0) };

export function observeCall(loops: Loops, digest: string): Loops {
  const { recent } = loops;
  return {
    recent: [...recent.slice(-(LONGEST - 1)), digest],
    repeats: loops.repeats.map((count, index) => (recent.at(-(index + 1)) === digest ? count + 1 : 0)),
  };
}

/** The shortest round that was made at least `rounds` times without a break up to now. */
export function findLoop({ repeats }: Loops, rounds: number): Loop | undefined {
  for (const [index, count] of repeats.entries()) {
    const period = index + 1;
    if (count >= period * (rounds - 1)) return { period, rounds: 1 + Math.floor(count / period) };
  }
  return undefined;
}
