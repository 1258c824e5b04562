/**
 * Whether the agent goes round in circles: the same calls with the same results, again and again. What counts is
 * the digest of tool, arguments and result, so a poll whose answer changes, or an edit that does something, is
 * never a loop.
 */
export interface LoopWatch {
  /** Takes the next call; gives the shortest round that was made often enough without a break up to now. */
  observe(digest: string): Loop | undefined;
}

export interface Loop {
  /** 1: the same call again and again. 2: two calls in turn. And so on. */
  readonly period: number;
  /** How often the round was made, the first included. */
  readonly rounds: number;
}

const LONGEST = 5;

/** A round counts as a loop when it was made `rounds` times. What is remembered stays small, however long it watches. */
export function createLoopWatch(rounds: number): LoopWatch {
  const recent: string[] = []; // newest first
  /** For each period from 1 on: how many calls in a row equalled the one a period before. */
  const repeats = Array.from({ length: LONGEST }, () => 0);

  return {
    observe(digest) {
      let loop: Loop | undefined;
      for (let period = LONGEST; period >= 1; period--) {
        const count = recent[period - 1] === digest ? repeats[period - 1]! + 1 : 0;
        repeats[period - 1] = count;
        if (count >= period * (rounds - 1)) loop = { period, rounds: 1 + Math.floor(count / period) };
      }
      recent.unshift(digest);
      if (recent.length > LONGEST) recent.pop();
      return loop;
    },
  };
}
