/** The last so many of what is added; how many were added before them is counted. */
export interface Newest<T> {
  readonly add: (...items: readonly T[]) => void;
  readonly all: () => readonly T[];
  readonly leftOut: () => number;
}

export function newest<T>(most: number): Newest<T> {
  let items: T[] = [];
  let added = 0;
  return {
    add: (...fresh) => {
      items.push(...fresh);
      added += fresh.length;
      if (items.length >= 2 * most) items = items.slice(-most);
    },
    all: () => items.slice(-most),
    leftOut: () => Math.max(0, added - most),
  };
}
