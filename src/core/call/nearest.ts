/** Up to three names that are close to a mistyped one, nearest first. */
export function nearest(name: string, names: readonly string[]): readonly string[] {
  const most = Math.max(2, Math.floor(name.length / 3));
  return names
    .map((candidate) => ({ candidate, distance: distance(name.toLowerCase(), candidate.toLowerCase(), most) }))
    .filter((each) => each.distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** How many letters to insert, remove or change; anything beyond `most` is not counted out. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
