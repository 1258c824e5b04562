import { ACTS, COSTS, UNSPACED_ACTS } from "./acts.ts";
import { EVERYWHERE, LANGUAGES, type Language, UNSPACED } from "./languages.ts";

/** Names something that cannot be taken back, in any language that is known. */
export function namesAct(sentence: string): boolean {
  const text = plain(sentence);
  return UNSPACED_ACTS.some((act) => text.includes(act)) || wordsOf(text).some((word) => isIn(ACT_STEMS, word));
}

/** Names an act, or something that costs: whoever says yes right after it says yes to that. */
export const namesPrice = (sentence: string): boolean =>
  namesAct(sentence) || wordsOf(plain(sentence)).some((word) => isIn(COST_STEMS, word));

/**
 * Nothing but whether to continue: every word belongs to one language's row or to the list, and one of them means to
 * continue. An unknown word makes it a question for you.
 */
export function isBare(sentence: string, list: readonly string[]): boolean {
  const listed = new Set(list.flatMap((text) => wordsOf(plain(text))));
  const text = plain(sentence);
  return (
    SPACED_ROWS.some((row) => isSpacedBare(wordsOf(text), row, listed)) ||
    UNSPACED_ROWS.some((row) => isUnspacedBare(text, row, listed))
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
    KNOWN_WHOLE.has(word) ? [word] : word.split(/['-]/u),
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
const ACT_STEMS = stemsOf(ACTS);
const COST_STEMS = stemsOf(COSTS);
const SPACED_ROWS = Object.values<Language>(LANGUAGES).map(
  ({ go, words, first }): Row<Stems> => ({
    go: stemsOf(split(go)),
    words: stemsOf([...split(words), ...split(EVERYWHERE)]),
    first,
  }),
);
const UNSPACED_ROWS = Object.values(UNSPACED).map(({ go, words }) => ({ go: split(go), words: split(words) }));
const KNOWN_WHOLE: ReadonlySet<string> = new Set(
  [...Object.values(LANGUAGES).flatMap(({ go, words }) => [...split(go), ...split(words)]), ...ACTS].filter((word) =>
    /['-]/.test(word),
  ),
);
