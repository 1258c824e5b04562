// Words that no sentence for a user contains, and what to write instead (docs/decisions/0041-word-list.md).

export interface Avoided {
  readonly pattern: RegExp;
  readonly write: string;
}

/** Nowhere: not on a screen, not in a nudge, not in a document. */
export const EVERYWHERE: readonly Avoided[] = [
  { pattern: /\bmend(s|ed|ing)?\b/i, write: "fix" },
  { pattern: /\b(the|a) human\b|\bhuman's\b/i, write: "you; to the agent: the user" },
  { pattern: /\b(some|no)body\b|\bwhoever\b/i, write: "you, or who it is" },
  { pattern: /\bwhatever\b/i, write: "any, all, even if" },
  { pattern: /\bfor ever\b/i, write: "forever" },
  { pattern: /\b(go|goes|going|went|gone) on\b(?! (hold|with it alone))/i, write: "continue" },
  { pattern: /\b(send|sends|sent|sending)( \w+)? on\b(?! \d)/i, write: "tell it to continue" },
  { pattern: /\bcame of\b|\bcomes of it\b/i, write: "the result" },
  { pattern: /\bit is so already\b|\bstands? so\b/i, write: "already ..." },
  { pattern: /\bsummed up\b/i, write: "compacted" },
  { pattern: /[a-z]\(s\)/i, write: "a real plural" },
];

/** Not for users: names of parts inside tildone. Documents for its developers may use them. */
export const INSIDE: readonly Avoided[] = [
  { pattern: /(?<!-)\bitems?\b/i, write: "todo" },
  { pattern: /(?<!--)\bwords\b/i, write: "message, text" },
  { pattern: /\bboundar(y|ies)\b/i, write: "when the agent stops" },
  { pattern: /\bepochs?\b/i, write: "leave it out" },
  { pattern: /\bdriv(er|ers|es|en|ing)\b/i, write: "works on, the process that works on it" },
  { pattern: /\bsettle[sd]?\b/i, write: "stop, end" },
  { pattern: /\bbirth\b/i, write: "start" },
  { pattern: /\brounds?\b/i, write: "checks" },
  { pattern: /\bcarr(y|ies|ied|ying)\b/i, write: "deliver, do" },
  { pattern: /(?<!\b(takes?|no) )\beffects?\b/i, write: "what it does" },
];

/** A sentence, as against a name, a path or a key. */
export const isSentence = (text: string): boolean => /[a-z…][^ ]* [^ ]*[a-z…]/i.test(text);

export const foundIn = (text: string, words: readonly Avoided[]): readonly string[] =>
  words.flatMap(({ pattern, write }) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [`"${found}": write ${write}`];
  });
