/** The name that was probably meant, if one is close enough: a third of its letters may differ. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined;
  const plain = flat(word);
  const ranked = names
    .map((name) => ({ name, distance: distance(plain, flat(name)), most: Math.floor(name.length / 3) }))
    .filter((candidate) => candidate.distance <= candidate.most)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.name;
}

const LONGEST = 80;

/** `max_continuations`, `max-continuations` and `maxContinuations` are one word. */
const flat = (word: string): string => word.toLowerCase().replace(/[_-]/g, "");

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
