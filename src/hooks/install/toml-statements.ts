/** A line of TOML that says something, or several where its value continues. Positions are those of whole lines. */
export interface Statement {
  readonly type: "table" | "tables" | "pair";
  /** The whole key, from the root of the document. */
  readonly key: readonly string[];
  readonly start: number;
  readonly end: number;
  /** What stands behind the equals sign. */
  readonly value?: string;
}

export type TomlRead =
  | { readonly ok: true; readonly statements: readonly Statement[] }
  | { readonly ok: false; readonly line: number };

/** Finds what is said where, and nothing about what it means: enough to change one table and leave every other byte alone. */
export function readToml(text: string): TomlRead {
  const statements: Statement[] = [];
  let table: readonly string[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    const start = at;
    const first = after(text, at, BLANK);
    if (first >= text.length || /[\n\r#]/.test(text[first]!)) {
      at = lineAfter(text, first);
      continue;
    }
    const said = text[first] === "[" ? header(text, first) : pair(text, first);
    const rest = said && after(text, said.end, BLANK);
    if (!said || (rest! < text.length && !/[\n\r#]/.test(text[rest!]!)))
      return { ok: false, line: text.slice(0, start).split("\n").length };
    const end = lineAfter(text, rest!);
    if (said.type !== "pair") table = said.key;
    const key = said.type === "pair" ? [...table, ...said.key] : said.key;
    statements.push({ type: said.type, key, start, end, ...(said.value !== undefined && { value: said.value }) });
    at = end;
  }
  return { ok: true, statements };
}

export function tomlValueIn(text: string, path: readonly string[]): string | undefined {
  const read = readToml(text);
  return read.ok ? tomlValue(read.statements, path) : undefined;
}

/** The text of the value at a key, in whichever of TOML's ways it is written. */
function tomlValue(statements: readonly Statement[], path: readonly string[]): string | undefined {
  for (const { type, key, value } of statements.toReversed()) {
    if (type !== "pair" || value === undefined || !startsWith(path, key)) continue;
    if (key.length === path.length) return value;
    const inner = inlinePairs(value).findLast((one) => startsWith(path.slice(key.length), one.key));
    if (inner)
      return inner.value === undefined
        ? undefined
        : tomlValue([{ ...inner, start: 0, end: 0 }], path.slice(key.length));
  }
  return undefined;
}

export const startsWith = (path: readonly string[], head: readonly string[]): boolean =>
  head.length <= path.length && head.every((part, at) => part === path[at]);

interface Said {
  readonly type: Statement["type"];
  readonly key: readonly string[];
  readonly value?: string;
  readonly end: number;
}

function header(text: string, at: number): Said | undefined {
  const isList = text.startsWith("[[", at);
  const read = keyAt(text, at + (isList ? 2 : 1));
  const close = isList ? "]]" : "]";
  if (!read || !text.startsWith(close, read.end)) return undefined;
  return { type: isList ? "tables" : "table", key: read.key, end: read.end + close.length };
}

function pair(text: string, at: number): Said | undefined {
  const read = keyAt(text, at);
  if (!read || text[read.end] !== "=") return undefined;
  const start = after(text, read.end + 1, BLANK);
  const end = valueEnd(text, start);
  return end === undefined ? undefined : { type: "pair", key: read.key, value: text.slice(start, end), end };
}

const BLANK = /[ \t]*/y;
const SPACE = /(?:[ \t\r\n]|#[^\n]*)*/y;
const BARE_KEY = /[A-Za-z0-9_-]+/y;
/** Strings of several lines first: they begin like an empty one. */
const STRING = /"""(?:[^\\]|\\[\s\S])*?"{3,5}(?!")|'''[\s\S]*?'{3,5}(?!')|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const SCALAR = /[^\s,\]}#"'[{=][^,\]}#\r\n]*/y;

function keyAt(text: string, from: number): { readonly key: readonly string[]; readonly end: number } | undefined {
  const key: string[] = [];
  for (let at = from; ; at++) {
    at = after(text, at, BLANK);
    const quoted = match(text, at, STRING);
    const word = quoted ?? match(text, at, BARE_KEY);
    if (word === undefined || /^("""|''')/.test(word)) return undefined;
    key.push(quoted === undefined || word.startsWith("'") ? word.replace(/^'(.*)'$/, "$1") : unquoted(word));
    at = after(text, at + word.length, BLANK);
    if (text[at] !== ".") return { key, end: at };
  }
}

function unquoted(word: string): string {
  const plain = word.replaceAll(/\\U(0{0,3}[0-9a-fA-F]{1,5})(?![0-9a-fA-F])/g, (_, code: string) => {
    const point = Number.parseInt(code, 16);
    return point > 0x10ffff ? "" : JSON.stringify(String.fromCodePoint(point)).slice(1, -1);
  });
  try {
    return JSON.parse(plain) as string;
  } catch {
    return word.slice(1, -1); // an escape that JSON does not know: no name of ours has one
  }
}

function valueEnd(text: string, at: number): number | undefined {
  const string = match(text, at, STRING);
  if (string !== undefined) return at + string.length;
  const close = { "[": "]", "{": "}" }[text[at] ?? ""];
  if (close === undefined) {
    const scalar = match(text, at, SCALAR)?.trimEnd();
    return scalar === undefined ? undefined : at + scalar.length;
  }
  const isTable = close === "}";
  for (let next = after(text, at + 1, SPACE); ; next = after(text, next + 1, SPACE)) {
    if (text[next] === close) return next + 1;
    const end = isTable ? pair(text, next)?.end : valueEnd(text, next);
    if (end === undefined) return undefined;
    next = after(text, end, SPACE);
    if (text[next] === close) return next + 1;
    if (text[next] !== ",") return undefined;
  }
}

function inlinePairs(value: string): readonly Said[] {
  const pairs: Said[] = [];
  for (let at = after(value, 1, SPACE); value.startsWith("{") && value[at] !== "}"; at = after(value, at, SPACE)) {
    const said = pair(value, at);
    if (!said) break;
    pairs.push(said);
    at = after(value, said.end, SPACE);
    if (value[at] === ",") at++;
  }
  return pairs;
}

function match(text: string, at: number, pattern: RegExp): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

const after = (text: string, at: number, pattern: RegExp): number => at + (match(text, at, pattern)?.length ?? 0);

function lineAfter(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}
