import { ACTS, COSTS, UNSPACED_ACTS } from "./acts.ts";
import { EVERYWHERE, LANGUAGES, type Language, UNSPACED } from "./languages.ts";

/** Names something that cannot be taken back, in any language that is known. */
export function namesAct(sentence: string): boolean {
  const text = plain(sentence);
  const { acts, unspacedActs } = vocabulary();
  return unspacedActs.some((act) => text.includes(act)) || wordsOf(text).some((word) => isIn(acts, word));
}

/** Names an act, or something that costs: whoever says yes right after it says yes to that. */
export const namesPrice = (sentence: string): boolean =>
  namesAct(sentence) || wordsOf(plain(sentence)).some((word) => isIn(vocabulary().costs, word));

/**
 * Nothing but whether to continue: every word belongs to one language's row or to the list, and one of them means to
 * continue. An unknown word makes it a question for you.
 */
export function isBare(sentence: string, list: readonly string[]): boolean {
  const listed = new Set(list.flatMap((text) => wordsOf(plain(text))));
  const text = plain(sentence);
  const { spaced, unspaced } = vocabulary();
  return (
    spaced.some((row) => isSpacedBare(wordsOf(text), row, listed)) ||
    unspaced.some((row) => isUnspacedBare(text, row, listed))
  );
}

interface Stems {
  readonly whole: ReadonlySet<string>;
  readonly begun: readonly string[];
}

interface Row<Words> {
  readonly go: Words;
  readonly words: Words;
  /** Begins a question; further on it means "or". */
  readonly first?: string;
}

function isSpacedBare(said: readonly string[], { go, words, first }: Row<Stems>, listed: ReadonlySet<string>): boolean {
  const isKnown = (word: string, at: number) =>
    word === first ? at === 0 : /^\d+$/.test(word) || isIn(go, word) || isIn(words, word) || listed.has(word);
  return said.every(isKnown) && said.some((word, at) => isIn(go, word) || go.whole.has(`${word}+${said[at + 1]}`));
}

function isUnspacedBare(text: string, { go, words }: Row<readonly string[]>, listed: ReadonlySet<string>): boolean {
  const known = [...go, ...words, ...EVERYWHERE.split(" "), ...listed].sort((a, b) => b.length - a.length);
  const rest = known.reduce((left, phrase) => left.replaceAll(phrase, " "), text);
  return go.some((phrase) => text.includes(phrase)) && !/\p{L}/u.test(rest);
}

const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[’‘`´]/gu, "'");

/** Hyphens and apostrophes stay within a word: `dois-je`, `let's`, `force-push`; each half is a word as well where the whole is not. */
function wordsOf(text: string): readonly string[] {
  return (text.match(/[\p{L}\p{M}\p{N}]+(?:['-][\p{L}\p{M}\p{N}]+)*/gu) ?? []).flatMap((word) =>
    vocabulary().whole.has(word) ? [word] : word.split(/['-]/u),
  );
}

function isIn({ whole, begun }: Stems, word: string): boolean {
  return whole.has(word) || begun.some((stem) => word.startsWith(stem));
}

const stemsOf = (list: readonly string[]): Stems => ({
  whole: new Set(list.filter((stem) => !stem.endsWith("*"))),
  begun: list.filter((stem) => stem.endsWith("*")).map((stem) => stem.slice(0, -1)),
});

const split = (row: string): readonly string[] =>
  plain(row)
    .split(" ")
    .filter((word) => word !== "");

interface Vocabulary {
  readonly acts: Stems;
  readonly unspacedActs: readonly string[];
  readonly costs: Stems;
  readonly spaced: readonly Row<Stems>[];
  readonly unspaced: readonly Row<readonly string[]>[];
  /** Words with a hyphen or an apostrophe that are words as a whole. */
  readonly whole: ReadonlySet<string>;
}

/** Made at the first question: most turns end with none, and a hook lives for one turn's end. */
const vocabulary = (): Vocabulary => {
  kept.vocabulary ??= made();
  return kept.vocabulary;
};
const kept: { vocabulary?: Vocabulary } = {};

function made(): Vocabulary {
  const languages = Object.values<Language>(LANGUAGES).map((language) => ({
    ...language,
    go: split(language.go),
    words: split(language.words),
  }));
  const acts = split(ACTS);
  const hyphened = [...languages.flatMap(({ go, words }) => [...go, ...words]), ...acts];
  return {
    acts: stemsOf(acts),
    unspacedActs: split(UNSPACED_ACTS),
    costs: stemsOf(split(COSTS)),
    spaced: languages.map(({ go, words, first }) => ({
      go: stemsOf(go),
      words: stemsOf([...words, ...split(EVERYWHERE)]),
      ...(first !== undefined && { first }),
    })),
    unspaced: Object.values(UNSPACED).map(({ go, words }) => ({ go: split(go), words: split(words) })),
    whole: new Set(hyphened.filter((word) => /['-]/.test(word))),
  };
}
