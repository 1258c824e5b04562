/** Of all requests that follow one another the pair of which the second repeats least of the first, in tokens of four characters. */
export function leastKept(requests: readonly string[]): { readonly before: number; readonly kept: number } {
  const pairs = requests.slice(1).map((text, at) => {
    const before = requests[at]!;
    return { before: before.length / 4, kept: shared(before, text) / 4 };
  });
  return pairs.reduce((least, pair) => (pair.kept / pair.before < least.kept / least.before ? pair : least));
}

/** What a provider keeps of a request for the next one ends where they begin to differ. */
function shared(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** At most so many times as much as is kept: 95 % of a request are found again in the next one. */
export const KEPT = { atMost: 1 / 0.95 };
