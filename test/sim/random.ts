/** Chance that can be repeated: the same seed gives the same numbers on every machine. */
export interface Random {
  /** From 0 up to, and without, 1. */
  next(): number;
  below(most: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** Picks by weight; a weight of zero is never picked. */
  weighted<T>(from: readonly (readonly [weight: number, value: T])[]): T;
}

export function createRandom(seed: number): Random {
  let state = (seed * 0x9e3779b1) >>> 0; // neighbouring seeds begin far apart

  return { next, below, chance: (probability) => next() < probability, pick, weighted };

  // mulberry32: small, fast, and good enough to shuffle a world.
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  function below(most: number): number {
    return Math.floor(next() * most);
  }

  function pick<T>(from: readonly T[]): T {
    return from[below(from.length)]!;
  }

  function weighted<T>(from: readonly (readonly [number, T])[]): T {
    let rest = next() * from.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of from) {
      rest -= weight;
      if (rest < 0) return value;
    }
    return from.at(-1)![1];
  }
}
