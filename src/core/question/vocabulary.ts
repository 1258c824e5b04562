import { ACTS, COSTS, UNSPACED_ACTS } from "./acts.ts";
import { EVERYWHERE, LANGUAGES, type Language, UNSPACED } from "./languages.ts";
import { late } from "./late.ts";

/** Names something that cannot be taken back, in any language that is known. */
export function namesAct(sentence: string): boolean {
  const text = plain(sentence);
  return namesWithin(text) || wordsOf(text).some((word) => within(vocabulary().acts, word));
}

/** Names an act in a script that sets no words apart. */
export const namesWithin = (text: string): boolean => vocabulary().unspacedActs.some((act) => text.includes(act));

/** Names an act, or something that costs: a yes right after it is a yes to that. */
export const namesPrice = (sentence: string): boolean =>
  namesAct(sentence) || wordsOf(plain(sentence)).some((word) => within(vocabulary().costs, word));

/** The word alone names an act or a price. */
export const isPriced = (word: string): boolean => within(vocabulary().acts, word) || within(vocabulary().costs, word);

/**
 * Nothing but whether to continue: every word belongs to one language's row or to the list, and one of them means to
 * continue. An unknown word makes it a question for you.
 */
export function isBare(sentence: string, list: readonly string[]): boolean {
  const listed = wordsIn(list);
  const text = plain(sentence);
  const { spaced, unspaced } = vocabulary();
  return (
    spaced.some((row) => isSpacedBare(wordsOf(text), row, listed)) ||
    unspaced.some((row) => isUnspacedBare(text, row, listed))
  );
}

/** Every word belongs to one language's row or to the list. */
export function isFamiliar(text: string, list: readonly string[]): boolean {
  const listed = wordsIn(list);
  const { spaced, unspaced } = vocabulary();
  return (
    spaced.some((row) => isSpacedKnown(wordsOf(text), row, listed)) ||
    unspaced.some((row) => isUnspacedKnown(text, row, listed))
  );
}

const wordsIn = (list: readonly string[]): ReadonlySet<string> => new Set(list.flatMap((text) => wordsOf(plain(text))));

export interface Stems {
  readonly whole: ReadonlySet<string>;
  readonly begun: readonly string[];
}

interface Row<Words> {
  readonly go: Words;
  readonly words: Words;
  /** Begins a question; further on it means "or". */
  readonly first?: string;
}

const isSpacedBare = (said: readonly string[], row: Row<Stems>, listed: ReadonlySet<string>): boolean =>
  isSpacedKnown(said, row, listed) &&
  said.some((word, at) => within(row.go, word) || row.go.whole.has(`${word}+${said[at + 1]}`));

const isSpacedKnown = (
  said: readonly string[],
  { go, words, first }: Row<Stems>,
  listed: ReadonlySet<string>,
): boolean =>
  said.every((word, at) =>
    word === first ? at === 0 : /^\d+$/.test(word) || within(go, word) || within(words, word) || listed.has(word),
  );

const isUnspacedBare = (text: string, row: Row<readonly string[]>, listed: ReadonlySet<string>): boolean =>
  row.go.some((phrase) => text.includes(phrase)) && isUnspacedKnown(text, row, listed);

function isUnspacedKnown(text: string, { go, words }: Row<readonly string[]>, listed: ReadonlySet<string>): boolean {
  const known = [...go, ...words, ...EVERYWHERE.split(" "), ...listed].sort((a, b) => b.length - a.length);
  const rest = known.reduce((left, phrase) => left.replaceAll(phrase, " "), text);
  return !/\p{L}/u.test(rest);
}

export const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[’‘`´]/gu, "'");

/** Hyphens and apostrophes stay within a word: `dois-je`, `let's`, `force-push`; each half is a word as well where the whole is not. */
export function wordsOf(text: string): readonly string[] {
  return (text.match(/[\p{L}\p{M}\p{N}]+(?:['-][\p{L}\p{M}\p{N}]+)*/gu) ?? []).flatMap((word) =>
    vocabulary().whole.has(word) ? [word] : word.split(/['-]/u),
  );
}

export function within({ whole, begun }: Stems, word: string): boolean {
  return whole.has(word) || begun.some((stem) => word.startsWith(stem));
}

const split = (row: string): readonly string[] =>
  plain(row)
    .split(" ")
    .filter((word) => word !== "");

export const stemsOf = (list: string): Stems => stems(split(list));

const stems = (list: readonly string[]): Stems => ({
  whole: new Set(list.filter((stem) => !stem.endsWith("*"))),
  begun: list.filter((stem) => stem.endsWith("*")).map((stem) => stem.slice(0, -1)),
});

interface Vocabulary {
  readonly acts: Stems;
  readonly unspacedActs: readonly string[];
  readonly costs: Stems;
  readonly spaced: readonly Row<Stems>[];
  readonly unspaced: readonly Row<readonly string[]>[];
  /** Words with a hyphen or an apostrophe that are words as a whole. */
  readonly whole: ReadonlySet<string>;
}

const vocabulary = late((): Vocabulary => {
  const languages = Object.values<Language>(LANGUAGES).map((language) => ({
    ...language,
    go: split(language.go),
    words: split(language.words),
  }));
  const acts = split(ACTS);
  const hyphened = [...languages.flatMap(({ go, words }) => [...go, ...words]), ...acts];
  return {
    acts: stems(acts),
    unspacedActs: split(UNSPACED_ACTS),
    costs: stemsOf(COSTS),
    spaced: languages.map(({ go, words, first }) => ({
      go: stems(go),
      words: stems([...words, ...split(EVERYWHERE)]),
      ...(first !== undefined && { first }),
    })),
    unspaced: Object.values(UNSPACED).map(({ go, words }) => ({ go: split(go), words: split(words) })),
    whole: new Set(hyphened.filter((word) => /['-]/.test(word))),
  };
});
