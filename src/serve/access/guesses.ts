/** Wrong codes and tokens are counted: so many a minute are answered, the others are told to wait. */
export interface Guesses {
  /** True: too many lately; nothing is looked at. */
  tooMany(): boolean;
  wrong(): void;
}

export function countGuesses(most: number, now: () => number): Guesses {
  let recent: number[] = [];
  const young = () => {
    recent = recent.filter((at) => now() - at < WINDOW_MS);
    return recent;
  };
  return {
    tooMany: () => young().length >= most,
    wrong: () => {
      if (young().length < most) recent.push(now());
    },
  };
}

const WINDOW_MS = 60_000;
