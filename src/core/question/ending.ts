import { CLOSING, isFarewell, isQuestion, SIGN } from "./phrases.ts";

const CHOICE = /^\s*([-*•–]|\(?[\p{L}\d]{1,2}[.):])\s/u;
/** `(y/n)`, `[Y/n]`: how to answer, no choice of its own. */
const withoutAnswers = (sentence: string): string =>
  sentence.replace(
    /[([](y|yes|j|ja|s|sí|si|sim|o|oui|д|да|是|はい|네|예|e)\s*\/\s*(n|no|nein|nao|não|non|н|нет|否|いいえ|아니오|h)[)\]]/giu,
    " ",
  );

/** The end of last words. */
export interface Ending {
  /** The last line but for choices below it, and the one before, as sentences: the last few. */
  readonly sentences: readonly string[];
  /** What stands above them, read when it is asked for. */
  readonly earlier: () => readonly string[];
  readonly hasChoices: boolean;
}

const LOOK_BACK = 3;
/** A question has fewer lines below it that belong to it: what a yes would be for may stand there. */
const FOLLOWING = 3;

export function lastSentences(words: string): Ending {
  const lines = withGreekSign(words.slice(-4000))
    .split("\n")
    .filter((line) => /[\p{L}\d]/u.test(line) && !isFarewell(line));
  const end = lines.findLastIndex((line) => !CHOICE.test(line) || isQuestion(line));
  const from = Math.max(0, end < 0 ? lines.length - 1 : end);
  const first = Math.max(0, from - FOLLOWING);
  const asked = lines.slice(first, from).findLastIndex((line) => sentencesOf(line).some(isQuestion));
  const begin = asked < 0 ? from : first + asked;
  const above = Math.max(0, begin - 1);
  const near = lines.slice(above, from + 1).flatMap((line) => sentencesOf(line.trimEnd().slice(-600)));
  const most = 1 + LOOK_BACK + lines.slice(begin + 1, from + 1).flatMap(sentencesOf).length;
  return {
    sentences: near.slice(-most),
    earlier: () => [...lines.slice(0, above).flatMap(sentencesOf), ...near.slice(0, -most)],
    hasChoices: from < lines.length - 1,
  };
}

/** Marks around words; within one, such as `drop_all`, they belong to it. */
const EMPHASIS = /\*+|(?<![\p{L}\d])_+|_+(?![\p{L}\d])/gu;
const sentencesOf = (line: string): readonly string[] =>
  (withoutAnswers(line).match(SENTENCE) ?? [])
    .map((each) => each.replace(EMPHASIS, "").trim())
    .filter((each) => /\p{L}/u.test(each));

/** In Greek a semicolon asks. */
const withGreekSign = (text: string): string =>
  text.includes(";") ? text.replace(/(\p{Script=Greek}[^;.!?\n]{0,300});/gu, "$1?") : text;

/** A sign ends a sentence where a blank or a letter of a script without blanks follows it: `v1.2` and `a.ts` are words. */
const SENTENCE = new RegExp(
  `(?:[^.!。！${SIGN}\\n]|[.!](?=[^\\s"'”’»)\\]*_]))+(?:[.!。！${SIGN}]+[${CLOSING}]*|$)`,
  "gu",
);
