/** Names that were probably meant, nearest first: one slip, in a longer name one for every three letters, or the beginning of it. */
export function nearest(word: string, names: readonly string[]): readonly string[] {
  if (word.length > LONGEST) return [];
  const plain = flat(word);
  return names
    .map((name) => ({ name, slips: slipsTo(plain, flat(name)) }))
    .filter(({ name, slips }) => slips <= Math.min(Math.max(1, Math.floor(name.length / 3)), name.length - 1))
    .sort((a, b) => a.slips - b.slips)
    .map(({ name }) => name);
}

const LONGEST = 80;
const SHORTEST_BEGINNING = 3;

/** `max_continuations`, `max-continuations` and `maxContinuations` are one word. */
const flat = (word: string): string => word.toLowerCase().replace(/[_-]/g, "");

const slipsTo = (word: string, name: string): number =>
  word.length >= SHORTEST_BEGINNING && name.startsWith(word)
    ? Math.min(1, name.length - word.length)
    : distance(word, name);

/** How many letters to insert, remove, change or swap with their neighbour. */
function distance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(
        Math.min(changed, row[j]! + 1, next[j - 1]! + 1, isSwapped ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY),
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
