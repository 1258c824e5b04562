/**
 * Values that stand beside a name which says that they are secret: `DB_PASS=…`, `"token": "…"`, `--client-secret …`. A name alone
 * proves nothing in source code, so the value has to look like one, too.
 */
export function withoutNamedValues(text: string): string {
  return text.replace(LINE, withoutValues);
}

/** Most lines hold none of the words, and are passed over at once. */
const LINE = /^.*(?:key|secret|token|pass|pwd|credential|auth|sess).*$/gim;

function withoutValues(line: string): string {
  return line.replace(NAMED, (whole: string, ...found: unknown[]) => {
    const [name, joint, quote, quoted, bare] = found as [string, string, string, string?, string?];
    const value = quoted ?? bare ?? "";
    if (!isSecret(name, joint, value, quoted !== undefined)) return whole;
    return `${name}${joint}${quote ?? ""}[redacted]${quoted === undefined ? "" : quote}`;
  });
}

const WORD = `(?:api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|account[_-]?key|master[_-]?key|client-key-data|session[_-]?(?:id|key)|sessid|secret|token|passw(?:or)?d|passwd|passphrase|pass|pwd|credentials?|auth)`;
/** Bounded on every side: a name, a joint, then one value in quotes or up to the next blank. */
const NAMED = new RegExp(
  String.raw`(?<![\w.$-])((?:--?)?[\w.-]{0,60}?${WORD}[\w-]{0,30}["']?)(\s{0,3}(?:=>|:=|[=:])\s{0,3}|\s(?=[^\s-]))(?:(["'\x60])([^"'\x60\n]{4,400})\3|([^\s"'\x60,;()[\]{}<>]{4,400}))`,
  "gi",
);

const PLAIN =
  /^(?:true|false|null|nil|none|undefined|string|number|boolean|object|any|unknown|void|yes|no|on|off|required|optional|default|inherit|\d{1,9}|\*+|x+|\.{3,}|…+)$/i;
/** What stands for a value that is somewhere else. */
const ELSEWHERE =
  /^[$%<{[(]|^(?:process|import|window|self|this|os|env)\.|\$\{|\{\{|^\[redacted|^\/|^https?:\/\/[^@]*$/;

function isSecret(name: string, joint: string, value: string, isQuoted: boolean): boolean {
  if (PLAIN.test(value) || ELSEWHERE.test(value) || /redacted/.test(value)) return false;
  const bareName = name.replace(/["']$/, "");
  if (!saysSecret(bareName)) return false;
  // `--password x` as words of a command; anything else that is only followed by a blank is prose.
  if (/^\s$/.test(joint)) return name.startsWith("-") && (looksRandom(value) || (isPassword(name) && isChosen(value)));
  if (name.startsWith("--") && joint === "=" && isPassword(name)) return true;
  const isVariable = /^[A-Z][A-Z0-9_]*$/.test(bareName) && joint === "=";
  if (isVariable) return !/^[A-Za-z_$][\w$]*\(/.test(value) && value.length >= 4;
  if (isPassword(bareName) && !isQuoted && isChosen(value)) return true;
  if (STRONG.test(bareName))
    return isQuoted ? value.length >= 8 && !isIdentifier(value) : looksRandom(value) || isSlug(value, joint);
  return looksRandom(value);
}

/** What people choose: a word with a digit or a sign in it. Keys are longer and look random. */
const isPassword = (name: string): boolean => /(?:passw(?:or)?d|passphrase|pwd)$/i.test(name);
const isChosen = (value: string): boolean =>
  value.length >= 6 &&
  /^[A-Za-z0-9!@#%^&*+=?_.~-]+$/.test(value) &&
  /[A-Za-z]/.test(value) &&
  /[a-z]\d|\d[a-z]|[!@#%^*+?~]/i.test(value);

/** Word by word: `MAX_TOKENS`, `tokenizer`, `passed` and `author` only begin like one. */
function saysSecret(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some(
    (word, at) => SINGLE.has(word) || /(?:password|passwd|sessid)$/.test(word) || PAIRS.has(`${word} ${words[at + 1]}`),
  );
}

const SINGLE = new Set(
  "token secret password passwd pass pwd passphrase apikey accesskey privatekey credential credentials authtoken auth".split(
    " ",
  ),
);
const PAIRS = new Set([
  "api key",
  "access key",
  "private key",
  "signing key",
  "encryption key",
  "account key",
  "master key",
  "session id",
  "session key",
  "key data",
]);

/** Names under which hardly anything else is kept. */
const STRONG = /secret|passw|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?token/i;
const isIdentifier = (value: string): boolean =>
  /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$|^[a-z]+(?:[A-Z][a-z]+)*$|^[a-z]+(?:[ _.:/-][a-z]+)*$/.test(value);
const isSlug = (value: string, joint: string): boolean =>
  joint === "=" && /^[\w.-]*[-.][\w.-]*$/.test(value) && value.length >= 8;

/** Letters and digits mixed, as in no usual name of a variable and no word. */
function looksRandom(value: string): boolean {
  if (value.length < 8 || /\s/.test(value) || !/^[\x21-\x7e]+$/.test(value)) return false;
  if (/[()[\]{}<>;,]|\.\.|=>|&&|\|\|/.test(value)) return false;
  const digits = value.match(/\d/g)?.length ?? 0;
  const isWordy = /^[A-Za-z]+(?:[A-Z_.:/@-][a-z]*)*\d{0,3}$/.test(value) || /^[a-z]+(?:[-_.][a-z0-9]+)*$/.test(value);
  return (
    digits >= 2 &&
    /[A-Za-z]/.test(value) &&
    !isWordy &&
    !/^\d+(?:\.\d+)+/.test(value) &&
    !/^#?[0-9a-f]{3,8}$/i.test(value)
  );
}
