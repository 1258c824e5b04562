/** Names that were probably meant, nearest first: two letters may be wrong, of a long name a third of them. */
export function nearest(word: string, names: readonly string[]): readonly string[] {
  if (word.length > LONGEST) return [];
  const plain = flat(word);
  return names
    .map((name) => ({ name, distance: distance(plain, flat(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(Math.min(2, name.length - 1), Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
}

const LONGEST = 80;

/** `max_continuations`, `max-continuations` and `maxContinuations` are one word. */
const flat = (word: string): string => word.toLowerCase().replace(/[_-]/g, "");

/** How many letters to insert, remove or change. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
