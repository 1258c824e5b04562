import { isFinished, type Todo } from "./todo.ts";

/**
 * Which old item each new text continues: the same words first, then the closest wording, nearest position first.
 * A finished item is continued only by its exact text: a reworded one may be different work.
 */
export function matchTexts(texts: readonly string[], old: readonly Todo[]): readonly (Todo | undefined)[] {
  const matches: (Todo | undefined)[] = texts.map((text) => old.find((todo) => todo.text === text));
  const taken = new Set(matches.flatMap((todo) => todo?.id ?? []));
  const pairs = texts
    .flatMap((text, index) => (matches[index] ? [] : candidates(text, index, old, taken)))
    .sort((a, b) => b.overlap - a.overlap || a.distance - b.distance || a.index - b.index);
  for (const { index, todo } of pairs) {
    if (matches[index] || taken.has(todo.id)) continue;
    matches[index] = todo;
    taken.add(todo.id);
  }
  return matches;
}

const ENOUGH = 0.5;

function candidates(text: string, index: number, old: readonly Todo[], taken: ReadonlySet<string>) {
  return old.flatMap((todo, position) => {
    if (isFinished(todo) || taken.has(todo.id)) return [];
    const overlap = wordOverlap(text, todo.text);
    return overlap >= ENOUGH ? [{ index, todo, overlap, distance: Math.abs(position - index) }] : [];
  });
}

/** Shared words over all words, 0 to 1. Words that were only added or only left out say the same thing more or less exactly. */
export function wordOverlap(a: string, b: string): number {
  const [one, two] = [words(a), words(b)];
  const shared = [...one].filter((word) => two.has(word)).length;
  const all = one.size + two.size - shared;
  const isPart = shared >= FEWEST_SHARED && shared === Math.min(one.size, two.size);
  return all === 0 ? 0 : Math.max(shared / all, isPart ? ENOUGH : 0);
}

const FEWEST_SHARED = 2;

const words = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
